"""MLX's random functions have the laws that theory gives them, exactly."""

from fractions import Fraction as F  # noqa: N817

import pytest

from exactspec import audit, parse
from exactspec.audit.adapters import adapted
from exactspec.errors import AuditError, Fault

mx = pytest.importorskip("mlx.core")

from exactspec.audit.sources.from_mlx import logits, probs  # noqa: E402

P, Q = (F(1, 6), F(1, 3), F(1, 2)), (F(1, 2), F(1, 4), F(1, 4))
HALF = F(1, 2)
EVEN = b"""
version: 1
vocabulary: [a, b]
draft_length: 2
target: {a: 1/2, b: 1/2}
draft: {a: 3/4, b: 1/4}
"""


def law(program, level="rational"):
    """The masses of what a program returns."""
    return audit.enumerate(program, level=level).masses


def right(block):
    """Accept drafted tokens by coins, draw a correction or the bonus."""
    given = block.mlx
    target, draft, drafted = given.target_probs, given.draft_probs, given.draft_ids
    places = mx.arange(block.draft_length)
    u = mx.random.uniform(shape=(block.draft_length,))
    accepts = u * draft[places, drafted] < target[places, drafted]
    count = mx.cumprod(accepts.astype(mx.int32)).sum().item()
    row = target[count]
    if count < block.draft_length:
        row = mx.maximum(row - draft[count], 0)
    last = mx.random.categorical(mx.log(row))
    return mx.concatenate([drafted[:count], last[None].astype(drafted.dtype)])


def target_for_residual(block):
    """The same, but a correction is drawn from the target's row."""
    given = block.mlx
    emitted = []
    for i, token in enumerate(given.draft_ids.tolist()):
        ratio = given.target_probs[i, token] / given.draft_probs[i, token]
        if mx.random.uniform() >= ratio:
            return [*emitted, mx.random.categorical(given.target_logits[i]).item()]
        emitted.append(token)
    return [*emitted, mx.random.categorical(given.target_logits[-1]).item()]


def one_key(block):
    """Coins of all positions from one key."""
    given = block.mlx
    key = mx.random.key(0)
    emitted = []
    for i, token in enumerate(given.draft_ids.tolist()):
        p, q = given.target_probs[i], given.draft_probs[i]
        if mx.random.uniform(key=key) * q[token] >= p[token]:
            residual = mx.maximum(p - q, 0)
            return [*emitted, mx.random.categorical(mx.log(residual / residual.sum())).item()]
        emitted.append(token)
    return [*emitted, mx.random.categorical(given.target_logits[-1]).item()]


@pytest.mark.parametrize("scenario", audit.portfolio(), ids=lambda scenario: scenario.title)
def test_a_right_step_is_lossless(scenario):
    assert audit.step(right, scenario, drafts=2).word == "lossless"


def test_a_correction_from_the_target_is_lossy():
    verdict = audit.step(target_for_residual, parse(EVEN), drafts=1)
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 8))
    assert sum(verdict.got[0, i] for i in range(2)) == F(5, 8)


def test_one_key_for_all_coins_is_lossy():
    verdict = audit.step(one_key, parse(EVEN))
    assert (verdict.word, verdict.total_variation) == ("lossy", F(1, 8))
    assert sum(verdict.got[0, 0, i] for i in range(2)) == F(3, 8)


def test_a_step_in_floats_is_right_up_to_rounding():
    verdict = audit.step(right, audit.portfolio()[0], drafts=2, level="float")
    assert (verdict.word, verdict.total_variation < F(1, 10**6)) == ("undecided", True)


def test_uniform_numbers_and_what_is_made_of_them():
    for program in (
        lambda: mx.random.uniform() < probs([P])[0][1],
        lambda: probs([P])[0, 1] > mx.random.uniform(shape=(1,))[0],
        lambda: mx.random.uniform(-1, 2) < 0,
        lambda: mx.random.bernoulli(probs([P])[0, 1]),
        lambda: mx.random.randint(0, 3) == 1,
        lambda: mx.where(mx.random.uniform() < probs([P])[0, 1], probs([P])[0, 0], 0.0) > 0,
        lambda: mx.array(2.0) * mx.random.uniform() < mx.array(2.0) * probs([P])[0, 1],
    ):
        assert law(program) == {True: F(1, 3), False: F(2, 3)}


def test_draws_by_weight():
    for program in (
        lambda: mx.random.categorical(logits([P])[0]),
        lambda: mx.random.categorical(logits([P]), axis=-1)[0],
        lambda: mx.random.categorical(logits([P]).T, axis=0)[0],
        lambda: mx.argmax(logits([P])[0] + mx.random.gumbel(shape=(3,))),
        lambda: mx.argmax(probs([P])[0] / -mx.log(mx.random.uniform(shape=(3,)))),
        lambda: mx.sum(mx.cumsum(probs([P])[0]) <= mx.random.uniform()),
    ):
        assert law(program) == dict(enumerate(P))
    two = law(lambda: mx.random.categorical(logits([P])[0], num_samples=2))
    assert two == {(i, j): p * q for i, p in enumerate(P) for j, q in enumerate(P)}


