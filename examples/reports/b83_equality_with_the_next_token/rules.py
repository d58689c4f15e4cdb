"""B83 · huggingface/text-generation-inference #1429 · not a bug

Is equality with the sampled next token a valid test for drafts of extra heads or n-grams? Yes, for
any draft.
"""

from exactspec import Round, algorithm

GUESS = "B"  # what the head or the n-gram proposes, always


@algorithm
def equality_with_the_next_token(chance, target, draft, context):
    """Emit the target's sample, and one more behind it where the guess was right."""
    emitted = (chance.draw(target(context), "target"),)
    if emitted != (GUESS,):
        return Round(emitted, accepted=0)
    return Round((GUESS, chance.draw(target(context + emitted), "bonus")), accepted=1)
