"""Audits: replays per second of a step, and what merging equal states saves of a whole loop.

usage: python -m benchmarks.audits [--runs N]

The step in plain Python always runs; those of PyTorch and transformers where they are installed.
"""

import argparse
import importlib.util
import random
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

from exactspec import audit
from exactspec.audit.law import Exploration, Law, law_of
from exactspec.audit.tables import Tables

TABLES = audit.portfolio()[0]
DRAFTS = 3
LOOPS = ((3, 2), (4, 3))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    print(f"{'step':38} {'replays':>8} {'seconds':>8} {'a second':>9}")
    _line("plain Python", partial(_step, in_python), runs)
    if importlib.util.find_spec("torch"):
        _line("PyTorch", partial(_step, in_torch), runs)
    if importlib.util.find_spec("transformers"):
        from exactspec.audit.adapters import transformers

        _line("transformers, _speculative_sampling", partial(_step, transformers.step), runs)
        for length, drafts in LOOPS:
            loop = partial(transformers.sequences, Tables(TABLES), length, drafts)
            _loop(f"generate, {length} tokens, {drafts} drafts", loop)


def _step(step: Callable[[audit.Block], Any]) -> Law:
    return audit.step(step, TABLES, drafts=DRAFTS).law


def _line(name: str, run: Callable[[], Law], runs: int) -> float:
    laws = [run() for _ in range(runs)]
    seconds = statistics.median(law.seconds for law in laws)
    replays = laws[0].replays
    print(f"{name:38} {replays:8} {seconds:8.2f} {replays / seconds:9.0f}", flush=True)
    return seconds


def _loop(name: str, loop: Callable[[], Any]) -> None:
    """A whole loop, each state followed once and every path followed."""
    laws = {merge: law_of(loop, Exploration(merge=merge)) for merge in (True, False)}
    if laws[True].masses != laws[False].masses:
        raise SystemExit(f"{name}: merging equal states changes the law")
    once = _line(name, lambda: laws[True], 1)
    each = _line("  every path by itself", lambda: laws[False], 1)
    print(f"  {once / each:.2f} of the time")


def in_python(block: audit.Block) -> list[int]:
    """The token rule with lists and ``random``."""
    target, draft = block.python.target_probs, block.python.draft_probs
    for position, token in enumerate(block.drafted):
        p, q = target[position], draft[position]
        if random.random() * q[token] >= p[token]:
            left = [max(0, a - b) for a, b in zip(p, q, strict=True)]
            return [*block.drafted[:position], *random.choices(range(len(left)), left)]
    return [*block.drafted, *random.choices(range(block.vocabulary_size), target[-1])]


def in_torch(block: audit.Block) -> Any:
    """The token rule with tensors."""
    import torch

    p, q = block.torch.target_probs, block.torch.draft_probs
    coins = torch.rand(block.draft_length)
    for position, token in enumerate(block.drafted):
        if coins[position] * q[position, token] >= p[position, token]:
            left = (p[position] - q[position]).clamp(min=0)
            return [*block.drafted[:position], torch.multinomial(left, 1)]
    return [*block.drafted, torch.multinomial(p[-1], 1)]


if __name__ == "__main__":
    main()
