"""PyTorch's operations on exact, random and undecided elements."""

from fractions import Fraction as F  # noqa: N817

import pytest

from exactspec import audit
from exactspec.errors import Fault, InternalError

torch = pytest.importorskip("torch")

from exactspec.audit.sources.from_torch import logits, probs  # noqa: E402

P = (F(1, 6), F(1, 3), F(1, 2))
Q = (F(1, 2), F(1, 4), F(1, 4))
THIRDS = (F(1, 3), F(2, 3))


def result(program, level="rational"):
    """What a program that draws nothing returns, as exact numbers."""
    law = audit.enumerate(program, level=level)
    ((outcome, mass),) = law.masses.items()
    assert mass == 1
    assert not law.is_rounded, law.notes
    return outcome


def law(program):
    return audit.enumerate(program).masses


def p():
    return probs([P])[0]


def q():
    return probs([Q])[0]


EXACT = {
    "add": (lambda: p() + q(), (F(2, 3), F(7, 12), F(3, 4))),
    "add, scaled": (lambda: torch.add(p(), q(), alpha=2), (F(7, 6), F(5, 6), F(1))),
    "sub": (lambda: p() - q(), (F(-1, 3), F(1, 12), F(1, 4))),
    "rsub": (lambda: 1 - p(), (F(5, 6), F(2, 3), F(1, 2))),
    "mul": (lambda: p() * 3, (F(1, 2), 1, F(3, 2))),
    "div": (lambda: p() / q(), (F(1, 3), F(4, 3), 2)),
    "floor of div": (lambda: torch.div(p(), q(), rounding_mode="floor"), (0, 1, 2)),
    "remainder": (lambda: q() % p(), (0, F(1, 4), F(1, 4))),
    "pow": (lambda: p() ** 2, (F(1, 36), F(1, 9), F(1, 4))),
    "square": (lambda: p().square().sqrt(), P),
    "neg": (lambda: -p(), (F(-1, 6), F(-1, 3), F(-1, 2))),
    "abs": (lambda: (p() - q()).abs(), (F(1, 3), F(1, 12), F(1, 4))),
    "log, exp": (lambda: p().log().exp(), P),
    "log1p, expm1": (lambda: (p() - 1).log1p().expm1() + 1, P),
    "reciprocal": (lambda: p().reciprocal(), (6, 3, 2)),
    "sigmoid": (lambda: logits([P])[0].sigmoid(), (F(1, 7), F(1, 4), F(1, 3))),
    "clamp": (lambda: (p() - q()).clamp(min=0, max=0.125), (0, F(1, 12), F(1, 8))),
    "relu": (lambda: (p() - q()).relu(), (0, F(1, 12), F(1, 4))),
    "minimum": (lambda: torch.minimum(p(), q()), (F(1, 6), F(1, 4), F(1, 4))),
    "maximum": (lambda: torch.maximum(p(), q()), (F(1, 2), F(1, 3), F(1, 2))),
    "min of a ratio": (lambda: (p() / q()).clamp_max(1), (F(1, 3), 1, 1)),
    "where": (lambda: torch.where(p() > q(), p(), 0.0), (0, F(1, 3), F(1, 2))),
    "sum": (lambda: p()[:2].sum(), F(1, 2)),
    "sum of rows": (lambda: probs([P, Q]).sum(0), (F(2, 3), F(7, 12), F(3, 4))),
    "sum, kept": (lambda: probs([P, Q]).sum(-1, keepdim=True), ((1,), (1,))),
    "mean": (lambda: p().mean(), F(1, 3)),
    "prod": (lambda: p().prod(), F(1, 36)),
    "amax": (lambda: probs([P, Q]).amax(-1), (F(1, 2), F(1, 2))),
    "max of all": (lambda: p().max(), F(1, 2)),
    "max along": (lambda: torch.max(probs([P, Q]), dim=1), ((F(1, 2), F(1, 2)), (2, 0))),
    "argmax": (lambda: probs([P, Q]).argmax(-1), (2, 0)),
    "argmin": (lambda: probs([P, Q]).argmin(), 0),
    "cumsum": (lambda: p().cumsum(-1), (F(1, 6), F(1, 2), 1)),
    "cumsum of columns": (lambda: probs([P, Q]).cumsum(0)[1], (F(2, 3), F(7, 12), F(3, 4))),
    "cumprod": (lambda: p().cumprod(0), (F(1, 6), F(1, 18), F(1, 36))),
    "softmax": (lambda: logits([P, Q]).softmax(-1), (P, Q)),
    "softmax, float64": (lambda: logits([P], torch.float64)[0].softmax(-1), P),
    "softmax with a mask": (
        lambda: (
            logits([P])[0].masked_fill(torch.tensor([True, False, False]), -torch.inf).softmax(-1)
        ),
        (0, F(2, 5), F(3, 5)),
    ),
    "softmax at a temperature": (
        lambda: (logits([P])[0] / 0.5).softmax(-1),
        (F(1, 14), F(2, 7), F(9, 14)),
    ),
    "log_softmax": (
        lambda: (logits([P])[0] * 2).log_softmax(-1).exp(),
        (F(1, 14), F(2, 7), F(9, 14)),
    ),
    "logsumexp": (lambda: logits([P, Q]).logsumexp(-1).exp(), (1, 1)),
    "sort": (lambda: q().sort(descending=True), ((F(1, 2), F(1, 4), F(1, 4)), (0, 1, 2))),
    "argsort": (lambda: p().argsort(descending=True), (2, 1, 0)),
    "topk": (lambda: p().topk(2), ((F(1, 2), F(1, 3)), (2, 1))),
    "searchsorted": (lambda: torch.searchsorted(p().cumsum(0), torch.tensor([0.25, 0.75])), (1, 2)),
    "isnan": (lambda: (p() / 0).isnan(), (False, False, False)),
    "isfinite": (lambda: logits([(F(0), F(1))])[0].isfinite(), (False, True)),
    "nan_to_num": (lambda: ((p() - p()) / 0).nan_to_num(nan=0.5), (F(1, 2),) * 3),
    "equal": (lambda: p() * 6 == 1.0, (True, False, False)),
    "all": (lambda: (p() > 0).all(), True),
    "to another type": (lambda: (p() * 7).to(torch.int64), (1, 2, 3)),
    "as float64": (lambda: p().double(), P),
    "einops": (lambda: probs([P, Q]).T.reshape(-1)[1:3], (F(1, 2), F(1, 3))),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_numbers_stay_exact(name):
    program, expected = EXACT[name]
    assert result(program) == expected


@pytest.mark.parametrize("name", ["softmax", "clamp", "max along", "where", "cumsum"])
def test_operations_come_to_the_same_in_inference_mode(name):
    program, expected = EXACT[name]
    assert result(torch.inference_mode()(program)) == expected


MOVES = {
    "cat": lambda t: torch.cat((t, t))[3:],
    "stack": lambda t: torch.stack((t, t), dim=1)[:, 1],
    "gather": lambda t: t.gather(0, torch.arange(3)),
    "index": lambda t: t[torch.tensor([0, 1, 2])],
    "mask": lambda t: t[torch.tensor([True, True, True])],
    "index_select": lambda t: t.index_select(0, torch.arange(3)),
    "repeat": lambda t: t.repeat(2)[:3],
    "expand": lambda t: t.expand(2, 3).contiguous()[1],
    "flip": lambda t: t.flip(0).flip(0),
    "roll": lambda t: t.roll(1).roll(-1),
    "pad": lambda t: torch.nn.functional.pad(t, (1, 0))[1:],
    "split": lambda t: torch.cat(t.split(1)),
    "unbind": lambda t: torch.stack(list(t)),
    "view": lambda t: t.view(3, 1).transpose(0, 1).squeeze(0),
    "clone": lambda t: t.clone(),
    "scatter": lambda t: torch.zeros_like(t).scatter(0, torch.arange(3), t),
    "scatter_": lambda t: torch.zeros_like(t).scatter_(0, torch.arange(3), t),
    "index_put": lambda t: torch.zeros_like(t).index_put((torch.arange(3),), t),
    "masked_fill": lambda t: t.masked_fill(torch.tensor(False), 0),
    "copy_": lambda t: torch.empty_like(t).copy_(t),
    "out=": lambda t: torch.cat((t,), out=torch.empty(0, dtype=t.dtype)),
    "slices": lambda t: _by_slices(t),
    "new_tensor": lambda t: torch.tensor(t.tolist()) if t.is_floating_point() else t,
    "deepcopy": lambda t: __import__("copy").deepcopy(t),
    "where": lambda t: torch.where(torch.tensor(True), t, t + 0 if t.is_floating_point() else t),
}


def _by_slices(tensor):
    out = torch.zeros_like(tensor)
    out[0] = tensor[0]
    out[1:] = tensor[1:]
    return out


@pytest.mark.parametrize("name", MOVES)
def test_moves_keep_exact_numbers_and_leave_tokens_open(name):
    assert result(lambda: MOVES[name](p())) == P
    opened = audit.enumerate(lambda: MOVES[name](torch.multinomial(p(), 3, replacement=True)))
    assert opened.masses[(0, 1, 2)] == F(1, 36)
    assert opened.replays == 1


def test_an_open_token_is_decided_where_it_is_an_index():
    picked = audit.enumerate(lambda: q()[torch.multinomial(p(), 1)])
    assert picked.masses == {(F(1, 2),): F(1, 6), (F(1, 4),): F(5, 6)}
    assert picked.replays == 3


def test_operations_without_a_rule_read_the_decided_tokens():
    embedding = torch.tensor([[1, 2], [3, 4]])
    masses = law(lambda: torch.isin(embedding, torch.multinomial(probs([THIRDS])[0], 1) + 1))
    assert masses == {
        ((True, False), (False, False)): F(1, 3),
        ((False, True), (False, False)): F(2, 3),
    }


def test_writing_in_place_and_through_views_changes_the_symbols():
    def program():
        rows = probs([P, Q])
        view = rows[0]
        rows[1].zero_()
        view.mul_(2).sub_(rows[0] / 2)
        rows[1][0] = 0.5
        torch.add(rows[0], rows[1], out=rows[1])
        return rows

    assert result(program) == (P, (P[0] + F(1, 2), *P[1:]))


def test_a_copy_is_written_to_by_itself():
    def program():
        first = p()
        copies = torch.empty(3).copy_(first), first.double(), first.clone()
        for copy in copies:
            copy[0] = 0.5
        return first

    assert result(program) == P


def test_plain_numbers_written_over_noise_are_plain():
    def program():
        noise = torch.rand(2)
        noise[0] = 0.25
        noise[1:].fill_(0.5)
        return noise.sin() > 0.4

    assert law(program) == {(False, True): F(1)}


def test_exponential_times_may_be_drawn_into_a_slice():
    def program():
        noise = torch.ones(2, 3)
        noise[1].exponential_()
        return noise[0].sum(), (p() / noise[1]).argmax()

    assert law(program) == {(3, i): each for i, each in enumerate(P)}


def test_accepted_drafts_are_counted_without_a_look_behind_the_first_rejection():
    def by_products():
        return (torch.rand(3) < 0.5).int().cumprod(-1).sum()

    def by_sums():
        return ((~(torch.rand(3) < 0.5)).cumsum(-1) < 1).sum()

    for program in (by_products, by_sums):
        counted = audit.enumerate(program)
        assert counted.masses == {0: F(1, 2), 1: F(1, 4), 2: F(1, 8), 3: F(1, 8)}
        assert counted.replays == 4


def test_any_and_all_look_no_further_than_they_must():
    assert audit.enumerate(lambda: (torch.rand(3) < 0.5).any()).replays == 4
    assert audit.enumerate(lambda: (torch.rand(3) < 0.5).all()).masses[True] == F(1, 8)
    both = audit.enumerate(lambda: (torch.rand(1) < 0.5) & (torch.rand(1) < 0.5))
    assert both.masses == {(True,): F(1, 4), (False,): F(3, 4)}
    assert both.replays == 3


def test_exact_numbers_without_a_rule_become_floats_and_the_law_says_so():
    rounded = audit.enumerate(lambda: p().sin() > 0.3)
    assert rounded.masses == {(False, True, True): 1}
    assert rounded.is_rounded
    assert rounded.notes == ("rounded to floats: sin",)


def test_float_audits_compute_with_floats():
    third = audit.enumerate(lambda: p()[1], level="float")
    assert list(third.masses) == [torch.tensor(1 / 3).item()]
    assert third.unit == F(1, 2**24)
    assert law(lambda: torch.rand(()) < 1 / 3)[True] == F(1 / 3)


def test_reads_give_numbers_that_can_be_computed_with():
    programs = {
        "item": lambda: torch.rand(1).item() < p()[1].item(),
        "item and tensor": lambda: torch.rand(1).item() < p()[1],
        "tensor and item": lambda: p()[1] > torch.rand(1).item(),
        "tolist": lambda: torch.rand(2).tolist()[1] * 3 < 1,
        "truth": lambda: bool(torch.rand(()) < p()[1]),
        "full": lambda: torch.full((1,), torch.rand(1).item()) < p()[1].item(),
        "tensor": lambda: torch.tensor([torch.rand(1).item()]) < torch.tensor([p()[1], 0])[:1],
    }
    for name, program in programs.items():
        truths = law(lambda program=program: bool(program()))
        assert truths == {True: F(1, 3), False: F(2, 3)}, name


def test_a_tensor_of_tokens_keeps_them_open_and_whole():
    tokens = audit.enumerate(
        lambda: torch.tensor([torch.tensor(2), torch.multinomial(p(), 1).squeeze()])
    )
    assert tokens.masses == {(2, i): each for i, each in enumerate(P)}
    assert tokens.replays == 1
    assert all(isinstance(token, int) for token, _ in tokens.masses)


def test_an_exact_number_times_a_tensor_is_exact():
    assert result(lambda: p()[1].item() * torch.tensor([3.0])) == (1,)
    assert result(lambda: torch.tensor([torch.rand(1).item()]).is_floating_point())
    assert result(lambda: torch.tensor([1.0]) / p()[1].item()) == (3,)


def test_iteration_and_whole_numbers_decide():
    assert law(lambda: [int(t) for t in torch.multinomial(p(), 1)]) == {
        (i,): each for i, each in enumerate(P)
    }
    assert law(lambda: "abc"[torch.multinomial(p(), 1)]) == dict(zip("abc", P, strict=True))
    assert law(lambda: int(torch.multinomial(p(), 1).numpy()[0])) == dict(enumerate(P))


def test_errors_of_pytorch_are_outcomes_and_errors_of_the_audit_are_not(monkeypatch):
    (raised,) = law(lambda: p() + torch.ones(2))
    assert raised.type == "RuntimeError"
    assert "must match the size" in raised.message

    from exactspec.audit.sources.tensors import elementwise

    monkeypatch.setitem(elementwise.BINARY, "add", lambda x, y: 1 / 0)
    with pytest.raises(InternalError, match="ZeroDivisionError"):
        law(lambda: p() + 1)


def test_outside_a_run_tensors_are_plain():
    assert probs([P]).sum().item() == pytest.approx(1)
    assert logits([(F(0), F(1))]).tolist() == [[-torch.inf, 0.0]]
    assert probs([P], torch.float64).dtype == torch.float64


def test_noise_in_a_sum_without_a_rule_is_refused():
    with pytest.raises(Fault, match="no exact rule"):
        law(lambda: torch.rand(2).sum())
