"""Random operations: they give symbols in the place of numbers."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import torch

from exactspec.audit.arithmetic import add, multiply
from exactspec.audit.numbers import MOST_CELLS, categorical, whole_number
from exactspec.audit.sources.tensors.arguments import Arguments
from exactspec.audit.sources.tensors.generators import State
from exactspec.audit.sources.tensors.shadows import Shadows, tensors_in
from exactspec.audit.symbols import Exponential, Opaque, new_time, race, uniform, value_of
from exactspec.audit.world import Deferred, call_site, current

BITS = {torch.float64: 53, torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}
MOST_NUMBERS, MOST_COINS = 8_192, 1_024
_NO_WEIGHT = "invalid multinomial distribution (sum of probabilities <= 0)"
_NO_PROBABILITY = "probability tensor contains either `inf`, `nan` or element < 0"


def draw(shadows: Shadows, func: Any, name: str, arguments: Any, options: dict[str, Any]) -> Any:
    """Run an operation that may draw, and put symbols into its result."""
    given = Arguments(func, arguments, options)
    state = State(shadows.world, given["generator"])
    if name == "multinomial":
        return _multinomial(shadows, func, given, state, arguments, options)
    if name == "bernoulli":
        return _bernoulli(shadows, func, given, state, arguments, options)
    filled = _RULES.get(name)
    takes_noise = filled is None and _takes_noise(shadows, name, arguments, options)
    out = func(*arguments, **options)
    if filled is not None and out.numel() <= MOST_NUMBERS:
        filled(shadows, out, given, state)
    elif state.has_moved or takes_noise:
        _fill_with_opaque(shadows, out, name)
    return out


def _takes_noise(shadows: Shadows, name: str, arguments: Any, options: dict[str, Any]) -> bool:
    """Whether a draw without a rule is given random numbers; what else it is given is decided."""
    given = tensors_in((*arguments, *options.values()))
    concerned = [tensor for tensor in given if shadows.casts(tensor)]
    for tensor in concerned:
        shadows.decide(tensor)
    contents = shadows.contents(tensor for tensor in concerned if shadows.casts(tensor))
    if contents.has_exact:
        shadows.world.round_off(name)
    return contents.has_noise


def _fill_with_opaque(shadows: Shadows, out: Any, name: str) -> None:
    """Numbers that have no exact rule: an error where one is used, as most numbers of a model never are."""
    symbols = shadows.world.symbols
    symbols.append(Opaque(f"a random number of {name} drawn at {call_site()}"))
    for tensor in out if isinstance(out, tuple) else (out,):
        shadows.make(tensor).fill_(len(symbols) - 1)
        shadows.keep_shared_plain(tensor)


def _uniform(shadows: Shadows, out: Any, given: Arguments, state: State) -> None:
    bits = BITS[out.dtype]
    drawn = state.numbers(("uniform", out.dtype), out.numel(), lambda: uniform(bits))
    least, most = value_of(given.get("from", 0)), value_of(given.get("to", 1))
    if (least, most) != (0, 1):
        drawn = [add(multiply(number, most - least), least) for number in drawn]
    shadows.write(out, drawn)


def _exponential(shadows: Shadows, out: Any, given: Arguments, state: State) -> None:
    factor = 1 / Fraction(value_of(given.get("lambd", 1)))
    times = _times(state, out)
    shadows.write(out, [Exponential(time, factor) for time in times])


def _times(state: State, like: Any) -> list[Any]:
    return state.numbers(("exponential", like.dtype), like.numel(), new_time)


def _integers(shadows: Shadows, out: Any, given: Arguments, state: State) -> None:
    least, bound = given.get("low", given.get("from", 0)), given.get("high", given["to"])
    if bound is None or bound - least > MOST_CELLS:
        _fill_with_opaque(shadows, out, "a large range")
        return
    size = bound - least
    drawn = state.numbers(("integers", size), out.numel(), lambda: whole_number(size))
    shadows.write(out, [_moved(each, least) for each in drawn])


def _moved(drawn: Any, by: int) -> Any:
    return Deferred(lambda: by + drawn.look()) if by else drawn


def _permutation(shadows: Shadows, out: Any, given: Arguments, state: State) -> None:
    """Each place in turn takes one of the numbers that are left, evenly."""
    size = out.numel()
    draws = state.outcomes(
        ("permutation", size), lambda: [whole_number(left) for left in range(size, 0, -1)]
    )

    def at(place: int) -> int:
        left = list(range(size))
        return [left.pop(each.look()) for each in draws[: place + 1]][-1]

    shadows.write(out, [Deferred(partial(at, place)) for place in range(size)])


_RULES: dict[str, Callable[[Shadows, Any, Arguments, State], None]] = {
    "uniform": _uniform,
    "rand": _uniform,
    "rand_like": _uniform,
    "exponential": _exponential,
    "randint": _integers,
    "randint_like": _integers,
    "random": _integers,
    "randperm": _permutation,
}


def _bernoulli(
    shadows: Shadows, func: Any, given: Arguments, state: State, arguments: Any, options: Any
) -> Any:
    chances = given.get("p", given["self"] if func._schema.name == "aten::bernoulli" else 0.5)
    if isinstance(chances, torch.Tensor) and shadows.casts(chances):
        shadows.decide(chances)
    out = func(*arguments, **options)
    if out.numel() > MOST_COINS:
        _fill_with_opaque(shadows, out, "bernoulli")
        return out
    values = shadows.values(chances, out.shape)
    for value in values:
        if not isinstance(value, Fraction) or not 0 <= value <= 1:
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    label = f"bernoulli at {call_site()}"
    drawn = state.outcomes(
        ("bernoulli", tuple(values)), lambda: [categorical((1 - p, p), label) for p in values]
    )
    shadows.write(out, drawn)
    return out


def _multinomial(
    shadows: Shadows, func: Any, given: Arguments, state: State, arguments: Any, options: Any
) -> Any:
    """Positions drawn by weight: PyTorch lets an exponential time for each race, or picks from a sum."""
    weights = given["self"]
    if shadows.casts(weights):
        shadows.decide(weights)
    size = weights.shape[-1] if weights.dim() else 0
    values = shadows.values(weights)
    rows = [values[i : i + size] for i in range(0, len(values), size or 1)]
    # even weights in their place: errors of shape and type are PyTorch's own, and its generator moves
    out = func(torch.ones_like(weights), *arguments[1:], **options)
    _check_rows(rows)
    count, replaces = given["num_samples"], given.get("replacement", False)
    if count == 1:
        times = _times(state, weights)
        drawn = [race(times[i * size : (i + 1) * size], row) for i, row in enumerate(rows)]
    else:
        kind = ("multinomial", tuple(values), count, replaces)
        many = _with_replacement if replaces else _without_replacement
        drawn = state.outcomes(kind, lambda: [each for row in rows for each in many(row, count)])
    shadows.write(out, drawn)
    return out


def _check_rows(rows: Sequence[Sequence[Any]]) -> None:
    """PyTorch's own errors, judged by the exact weights."""
    for row in rows:
        if any(
            isinstance(value, float) or (isinstance(value, Fraction) and value < 0) for value in row
        ):
            raise RuntimeError(_NO_PROBABILITY)
        if not any(row):
            raise RuntimeError(_NO_WEIGHT)


def _with_replacement(row: Sequence[Any], count: int) -> list[Any]:
    label = f"multinomial at {call_site()}"
    return [categorical(row, label) for _ in range(count)]


def _without_replacement(row: Sequence[Any], count: int) -> list[Any]:
    """Each position drawn by weight among those that are left."""
    label = f"multinomial at {call_site()}"
    drawn: list[Any] = [categorical(row, label)]

    def next_one(before: Sequence[Any]) -> int:
        taken = {each.look() for each in before}
        left = [Fraction(0) if i in taken else weight for i, weight in enumerate(row)]
        return int(categorical(left, label).look())

    if math.prod(map(bool, row)) == 0 and sum(map(bool, row)) < count:
        _too_few(count)
    for _ in range(count - 1):
        drawn.append(Deferred(partial(next_one, tuple(drawn))))
    return drawn


def _too_few(count: int) -> None:
    current().refuse(
        "audit-no-rule",
        f"{count} positions drawn without replacement from fewer positive weights",
        "PyTorch fills them up with positions of weight 0, in no stated order",
    )
