"""B80 · lablup/mlxcel #902, PR #992, not a bug, with PyTorch.

The issue says that the match rule biases sampled output. On the path that it names the verifier compares
with a fresh sample of the target and emits that on both branches: lossless, only slower. On two other
paths it does compare with the argmax (``argmax_loop``, whole rounds): on
``examples/reports/b80_match_with_a_sample/match-with-a-sample.yaml`` the output is then ABA in every run,
a total variation of 3/4.
"""

import torch


def step(block):
    """Go on while a sample of the target is the drafted token; emit the sample in any case."""
    return torch.stack(_matched(block.torch.target_probs, block.drafted, _sampled))


def argmax_loop(tables, length, drafts):
    """The same with the target's most probable token: wrong for a sampled request."""
    emitted = ()
    while len(emitted) < length:
        drafted = ()
        for _ in range(drafts):
            row = _tensor(tables.draft(tables.context + emitted + drafted))
            drafted = (*drafted, int(_sampled(row)))
        contexts = (tables.context + emitted + drafted[:i] for i in range(drafts + 1))
        rows = [_tensor(tables.target(context)) for context in contexts]
        emitted += tuple(map(int, _matched(rows, drafted, torch.argmax)))
    return emitted[:length]


def _tensor(row):
    return torch.tensor([float(weight) for weight in row])


def _sampled(row):
    return torch.multinomial(row, 1)[0]


def _matched(rows, drafted, chosen):
    emitted = []
    for i, row in enumerate(rows):
        emitted.append(chosen(row))
        if i == len(drafted) or emitted[-1] != drafted[i]:
            break
    return emitted
