"""The settings of a model file, and with the tables a whole ``Scenario``."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from exactspec.chance import Token
from exactspec.errors import Diagnostic, InternalError
from exactspec.model.entries import Entries, read_parameter
from exactspec.model.names import code_points, hard_to_tell_apart, has_hidden_characters
from exactspec.model.nodes import Node, in_order
from exactspec.model.rows import RowReader, Rows, read_vocabulary
from exactspec.model.scenario import Family, Latency, OptionValue, Scenario
from exactspec.model.table import Model, OpenTable
from exactspec.model.transform import Looking, Step, StepReader, TransformedModel
from exactspec.model.values import Reader
from exactspec.numbers import NumberError, parse_number
from exactspec.parameter.range import Parameter
from exactspec.text import brief

VERSION = "1"
DEFAULT_RULE = "token_level"
REQUIRED = ("version", "vocabulary", "draft_length", "target")
KEYS = (
    *REQUIRED,
    *("title", "end", "prompt", "horizon", "max_tokens", "after_end"),
    *("algorithm", "options", "latency", "expect", "draft", "transform", "wanted"),
    "parameters",
)
LATENCIES = ("target", "draft")
VERDICTS = ("lossless", "lossy", "undecided")
TRANSFORMED = ("target", "draft")
WANTED = ("target", "rule")
AFTER_END = ("outcome", "cut")
LONGEST_DRAFT = 1_000
LONGEST_HORIZON = 100_000
T = TypeVar("T")


class SettingsReader:
    """Reads the map of settings that a model file is.

    Args:
        read: turns nodes into values, and keeps what is wrong.
        value: of the parameter that the tables hold; None where it is left open.
    """

    def __init__(self, read: Reader, value: Any = None) -> None:
        self._read, self._parameter_value = read, value
        self._fields: dict[str, Node] = {}

    def scenario(self, root: Node, digest: str) -> Scenario | None:
        """The scenario; None where something in it is wrong."""
        read = self._read
        if root.kind != "map":
            read.wrong_type(root, "a map of settings", "begin with: version: 1")
            return None
        self._fields = read.fields(root, KEYS, REQUIRED)
        self._value("version", self._version, None)
        no_tokens: dict[Token, Node] = {}
        vocabulary = self._value("vocabulary", lambda node: read_vocabulary(read, node), no_tokens)
        parameter = self._value("parameters", self._declared(vocabulary), None)
        entries = Entries(read, parameter, self._parameter_value)
        rows = RowReader(read, vocabulary, entries)
        can_be_read = vocabulary and (parameter is not None or "parameters" not in self._fields)
        tables = self._tables(rows, tuple(vocabulary), entries.looking) if can_be_read else {}
        settings = self._settings()
        if read.errors:
            return None
        if parameter is not None and self._parameter_value is None:
            tables |= self._open_tables(tables, parameter)
            settings["family"] = Family(parameter, lambda value: self._at(root, digest, value))
        return Scenario(
            vocabulary=tuple(vocabulary),
            file=read.source.name,
            digest=digest,
            places={name: read.source.of(node) for name, node in self._fields.items()},
            warnings=tuple(in_order(list(self._warnings(vocabulary)))),
            **tables,
            **settings,
        )

    def _value(self, key: str, reader: Callable[[Node], T], otherwise: T) -> T:
        return reader(self._fields[key]) if key in self._fields else otherwise

    def _declared(self, vocabulary: Iterable[Token]) -> Callable[[Node], Parameter | None]:
        """A reader of the parameter, which has no token's name."""

        def read(node: Node) -> Parameter | None:
            parameter = read_parameter(self._read, node)
            if parameter is not None and parameter.name in vocabulary:
                message = f"the parameter {parameter.name} has the name of a token"
                self._read.wrong(node, "parameter", message, "give it another name")
                return None
            return parameter

        return read

    def _at(self, root: Node, digest: str, value: Any) -> Scenario:
        """The scenario for one value of the parameter; the file is known to be right."""
        scenario = SettingsReader(Reader(self._read.source), value).scenario(root, digest)
        if scenario is None:
            raise InternalError("a table that is right for every value is wrong for one")
        return scenario

    def _open_tables(self, tables: dict[str, Any], parameter: Parameter) -> dict[str, Any]:
        return {
            name: OpenTable(name, parameter.name, table.location)
            for name, table in tables.items()
            if isinstance(table, Model)
        }

    def _tables(
        self, rows: RowReader, vocabulary: tuple[Token, ...], looking: Looking
    ) -> dict[str, Any]:
        """What is written in tokens."""
        end = self._value("end", rows.end, None)
        nothing: tuple[Token, ...] = ()
        prompt = self._value("prompt", rows.prompt(end), nothing)
        steps = self._transform(StepReader(self._read, rows, vocabulary, end, prompt))
        models = {name: self._model(name, rows, end) for name in ("target", "draft")}
        for name, list_of_steps in steps.items():
            models[name] = TransformedModel(models[name], list_of_steps, prompt, looking)
        target: Model | str = "target"
        wanted = self._value("wanted", lambda node: self._wanted(node, rows, end), target)
        return {"end": end, "prompt": prompt, "wanted": wanted, **models}

    def _model(self, name: str, rows: RowReader, end: Token | None) -> Model:
        no_rows: Rows = {}
        table = self._value(name, rows.table, no_rows)
        place = self._read.source.of(self._fields[name]) if name in self._fields else None
        return Model(table, name=name, end=end, location=place)

    def _wanted(self, node: Node, rows: RowReader, end: Token | None) -> Model | str:
        if node.kind == "map":
            return self._model("wanted", rows, end)
        return self._read.one_of(*WANTED)(node) or "target"

    def _transform(self, reader: StepReader) -> dict[str, list[Step]]:
        node = self._fields.get("transform")
        if node is None:
            return {}
        if node.kind != "map":
            hint = "for example: transform: {target: [top_k: 2]}"
            self._read.wrong_type(node, "a map of steps for target and draft", hint)
            return {}
        fields = self._read.fields(node, TRANSFORMED, ())
        return {name: reader.steps(value) for name, value in fields.items()}

    def _settings(self) -> dict[str, Any]:
        """What is not."""
        read, value = self._read, self._value
        no_options: dict[str, OptionValue] = {}
        return {
            "draft_length": value("draft_length", self._draft_length, 0),
            "horizon": value("horizon", read.count(1, LONGEST_HORIZON), None),
            "max_tokens": value("max_tokens", read.count(1, LONGEST_HORIZON), None),
            "cut_after_end": value("after_end", read.one_of(*AFTER_END), None) == "cut",
            "algorithm": value("algorithm", read.text, None) or DEFAULT_RULE,
            "options": value("options", self._options, no_options),
            "latency": value("latency", self._latency, None),
            "expect": value("expect", read.one_of(*VERDICTS), None),
            "title": value("title", read.text, None) or "",
        }

    def _version(self, node: Node) -> None:
        if node.kind != "text" or not node.text:
            self._read.wrong_type(node, f"the version {VERSION}")
        elif node.text != VERSION:
            message = f"found version {brief(node.text)}, expected {VERSION}"
            hint = "this exactspec reads version 1 of the model file"
            self._read.wrong(node, "version", message, hint)

    def _draft_length(self, node: Node) -> int:
        length = self._read.count(0, LONGEST_DRAFT)(node)
        if length and "draft" not in self._fields:
            message = "there is no draft table, and draft_length is not 0"
            self._read.wrong(node, "missing-key", message, "add: draft: {...}")
        return length

    def _latency(self, node: Node) -> Latency | None:
        if node.kind != "map":
            self._read.wrong_type(
                node, "a map of two latencies", "for example: latency: {target: 10, draft: 1}"
            )
            return None
        fields = self._read.fields(node, LATENCIES, LATENCIES)
        errors_before = self._read.errors
        values = {name: self._read.number(value) for name, value in fields.items()}
        if values.get("target") == 0 and self._read.errors == errors_before:
            hint = "it must be positive"
            self._read.wrong(fields["target"], "latency", "a target call costs 0", hint)
        return Latency(**values) if len(values) == 2 else None

    def _options(self, node: Node) -> dict[str, OptionValue]:
        if node.kind != "map":
            self._read.wrong_type(node, "a map of options", "for example: options: {name: value}")
            return {}
        return {key.text: self._option(value) for key, value in self._read.entries(node)}

    def _option(self, node: Node) -> OptionValue:
        """A number where it is written as one without quotes, else a text; or a list of them."""
        if node.kind == "list":
            return tuple(map(self._option, node.items))
        if node.kind == "map" or not node.text:
            self._read.wrong_type(node, "a number, a text or a list of them")
            return ""
        try:
            value = parse_number(node.text) if node.plain else None
        except NumberError:
            return node.text
        if value is None:
            return node.text
        return int(value) if node.text.isdigit() else value

    def _warnings(self, vocabulary: dict[Token, Node]) -> Iterator[Diagnostic]:
        place = self._read.source.of
        for one, other in hard_to_tell_apart(vocabulary):
            message = f"the tokens {brief(one)} and {brief(other)} look alike"
            hint = f"{code_points(one)} and {code_points(other)}; they are different tokens"
            where = place(vocabulary[other])
            yield Diagnostic("tokens-look-alike", message, hint, where, severity="warning")
        for name in filter(has_hidden_characters, vocabulary):
            message = f"the token {brief(name)} has characters that don't show"
            where = place(vocabulary[name])
            hint = code_points(name)
            yield Diagnostic("hidden-characters", message, hint, where, severity="warning")