def test_a_draw_by_weight_stays_open_until_somebody_looks():
    program = lambda: mx.random.categorical(logits([P, Q]))[:, None].squeeze(1)  # noqa: E731
    assert audit.enumerate(program).replays == 1


def test_a_compiled_function_is_followed_and_a_gradient_is_refused():
    @mx.compile
    def drawn(rows):
        return mx.random.categorical(rows)

    assert law(lambda: drawn(logits([P])[0])) == dict(enumerate(P))
    with pytest.raises(Fault, match="transformed function"):
        law(lambda: mx.grad(lambda x: x.sum())(probs([P])))


def test_the_samplers_of_mlx_lm_draw_by_weight():
    make_sampler = pytest.importorskip("mlx_lm.sample_utils").make_sampler
    two = {1: F(2, 5), 2: F(3, 5)}
    assert law(lambda: make_sampler(temp=1.0)(logits([P]))[0]) == dict(enumerate(P))
    for options in ({"top_p": 0.8}, {"top_k": 2}):
        assert law(lambda o=options: make_sampler(temp=1.0, **o)(logits([P]))[0]) == two


def test_the_loop_of_mlx_lm_is_lossless():
    pytest.importorskip("mlx_lm.generate")
    try:
        loop = adapted("mlx-lm").loop
    except AuditError as error:
        pytest.skip(str(error))
    scenario = parse(EVEN)
    verdict = audit.sequences(lambda: loop(audit.Tables(scenario), 2, 1), scenario, 2)
    assert (verdict.word, verdict.law.replays) == ("lossless", 36)


def test_a_part_of_an_array_is_a_copy():
    def program():
        rows = probs([P, Q])
        row = rows[0]
        row[2] = 0
        return rows[0, 2].item(), row.sum().item(), (rows.at[0, 0].add(1) > 1).sum().item()

    assert law(program) == {(HALF, HALF, 1): 1}


def test_the_same_key_gives_the_same_numbers():
    def keyed():
        one, other = mx.random.split(mx.random.key(3))
        coins = [mx.random.uniform(key=key) < 0.5 for key in (one, one, other)]
        return [coin.item() for coin in coins]

    def seeded():
        found = []
        for _ in range(2):
            mx.random.seed(1)
            found += [(mx.random.uniform() < 0.5).item(), (mx.random.uniform() < 0.5).item()]
        return found

    both = (False, True)
    assert law(keyed) == {(x, x, y): HALF * HALF for x in both for y in both}
    assert law(seeded) == {(x, y, x, y): HALF * HALF for x in both for y in both}


def test_two_draws_from_one_key_are_coupled():
    def both():
        key = mx.random.key(0)
        rows = logits([(HALF, HALF), (F(3, 4), F(1, 4))])
        return [mx.random.categorical(row, key=key).item() for row in rows]

    # two times in a ratio of x: of 1, then of 3
    assert law(both) == {(0, 0): HALF, (1, 0): F(1, 4), (1, 1): F(1, 4)}


def test_the_state_is_that_of_before_the_audit():
    mx.random.seed(12_345_678_901)
    before = mx.random.state[0].tolist()
    law(lambda: mx.random.uniform() < 0.5)
    assert mx.random.state[0].tolist() == before


@pytest.mark.parametrize(
    "program",
    [
        lambda: mx.random.normal(),
        lambda: mx.random.permutation(3),
        lambda: mx.sin(mx.random.uniform()),
        lambda: mx.random.uniform().item() + mx.random.uniform().item(),
        lambda: mx.array([1.0, 2.0])[mx.random.uniform()],
        lambda: mx.random.uniform(shape=(2,)).at[0].add(1),
        lambda: mx.random.uniform(shape=(2,)) @ mx.array([1.0, 2.0]),
        lambda: float(mx.random.uniform()),
        lambda: [mx.random.uniform(shape=(n,), key=mx.random.key(0)) for n in (1, 2)],
    ],
)
def test_what_has_no_rule_is_refused(program):
    with pytest.raises(Fault) as refused:
        law(program)
    assert refused.value.diagnostic.code == "audit-no-rule"


def test_a_function_imported_by_name_is_noticed():
    uniform = mx.random.uniform
    with pytest.raises(Fault) as refused:
        law(lambda: (uniform() < 0.5).item())
    assert refused.value.diagnostic.code == "audit-uncontrolled-generator"
