"""The junit format: a test suite per document and a test case per citation, for the test tabs of CI systems."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from tracecite_lint.light.lazy import regex
from tracecite_lint.model import (
    CheckedCitation,
    CheckResult,
    Diagnostic,
    Severity,
    Span,
    Verdict,
    without_added_marks,
)
from tracecite_lint.output.findings import description, details_of, findings_by_citation, one_line
from tracecite_lint.output.summary import evidence_of, summary_lines
from tracecite_lint.output.terminal import printable

# The complement of Char in XML 1.0, 2.2.
_ILLEGAL = regex("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(result: CheckResult) -> str:
    """Return XML 1.0 in the form of the Ant task that CI systems agree on.

    A mismatch is a failure; a source that could not be read is an error; what fails nothing (a warning, an alternative,
    a suppressed citation) is skipped, with the reason.
    """
    findings = findings_by_citation(result)
    suites: dict[str, ET.Element] = {}
    for item in result.citations:
        about = findings.pop((item.file, item.citation.span, item.citation.source.uri), [])
        _citation_case(_suite(suites, item.file), item, about)
    for rest in findings.values():
        for diagnostic in rest:
            _finding_case(_suite(suites, diagnostic.file), diagnostic)
    root = ET.Element("testsuites", name="tracecite-lint")
    root.extend(suites.values())
    for element in (*suites.values(), root):
        _count(element)
    output = ET.SubElement(
        root[-1] if len(root) else ET.SubElement(root, "testsuite"), "system-out"
    )
    output.text = _legal("\n".join((*map(one_line, result.notes), *summary_lines(result))))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(suites: dict[str, ET.Element], file: str) -> ET.Element:
    if file not in suites:
        suites[file] = ET.Element("testsuite", name=_legal(printable(file) or "run"))
    return suites[file]


def _case(suite: ET.Element, file: str, span: Span, name: str) -> ET.Element:
    attributes = {
        "name": _legal(f"{span.line}:{span.column} {one_line(name)}"),
        "classname": _legal(printable(file)),
        "file": _legal(printable(file)),
        "line": str(max(span.line, 1)),
    }
    return ET.SubElement(suite, "testcase", attributes)


def _citation_case(suite: ET.Element, item: CheckedCitation, about: list[Diagnostic]) -> None:
    case = _case(suite, item.file, item.citation.span, item.citation.source.uri)
    if item.suppressed:
        by = "the baseline" if item.baselined else "a comment"
        _outcome(case, "skipped", f"{item.code or ''} is suppressed by {by}".strip(), [])
    elif item.alternative:
        _outcome(case, "skipped", "another source holds the quotation", [])
    elif item.verdict is None:
        _outcome(case, "skipped", "not looked up", [])
    elif item.verdict is not Verdict.VERIFIED and not about:
        _outcome(case, "skipped", f"{item.code}: not reported under these settings", [])
    remarks = [evidence_of(item)] if evidence_of(item) else []
    for diagnostic in about:
        if item.verdict is Verdict.VERIFIED and diagnostic.severity is not Severity.ERROR:
            remarks += [
                f"{diagnostic.code}: {one_line(diagnostic.message)}",
                *details_of(diagnostic),
            ]
        else:
            _add_finding(case, diagnostic, unverifiable=item.verdict is Verdict.UNVERIFIABLE)
    if remarks:
        ET.SubElement(case, "system-out").text = _legal("\n".join(remarks))


def _finding_case(suite: ET.Element, diagnostic: Diagnostic) -> None:
    case = _case(suite, diagnostic.file, diagnostic.span, diagnostic.code)
    _add_finding(case, diagnostic, unverifiable=False)


def _add_finding(case: ET.Element, diagnostic: Diagnostic, *, unverifiable: bool) -> None:
    if diagnostic.severity is not Severity.ERROR:
        kind = "skipped"
    else:
        kind = "error" if unverifiable else "failure"
    message = f"{diagnostic.code}: {description(diagnostic)}"
    _outcome(case, kind, message, details_of(diagnostic), code=diagnostic.code)


def _outcome(case: ET.Element, kind: str, message: str, lines: list[str], code: str = "") -> None:
    attributes = {"message": _legal(message)}
    if code and kind != "skipped":
        attributes["type"] = _legal(code)
    element = ET.SubElement(case, kind, attributes)
    if lines:
        element.text = _legal("\n".join(lines))


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))


def _legal(text: str) -> str:
    """Return *text* without the characters that XML 1.0 cannot hold."""
    return _ILLEGAL.sub("\ufffd", without_added_marks(text))
