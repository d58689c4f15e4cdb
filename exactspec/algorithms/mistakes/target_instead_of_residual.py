"""The token rule that draws from the target itself after a rejection."""

from exactspec.algorithms.one_path import all_accepted
from exactspec.chance import Chance
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round, algorithm, draft_tokens


@algorithm(
    paper="Leviathan, Kalman, Matias 2023, 2211.17192, algorithm 1, with one mistake",
    acceptance="a drafted x with min(1, p(x)/q(x)), so the sum of min(p, q)",
    seen_in="asked about in eth-sri/language-model-arithmetic issue 14 and ShopeeLLM/Spec-RL "
    "issue 14 (there a deliberate choice)",
)
def target_instead_of_residual(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Accept with min(1, p/q), and after a rejection draw from the target.

    The right rule draws from [p - q]+ / β. It violates "no second chance": tokens that were just
    rejected may come back, so that those with p < q keep too much.
    """
    drafted = draft_tokens(chance, draft, context, draft_length)
    for i, token in enumerate(drafted):
        p, q = target(context + drafted[:i]), draft(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            return Round((*drafted[:i], chance.draw(p, "from the target")), accepted=i)
    return all_accepted(chance, target, context, drafted)
