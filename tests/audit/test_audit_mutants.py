"""Mutants of audited functions: which there are, which are killed, and that nothing of them stays."""

import signal
import sys
from types import ModuleType

import pytest
import samplers_mutated as samplers

from exactspec import audit
from exactspec.audit.mutants import Score, mutants_of_step
from exactspec.audit.mutation.limits import Turns
from exactspec.audit.mutation.operators import mutants_of
from exactspec.audit.mutation.source import Source, function_behind
from exactspec.audit.mutation.transplant import compiled, in_place_of
from exactspec.audit.mutation.trial import CRASH, ENDLESS, KINDS, LOSSY, REFUSED
from exactspec.errors import Fault

TABLES = audit.portfolio()


def scored(step, mutate=None, *, tables=TABLES[:1], only=None, **options):
    """The score of a step's mutants, or of those whose change begins with some text."""

    def choose(mutants):
        return [m for m in mutants if only is None or m.after == only]

    return mutants_of_step(step, mutate=mutate, scenarios=tables, choose=choose, **options)


def kinds(score: Score):
    return {each.mutant.after: each.killed and each.killed.kind for each in score.tried}


def test_of_a_right_sampler_only_mutants_that_mean_the_same_survive():
    score = scored(samplers.step, samplers.verify, tables=TABLES)
    assert [mutant.after for mutant in score.survivors] == [
        "if random.random() > min(1, p[token] / q[token]):",  # a coin is p/q with probability 0
        "if random.random() >= (p[token] / q[token]):",  # a coin is below 1
        "if random.random() >= min(2, p[token] / q[token]):",  # the same
    ]
    assert score.killed == len(score.tried) - 3 == score.killed_as(LOSSY) + score.killed_as(CRASH)
    assert (len(score.tables), score.left_out) == (10, ())


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("p, q = target_rows[i + 1], draft_rows[i]", LOSSY),
        ("if random.random() >= max(1, p[token] / q[token]):", LOSSY),
        ("return [*emitted, drawn(residual(q, p))]", LOSSY),
        ("return [*emitted, drawn(residual(p, p))]", CRASH),
        ("pass", LOSSY),
    ],
)
def test_known_faults_are_killed(fault, kind):
    assert kinds(scored(samplers.step, samplers.verify, only=fault)) == {fault: kind}


def test_a_mutant_is_killed_with_what_was_found():
    fault = "return [*emitted, drawn(residual(q, p))]"
    killed = scored(samplers.step, samplers.verify, only=fault).tried[0].killed
    assert killed.tables == "rows that depend on the prefix"
    assert killed.reason == "total variation 133/256"


def test_a_mutant_whose_outcome_is_no_token_can_not_be_audited():
    swapped = "return random.choices(weights, range(len(weights)))[0]"
    assert kinds(scored(samplers.step, samplers.drawn, only=swapped)) == {swapped: REFUSED}


def test_tables_that_kill_most_mutants_in_the_fewest_runs_are_tried_first():
    tables = [TABLES[7], TABLES[0], TABLES[8]]  # with equal rows a draft is never rejected
    told = []
    score = mutants_of_step(
        samplers.step,
        mutate=samplers.residual,
        scenarios=tables,
        on_mutant=lambda number, count: told.append((number, count)),
    )
    assert {each.killed.tables for each in score.tried if each.killed} == {TABLES[8].title}
    assert told == [(number, len(score.tried)) for number in range(len(score.tried))]


def test_a_loop_that_never_ends_is_ended_after_the_same_turn_each_time():
    never = "countdown = countdown + 1"
    score = scored(samplers.waiting, only=never)
    assert kinds(score) == {never: ENDLESS}
    assert score.tried[0].killed.reason == "a run is not over after 1,032 turns of its loops"
    assert scored(samplers.waiting, only=never) == score


def test_a_loop_outside_of_the_function_is_ended_by_the_processors_time(monkeypatch):
    monkeypatch.setattr("exactspec.audit.mutation.trial._SECONDS", 0.3)
    monkeypatch.setattr("exactspec.audit.mutation.trial._TURNS", 10**9)
    before = signal.getsignal(signal.SIGVTALRM)
    never = "return number <= 0"
    score = scored(samplers.always_waiting, samplers.is_ready, only=never)
    assert kinds(score) == {never: ENDLESS}
    assert "seconds" in score.tried[0].killed.reason
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_waiting_loop_that_asks_the_function_again_is_ended_by_its_turns():
    never = "return number <= 0"
    score = scored(samplers.always_waiting, samplers.is_ready, only=never)
    assert "turns" in score.tried[0].killed.reason


