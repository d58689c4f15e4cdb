"""B52 · huggingface/transformers #47912 · reproduced, closed

An end token accepted in the middle of a block does not stop the generation: the block is appended
whole, and only its last token is tested. (E is the end token.)
"""

from exactspec import Round, algorithm


def _looked_up(chance, draft, context, draft_length):
    """A block from a lookup, which does not stop at an end token."""
    block = ()
    for _ in range(draft_length):
        block = (*block, chance.draw(draft(context + block), "draft"))
    return block


def _round(chance, target, draft, context, draft_length, stops_inside):
    block = _looked_up(chance, draft, context, draft_length)
    for i, token in enumerate(block):
        sampled = chance.draw(target(context + block[:i]), "target")
        if sampled != token or (stops_inside and target.ends((sampled,))):
            return Round((*block[:i], sampled), accepted=i)
    if target.ends(block):
        return Round(block, accepted=len(block))
    return Round((*block, chance.draw(target(context + block), "bonus")), accepted=len(block))


@algorithm
def only_the_last_token_is_tested(chance, target, draft, context, *, draft_length):
    """Sampler match that looks for the end token at the end of the block only."""
    return _round(chance, target, draft, context, draft_length, False)


@algorithm
def every_token_is_tested(chance, target, draft, context, *, draft_length):
    """Repaired: the round stops at an end token anywhere in the block."""
    return _round(chance, target, draft, context, draft_length, True)
