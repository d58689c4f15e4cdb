"""The catalogue: one file, one rule of the field; lossless ones, lossy ones and mistakes kept apart."""

import importlib
from collections.abc import Iterator, Mapping

from exactspec.rule import Algorithm

LOSSLESS = ("token_level", "block_verification", "sampler_match")
LOSSY: tuple[str, ...] = ()
MISTAKES: tuple[str, ...] = ()
_FOLDERS = {
    **dict.fromkeys(LOSSLESS, "exactspec.algorithms"),
    **dict.fromkeys(LOSSY, "exactspec.algorithms.lossy"),
    **dict.fromkeys(MISTAKES, "exactspec.algorithms.mistakes"),
}


class Catalogue(Mapping[str, Algorithm]):
    """All rules by name, each imported when it is first asked for."""

    def __getitem__(self, name: str) -> Algorithm:
        module = importlib.import_module(f"{_FOLDERS[name]}.{name}")
        rule = getattr(module, name)
        assert isinstance(rule, Algorithm)
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(_FOLDERS)

    def __len__(self) -> int:
        return len(_FOLDERS)


CATALOGUE = Catalogue()
