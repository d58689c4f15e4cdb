"""Results as JUnit XML: one test case a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from exactspec.text import show, visible


@dataclass(frozen=True)
class Case:
    """One judged file: ``kind`` is passed, failure, error or skipped."""

    file: str
    rule: str
    kind: str
    message: str
    details: str = ""


def junit_text(cases: Sequence[Case]) -> str:
    """A report with one suite; names and messages show every control character as an escape."""
    counts = {
        kind: sum(case.kind == one for case in cases)
        for kind, one in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))
    }
    suite = ElementTree.Element("testsuite", name="exactspec", tests=str(len(cases)))
    for kind, count in counts.items():
        suite.set(kind, str(count))
    for case in cases:
        element = ElementTree.SubElement(
            suite, "testcase", classname=show(case.rule or "exactspec"), name=show(case.file)
        )
        if case.kind != "passed":
            outcome = ElementTree.SubElement(element, case.kind, message=visible(case.message))
            outcome.text = "\n".join(map(visible, case.details.split("\n")))
    ElementTree.indent(suite)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, "unicode") + "\n"
    )
