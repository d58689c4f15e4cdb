"""The token rule whose residual is drawn with the noise that the draft was drawn with."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance, Race, Token
from exactspec.distribution import residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q)",
    seen_in="vLLM's probabilistic drafts before PR 54282 (from PR 47386); local-inference-lab/vllm "
    "PR 653; vllm-ascend PR 15739",
)
def draft_noise_reused(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Draw draft and residual as races over the same exponential times: Gumbel noise of one seed.

    The right rule draws the residual with fresh noise. It violates "fresh randomness": that a
    drafted token won its race says that the others' times are late, the later the larger their q.
    Tokens with a large q for their residual lose by it. Acceptance is unchanged, and there is no
    bias where the residual is proportional to q on its tokens, so none where it has one token only.
    """
    drafted: tuple[Token, ...] = ()
    races: list[Race] = []
    while len(drafted) < draft_length and not draft.ends(drafted):
        races.append(chance.race("draft"))
        drafted = (*drafted, races[-1].draw(draft(context + drafted)))
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = races[i].draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)
