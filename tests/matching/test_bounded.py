"""No page and no quotation, however made, is searched without end."""

import pytest
from work import work

from tracecite_lint.matching import directives
from tracecite_lint.matching import match as matching
from tracecite_lint.matching.directives import _MOST_STEPS as MOST_DIRECTIVE_STEPS
from tracecite_lint.matching.directives import _Directive, _Page, find_directive
from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import find
from tracecite_lint.matching.nearest import nearest
from tracecite_lint.model import TextDirective

SIZE = 200_000
PAGES = {
    "one letter": "a" * SIZE,
    "letters": "a " * (SIZE // 2),
    "hyphens": "a-" * (SIZE // 2),
    "apostrophes": "a'" * (SIZE // 2),
    "numbers": "1," * (SIZE // 2),
    "markers": "a[1] " * (SIZE // 5),
    "brackets": "[a" * (SIZE // 2),
}
QUOTES = {
    "letter": "a",
    "omissions": "a a a a a a a … " + "a … " * 500 + "zzz",
    "many omissions": "a … " * 50_000 + "a",
    "brackets": "a [b] " * 100,
    "open brackets": "[a" * 20_000,
    "capitals": "[A]b " * 100,
    "long": "a " * 50_000,
    "long apostrophes": "'a" * 10_000,
    "markers": "a[1] " * 100,
    "quotation marks": "'" * 50_000,
    "dots": ". " * 50_000,
}


@pytest.fixture
def steps(monkeypatch):
    """What the searches of a test have spent at most."""
    spent = []
    best = matching._Search.best

    def counted(search, *arguments):
        try:
            return best(search, *arguments)
        finally:
            spent.append(search.steps)

    monkeypatch.setattr(matching._Search, "best", counted)
    monkeypatch.setattr(matching, "_MOST_STEPS", 100_000)
    return spent


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("quote", QUOTES)
def test_a_search_spends_no_more_than_it_may(page, quote, steps):
    find(fold(PAGES[page]), [QUOTES[quote]])
    assert max(steps, default=0) < 100_000 + 1_000


@pytest.mark.parametrize("page", PAGES)
def test_a_directive_spends_no_more_than_it_may(page):
    looked_at = _Page(fold(PAGES[page]).whole)
    directive = TextDirective("a", end="zzz", prefix="b", suffix="c")
    assert _Directive(looked_at, directive).first() is None
    assert looked_at.steps <= MOST_DIRECTIVE_STEPS


def test_all_directives_of_a_url_spend_no_more_than_one_may(monkeypatch):
    monkeypatch.setattr(directives, "_MOST_STEPS", 1_000)
    source = fold("a " * 500 + "b a")
    last = TextDirective("a", prefix="b")
    assert find_directive(source, [last]) is not None
    assert find_directive(source, [last] * 100) is None
    assert find_directive(source, [TextDirective("a")] * 100) is not None


def test_a_long_term_of_a_directive_takes_more_than_one_step_at_each_place():
    search = _Directive(_Page(fold("a" * 20_000).whole), TextDirective("a" * 10_000))
    assert work(search.first) < 100_000


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("quote", QUOTES)
def test_there_is_an_end_to_looking_for_the_closest_passage(page, quote, steps):
    result = nearest(fold(PAGES[page]), [QUOTES[quote]])
    assert result is None or result.similarity <= 1


def test_a_search_tries_every_place():
    # The first piece stands in many places, and only the last of them leads on.
    source = "the dog ran. " * 1000 + "the dog ran home today"
    assert find(fold(source), ["the dog [then] ran home today"])
    source = "one two three four " * 500 + "one two three five. " + "one two three four " * 500
    assert find(fold(source), ["one two three … five."])
    assert not find(fold(source), ["five … one two three five"])
