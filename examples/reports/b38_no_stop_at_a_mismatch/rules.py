"""B38 · antonellof/ferrox PR #307 · a deliberate mutation in a test suite

Sampler match without a stop at the first mismatch: later rows were computed for tokens that were
not emitted.
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def no_stop_at_a_mismatch(chance, target, draft, context, *, draft_length):
    """Emit the target's sample of every row, whatever was emitted before it."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    rows = [target(context + drafted[:i]) for i in range(draft_length + 1)]
    return Round(tuple(chance.draw(row, "target") for row in rows))
