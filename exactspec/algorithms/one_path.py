"""What rules with one drafted path share: the token rule, whatever law each token was drawn from."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from exactspec import transforms
from exactspec.chance import Chance, Token
from exactspec.distribution import Distribution, residual
from exactspec.model.context import Context
from exactspec.model.table import Model
from exactspec.numbers import minimum
from exactspec.rule import Round

Drafter = Callable[[Context], Distribution[Token]]


def token_by_token(
    chance: Chance,
    target: Model,
    context: Context,
    drafted: Sequence[Token],
    laws: Sequence[Distribution[Token]],
) -> Round:
    """The token rule for drafted tokens and the laws that they were drawn from.

    Args:
        chance: the door to randomness.
        target: the model whose law is emitted.
        context: where the draft begins.
        drafted: the drafted tokens; none follows an end token.
        laws: for each of them, its law given the tokens before it.

    Source: Leviathan, Kalman, Matias 2023, algorithm 1.
    """
    for i, (token, q) in enumerate(zip(drafted, laws, strict=True)):
        p = target(context + drafted[:i])
        if not chance.accept(minimum(1, p[token] / q[token])):
            corrected = chance.draw(residual(p, q), "residual")
            return Round((*drafted[:i], corrected), accepted=i)
    return all_accepted(chance, target, context, drafted)


def all_accepted(
    chance: Chance, target: Model, context: Context, drafted: Sequence[Token]
) -> Round:
    """The whole draft, and behind it a bonus token, unless it ends in the end token.

    Args:
        chance: the door to randomness.
        target: the model whose law is emitted.
        context: where the draft begins.
        drafted: the drafted tokens.
    """
    if target.ends(drafted):
        return Round(drafted, accepted=len(drafted))
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))


def warped(
    row: Distribution[Token],
    inverse_temperature: int = 2,
    top_k: int | None = None,
    top_p: Fraction | None = None,
) -> Distribution[Token]:
    """A row at a temperature, then cut to the ``top_k`` most probable tokens, then to mass ``top_p``.

    >>> warped(Distribution({"a": Fraction(1, 3), "b": Fraction(2, 3)}), 2, None, None)
    Distribution({a: 1/5, b: 4/5})
    """
    row = transforms.temperature(row, inverse_temperature)
    row = row if top_k is None else transforms.top_k(row, top_k)
    return row if top_p is None else transforms.top_p(row, top_p)


def inner_round(
    chance: Chance, draft: Model, small: Drafter, context: Context, length: int
) -> tuple[Token, ...]:
    """What a round of the token rule emits whose target is the draft model."""
    drafted: tuple[Token, ...] = ()
    laws = []
    while len(drafted) < length and not draft.ends(drafted):
        laws.append(small(context + drafted))
        drafted = (*drafted, chance.draw(laws[-1], "draft"))
    return tuple(token_by_token(chance, draft, context, drafted, laws).tokens)
