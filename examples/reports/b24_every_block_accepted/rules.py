"""B24 · huggingface/transformers PR #28508, the second of three faults · confirmed, fixed

A slip of operator precedence made the count of accepted tokens always equal to the block's length:
every drafted token is emitted.
"""

from exactspec import Round, algorithm, draft_tokens


@algorithm
def every_block_accepted(chance, target, draft, context, *, draft_length):
    """Emit the drafted block, whatever the coins say, and a bonus token."""
    drafted = draft_tokens(chance, draft, context, draft_length)
    bonus = chance.draw(target(context + drafted), "bonus")
    return Round((*drafted, bonus), accepted=len(drafted))
