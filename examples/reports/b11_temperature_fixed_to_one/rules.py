"""B11 · ohdearquant/lattice #388 · reported from the code (a path that only tests use), closed

The verifier takes a softmax of raw logits: temperature 1 is built in, whatever the request says.
"""

from exactspec import Round, algorithm, minimum, residual
from exactspec.transforms import temperature

INVERSE = 2  # the request's temperature is 1/2


def _verified(chance, token, p, q):
    if chance.accept(minimum(1, p[token] / q[token])):
        return Round((token,), accepted=1)
    return Round((chance.draw(residual(p, q), "residual"),), accepted=0)


@algorithm
def temperature_one_in_the_verifier(chance, target, draft, context):
    """Draw at the request's temperature, and verify at temperature 1."""
    token = chance.draw(temperature(draft(context), INVERSE), "draft")
    return _verified(chance, token, target(context), draft(context))


@algorithm
def temperature_of_the_request(chance, target, draft, context):
    """Repaired: both laws are taken at the request's temperature."""
    p, q = temperature(target(context), INVERSE), temperature(draft(context), INVERSE)
    return _verified(chance, chance.draw(q, "draft"), p, q)
