"""B73 · huggingface/transformers PR #35029, vllm-project/vllm PR #38174 · lossless if done right

A draft with another vocabulary is restricted to the shared tokens. That is exact where the
restricted law is normalised and declared so, and biased where the slice is declared as it is.

X is a token of the draft's vocabulary that the target does not have.
"""

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import allowed

TARGETS_VOCABULARY = ("A", "B", "C")


@algorithm
def normalised_slice(chance, target, draft, context):
    """(a) Declare the restricted law, normalised: the one that was drawn from."""
    p, q = target(context), allowed(draft(context), TARGETS_VOCABULARY)
    token = chance.draw(q, "draft")
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def slice_as_it_is(chance, target, draft, context):
    """(b) Draw from the restricted law, and declare the slice, which does not sum to 1."""
    p, declared = target(context), draft(context)
    token = chance.draw(allowed(declared, TARGETS_VOCABULARY), "draft")
    if chance.accept(minimum(1, p[token] / declared[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, declared), "residual"),), accepted=0)