def test_a_function_that_shares_variables_with_the_one_around_it():
    lenient = samplers.with_lenience(1)
    score = scored(lenient)
    assert "is_accepted = coin < lenience / p[token] / q[token]" in kinds(score)
    assert score.killed > len(score.tried) / 2
    assert lenient.__closure__[0].cell_contents == 1


def test_a_mutant_that_no_longer_reads_a_shared_variable():
    lenient = samplers.with_lenience(1)
    text = Source(lenient).text.replace("lenience * ", "")
    assert compiled(lenient, text, 1).co_freevars == ("lenience",)


@pytest.mark.parametrize(
    ("step", "inner"),
    [
        (samplers.decorated, "decorated"),
        (samplers.Sampler(), "__call__"),
        (samplers.Sampler().__call__, "__call__"),
    ],
    ids=["decorated", "object", "method"],
)
def test_the_function_behind_decorators_objects_and_methods(step, inner):
    assert function_behind(step).__name__ == inner
    fates = kinds(scored(step))
    assert list(fates.values()).count(None) < len(fates)


def test_a_method_that_calls_its_base_and_a_private_name():
    score = scored(samplers.Sampler(), samplers.Sampler.row)
    assert kinds(score)["return super().row(block)[self.__shift + 1 :]"] == LOSSY


def test_a_function_that_calls_itself():
    fates = kinds(scored(samplers.counted_down))
    assert fates["return counted_down(block, rounds + 1)"] in (ENDLESS, CRASH)
    assert fates["if rounds >= 0:"] is None


def test_a_generator_stays_one_where_its_only_yield_is_deleted():
    score = scored(samplers.from_a_generator, samplers.tokens_of)
    assert kinds(score)["pass"] is not None


def test_all_that_holds_the_function_runs_the_mutant_and_then_the_original_again():
    other = ModuleType("other")
    other.alias = held = samplers.residual
    sys.modules["other"] = other
    own = held.__code__
    code = compiled(held, Source(held).text.replace("max(", "min("), 1)
    try:
        with in_place_of(held, code, Turns()):
            assert other.alias([3], [1]) == samplers.residual([3], [1]) == [0]
        assert other.alias([3], [1]) == samplers.residual([3], [1]) == [2]
    finally:
        del sys.modules["other"]
    assert held.__code__ is own
    assert not [name for name in vars(samplers) if "exactspec" in name]


def test_the_original_is_back_after_ctrl_c():
    own = samplers.verify.__code__

    def interrupted(block):
        if samplers.verify.__code__.co_code != compiled_verify.co_code:
            raise KeyboardInterrupt
        return samplers.step(block)

    source = Source(samplers.verify)
    compiled_verify = compiled(samplers.verify, source.text, source.first_line)
    with pytest.raises(KeyboardInterrupt):
        scored(interrupted, samplers.verify)
    assert samplers.verify.__code__ is own


def test_lines_of_a_mutant_are_those_of_the_file():
    source = Source(samplers.verify)
    code = compiled(samplers.verify, source.text, source.first_line)
    assert code.co_filename == samplers.__file__
    own = {line for _, _, line in samplers.verify.__code__.co_lines() if line}
    assert {line for _, _, line in code.co_lines() if line} >= own


def test_a_function_that_is_lossy_itself_has_no_mutants_worth_trying():
    with pytest.raises(Fault, match="lossy tell nothing: the audit is lossy on all tables"):
        scored(samplers.lossy)


def test_a_function_that_the_step_never_calls_has_none_either():
    with pytest.raises(Fault, match="the audited program never calls it"):
        scored(samplers.step, samplers.waiting)


def test_tables_on_which_the_function_is_lossy_are_left_out():
    score = scored(samplers.lossy, tables=[TABLES[0], TABLES[7]])
    assert (score.tables, score.left_out) == ((TABLES[7].title,), (TABLES[0].title,))


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (len, "it is not a Python function"),
        (lambda block: [0], "it is not written with def"),
        (samplers.Sampler, "it is not a Python function"),
    ],
)
def test_what_can_not_be_mutated_says_why(target, why):
    with pytest.raises(Fault, match=why):
        mutants_of(function_behind(target))


def test_the_kinds_of_a_kill_are_counted():
    score = scored(samplers.step, samplers.residual)
    assert sum(map(score.killed_as, KINDS)) == score.killed == len(score.tried) - 1
