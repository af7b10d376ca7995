"""Marks that browsers draw around <q>, and formulas that a page holds twice: checked by the command as people run it."""

from __future__ import annotations

import pytest

SAID = "<p>He said <q>go away</q> at once and left the house.</p>"
NESTED = "<p>She wrote <q>he said <q>go</q> at once</q> in her book.</p>"
MATHML = "<math><semantics><mrow>{}</mrow><annotation>x</annotation></semantics></math>"
X = MATHML.format("<mi>x</mi>")
EQUATION = MATHML.format("<mi>x</mi><mo>=</mo><mn>2</mn>")
HALF = MATHML.format("<mfrac><mn>1</mn><mn>2</mn></mfrac>")


def formula(written):
    return f"<p>so that {written} holds in every port.</p>"


def katex(mathml, drawn):
    return formula(
        f'<span class="katex"><span class="katex-mathml">{mathml}</span>\n'
        f'<span class="katex-html" aria-hidden="true"><span class="mord">{drawn}</span></span></span>'
    )


MATHJAX_2 = formula(
    '<span class="MathJax_Preview" style="display: none;"></span><span class="MathJax"><nobr aria-hidden="true">'
    f'<span class="math"><span class="mi">𝑥</span></span></nobr><span class="MJX_Assistive_MathML">{X}</span></span>'
    '<script type="math/tex">x</script>'
)
MATHJAX_2_CHTML = formula(
    '<span class="mjx-chtml MathJax_CHTML"><span class="mjx-math" aria-hidden="true"><span>x</span></span>'
    f'<span class="MJX_Assistive_MathML" role="presentation">{X}</span></span>'
)
MATHJAX_3 = formula(
    '<mjx-container jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math>'
    f"<mjx-assistive-mml unselectable=on>{X}</mjx-assistive-mml></mjx-container>"
)
MATHJAX_3_SVG = formula(
    f'<mjx-container jax="SVG"><svg aria-hidden="true"><path d=M0/></svg> <mjx-assistive-mml>{X}</mjx-assistive-mml></mjx-container>'
)
ONLY_DRAWN = formula(
    '<span class="katex"><span class="katex-html" aria-hidden="true">x=2</span></span>'
)

FOUND = [
    *(
        (SAID, quotation)
        for quotation in (
            "“He said ‘go away’ at once and left”",
            "“He said “go away” at once and left”",
            "‘He said “go away” at once and left’",
            "«He said ‹go away› at once and left»",
            "„He said ‚go away‘ at once and left“",
            "「He said 『go away』 at once and left」",
            "“He said go away at once and left”",
            "“go away at once and left”",
        )
    ),
    *(
        (f"<p lang={language}>Il dit <q>va-t'en</q> aussitôt et quitta la maison.", quotation)
        for language in ("fr", "de", "ja", "en", "sv")
        for quotation in (
            "“Il dit « va-t'en » aussitôt et quitta”",
            "“Il dit va-t'en aussitôt et quitta”",
        )
    ),
    (NESTED, "“She wrote ‘he said “go” at once’ in her book”"),
    (NESTED, "“She wrote he said go at once in her book”"),
    (formula(f"<q>{EQUATION}</q>"), "“so that ‘x=2’ holds in every port”"),
    *(
        (page, "“so that x holds in every port”")
        for page in (
            katex(X, "x"),
            MATHJAX_2,
            MATHJAX_2_CHTML,
            MATHJAX_3,
            MATHJAX_3_SVG,
            formula(X),
        )
    ),
    *(
        (page, quotation)
        for page in (katex(EQUATION, "x=2"), formula(EQUATION))
        for quotation in (
            "“so that x = 2 holds in every port”",
            "“so that x=2 holds in every port”",
        )
    ),
    (formula("𝑥=2"), "“so that x=2 holds in every port”"),
    (katex(X, "x"), "“so that 𝑥 holds in every port”"),
    (ONLY_DRAWN, "“so that x=2 holds in every port”"),
    (katex(HALF, "2​1"), "“so that 1 2 holds in every port”"),
]
MISSED = [
    (SAID, "“He said ‘go’ away at once and left”"),
    (SAID, "“He said go ‘away at once’ and left”"),
    ("<p>He said go away at once and left the house.</p>", "“He said ‘go away’ at once and left”"),
    ("<p>He said <q hidden>please</q> go away at once.</p>", "“He said ‘please’ go away at once”"),
    (katex(X, "x"), "“so that x x holds in every port”"),
    (katex(X, "x"), "“so that y holds in every port”"),
    (formula('<b aria-hidden="true">x</b> <i>y</i>'), "“so that y holds in every port”"),
]


@pytest.fixture
def codes(lint, write):
    """Return the code of one quotation of each page, None for a verified one."""

    def check(cases):
        for index, (page, quotation) in enumerate(cases):
            write(f"{index}.html", page)
            mark = "> " if quotation[1:-1].count(quotation[0]) else ""
            quoted = quotation[1:-1] if mark else quotation
            write(
                f"{index}.md",
                f"As [n]({index}.html) says:\n\n{mark}{quoted}\n"
                if mark
                else f"It says {quoted} ([n]({index}.html)).",
            )
        names = [f"{index}.md" for index in range(len(cases))]
        found = {
            item["file"]: item["code"] for item in lint(*names, "--format=json").json["citations"]
        }
        return [
            (*case, found.get(name, "not seen")) for case, name in zip(cases, names, strict=True)
        ]

    return check


def test_a_quotation_is_found_with_and_without_what_is_drawn(codes):
    assert codes(FOUND) == [(*case, None) for case in FOUND]


def test_a_mark_that_nobody_draws_is_none(codes):
    assert codes(MISSED) == [(*case, "QUOTE_NOT_IN_SOURCE") for case in MISSED]
