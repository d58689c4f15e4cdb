"""Gumbel coupling: draft and target sample with the same noise, and agree as often as that makes them."""

from exactspec.algorithms.candidates import Row, down_the_tree
from exactspec.chance import Chance, Token
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.rule import Round, algorithm


@algorithm(
    paper="Daliri, Musco, Suresh 2024, Coupling without Communication, 2408.07978; Kobus, Gunduz "
    "2025, Speculative Sampling via Exponential Races, 2504.15475",
    lossless_when="always: the target's own sample is emitted; the noise of a position is used once",
    acceptance="a drafted x that wins both races, so the sum over x of 1 / sum over y of "
    "max(p(y)/p(x), q(y)/q(x))",
    edge_cases="p = q: one winner, nothing is rejected; disjoint rows: nothing is accepted; "
    "p(x) = 0: never emitted",
)
def gumbel_coupling(
    chance: Chance, target: Model, draft: Model, context: Context, *, draft_length: int
) -> Round:
    """Emit the target's winner of an exponential race, and go on as long as the draft's is the same.

    At each position the same exponential times are divided by q for the draft and by p for the
    target. Each round has fresh noise; so what is emitted does not depend on the draft in law, while
    engines that keep a position's noise over rounds have the same for each seed.
    """

    def step(p: Row, q: Row) -> tuple[Token, bool]:
        race = chance.race()
        drafted, sampled = race.draw(q, "draft"), race.draw(p, "target")
        return sampled, sampled == drafted

    return down_the_tree(chance, target, draft, context, draft_length, step)
