"""B32 · vllm-project/vllm PR #47386, merged as PR #54282 (also local-inference-lab/vllm #205, PR
#653; vllm-project/vllm-ascend PR #15739) · confirmed, fixed; came back once through an override

Draft and recovery use Gumbel-max with the same noise. Given that x won the draft's race, the
losers' noise is truncated: tokens with a larger ratio of q to the residual lose.
"""

from exactspec import Round, algorithm, minimum, residual


@algorithm
def shared_noise(chance, target, draft, context):
    """Draw the draft and the residual by one race; the accept coin is independent."""
    p, q = target(context), draft(context)
    noise = chance.race()
    token = noise.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((noise.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def noise_of_its_own(chance, target, draft, context):
    """The fix: the residual is drawn by a race of its own."""
    p, q = target(context), draft(context)
    token = chance.race().draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.race().draw(residual(p, q), "residual"),), accepted=0)
