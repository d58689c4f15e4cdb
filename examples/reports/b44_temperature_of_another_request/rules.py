"""B44 · NVIDIA/TensorRT-LLM PR #12588 · raised in review

Draft laws are built with slices of per-token parameter buffers, so that the second request of a
batch gets the first one's temperature.

The model is the second request, at temperature 1/2; the first one has temperature 1.
"""

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import temperature

OWN, OF_THE_FIRST_REQUEST = 2, 1  # 1 over the temperature


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def temperature_of_another_request(chance, target, draft, context):
    """Draw at the request's own temperature, and declare the law at another's."""
    token = chance.draw(temperature(draft(context), OWN), "draft")
    declared = temperature(draft(context), OF_THE_FIRST_REQUEST)
    return _verified(chance, token, target(context), declared)


@algorithm
def temperature_of_its_own(chance, target, draft, context):
    """Repaired: draw and declare at the request's own temperature."""
    q = temperature(draft(context), OWN)
    return _verified(chance, chance.draw(q, "draft"), target(context), q)
