"""The JSON Schema of model files says what the loader does."""

import importlib.resources
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from exactspec.model import settings

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "exactspec/model/schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
REJECTED = ROOT / "tests/corpus/rejected"


class EditorLoader(yaml.SafeLoader):
    """YAML as an editor reads it: values get types, keys are texts."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        return {
            str(
                key.value if isinstance(key, yaml.ScalarNode) else self.construct_object(key, True)
            ): self.construct_object(value, True)
            for key, value in node.value
        }


EditorLoader.add_constructor(
    "tag:yaml.org,2002:map", lambda loader, node: loader.construct_mapping(node, deep=True)
)


def read(path: Path) -> Any:
    return yaml.load(path.read_text("utf-8"), Loader=EditorLoader)


ACCEPTED = [ROOT / "exactspec/model/example.yaml", *sorted((ROOT / "examples").rglob("*.yaml"))]


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_every_example_is_valid(path: Path) -> None:
    VALIDATOR.validate(read(path))


@pytest.mark.parametrize(
    "name",
    [
        *("key_unknown", "key_missing_version", "key_missing_vocabulary", "key_missing_target"),
        *("key_missing_draft", "keys_all_missing", "version_of_the_future", "version_is_a_list"),
        *("vocabulary_empty", "vocabulary_is_a_text", "vocabulary_with_a_token_twice"),
        *("vocabulary_with_an_empty_name", "vocabulary_with_a_list", "draft_length_negative"),
        *("draft_length_is_a_fraction", "draft_length_too_large", "horizon_zero", "end_is_a_list"),
        *("horizon_is_a_word", "horizon_too_large", "max_tokens_zero", "after_end_unknown"),
        *("expect_unknown", "title_is_a_list", "title_is_empty", "algorithm_is_a_map"),
        *("options_is_a_list", "options_with_a_map", "option_is_empty", "latency_is_a_number"),
        *("latency_without_draft", "latency_with_unknown_key", "latency_is_a_word"),
        *("prompt_is_a_map", "table_is_a_list", "table_is_a_text", "table_is_empty"),
        *("table_empty_map", "table_mixes_rows_and_numbers", "row_is_a_list", "row_empty"),
        *("number_negative", "number_signed", "number_spaced_fraction", "number_over_zero"),
        *("number_expression", "number_percent", "number_missing", "number_two_slashes"),
        *("is_a_list", "is_a_text", "parameters_in_a_list", "parameter_declared_without_a_range"),
        "expression_with_python_in_it",
    ],
)
def test_an_editor_marks_the_same_mistakes(name: str) -> None:
    assert not VALIDATOR.is_valid(read(REJECTED / f"{name}.yaml"))


def test_the_schema_has_the_keys_of_the_loader() -> None:
    assert set(SCHEMA["properties"]) == set(settings.KEYS)
    assert set(SCHEMA["required"]) == set(settings.REQUIRED)
    latency = SCHEMA["properties"]["latency"]
    assert set(latency["properties"]) == set(latency["required"]) == set(settings.LATENCIES)


def test_the_schema_has_the_words_and_limits_of_the_loader() -> None:
    properties = SCHEMA["properties"]
    assert properties["version"]["enum"] == [int(settings.VERSION), settings.VERSION]
    assert properties["expect"]["enum"] == list(settings.VERDICTS)
    assert properties["after_end"]["enum"] == list(settings.AFTER_END)
    assert properties["wanted"]["anyOf"][0]["enum"] == list(settings.WANTED)
    assert tuple(properties["transform"]["properties"]) == settings.TRANSFORMED
    assert properties["algorithm"]["default"] == settings.DEFAULT_RULE
    limits = {
        "draft_length": (0, settings.LONGEST_DRAFT),
        "horizon": (1, settings.LONGEST_HORIZON),
        "max_tokens": (1, settings.LONGEST_HORIZON),
    }
    for name, (least, most) in limits.items():
        whole = properties[name]["anyOf"][0]
        assert (whole["minimum"], whole["maximum"]) == (least, most)


def test_every_key_is_described() -> None:
    assert all(len(one.get("description", "")) > 20 for one in SCHEMA["properties"].values())


def test_the_command_prints_the_schema_that_is_installed(exactspec: Callable) -> None:
    ran = exactspec("schema")
    assert ran.code == 0
    assert json.loads(ran.out) == SCHEMA
    installed = importlib.resources.files("exactspec.model").joinpath("schema.json")
    assert ran.out == installed.read_text("utf-8")


def test_the_page_on_model_files_names_every_key() -> None:
    page = (ROOT / "docs/model-file.md").read_text("utf-8")
    table = page.partition("## Keys")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `([a-z_]+)` ", table, re.MULTILINE))
    assert named == set(settings.KEYS)
