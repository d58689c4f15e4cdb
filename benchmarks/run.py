"""Whole processes, timed in pairs: ``exactspec check`` beside the same law by hand.

usage: python -m benchmarks.run [--runs N] [NAME ...]
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.workloads import WORKLOADS, Workload, model_text

BASELINE = Path(__file__).with_name("baseline.py")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print(
        f"{'':4} {'outputs':>8} {'verdict':22} {'exactspec s':>11} {'by hand s':>10} {'ratio':>6}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for workload in WORKLOADS:
            if not options.names or workload.name in options.names:
                print(_line(workload, Path(folder), options.runs), flush=True)


def _line(workload: Workload, folder: Path, runs: int) -> str:
    file = folder / f"{workload.name}.yaml"
    file.write_text(model_text(workload), encoding="utf-8")
    check = [sys.executable, "-m", "exactspec", "check", str(file)]
    by_hand = [sys.executable, str(BASELINE), str(file)]
    result = json.loads(_output([*check, "--format", "json"]))["results"][0]
    outputs = result["sequences"]["count"]
    if not outputs == workload.outputs == int(_output(by_hand)):
        sys.exit(f"{workload.name}: {outputs} outputs, by hand {_output(by_hand).strip()}")
    pairs = [(_seconds(check), _seconds(by_hand)) for _ in range(runs)]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    scope = "every horizon" if result["verdict"]["scope"]["every_horizon"] else "its horizon"
    verdict = f"{result['verdict']['word']}, {scope}"
    return f"{workload.name:4} {outputs:8} {verdict:22} {ours:11.2f} {theirs:10.2f} {ratio:6.2f}"


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
