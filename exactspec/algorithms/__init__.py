"""The catalogue: one file, one paper's rule; and rules of your own, loaded from a file on request."""

from exactspec.algorithms.block_verification import block_verification
from exactspec.algorithms.sampler_match import sampler_match
from exactspec.algorithms.token_level import token_level
from exactspec.rule import Algorithm

CATALOGUE: dict[str, Algorithm] = {
    rule.name: rule for rule in (token_level, block_verification, sampler_match)
}
