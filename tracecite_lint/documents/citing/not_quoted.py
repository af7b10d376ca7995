"""Why words in quotation marks are no quotation: titles, terms, labels, irony."""

from __future__ import annotations

from bisect import bisect_left

from tracecite_lint.documents import vocabulary
from tracecite_lint.documents.citing.candidate import (
    FEW_WORDS,
    LONG_TITLE,
    REACH,
    UNDEFINED,
    Candidate,
    refusal,
)
from tracecite_lint.documents.citing.lead_ins import announces_words, before
from tracecite_lint.documents.citing.links import is_work
from tracecite_lint.documents.markup.blocks import MAY_QUOTE, Block, BlockKind
from tracecite_lint.documents.markup.flow import once
from tracecite_lint.documents.markup.pairs import WORDS, is_sentence, is_title
from tracecite_lint.light.lazy import regex

SAID_WORDS = 4
"""A string of fewer words that is no sentence is a term where a verb of saying is all that makes it a quotation."""
BEFORE = 40
"""How many characters before a quotation are looked at for a word that says what it is."""
LABEL_WORDS = 12
"""A link whose text is longer is a sentence, not the name of a source."""
_AUTHORS = regex(r"[\s\d.)\[\]]*[^\W\d_][^\n“”\"]{1,100}\(\d{4}[a-z]?\)\.\s*")
_YEAR = regex(r"\s\(?\d{4}\)?[.,;)]")
_BOLD_LABEL = regex(r"[^\n:：]{1,40}[:：][\s*_]*\Z")


@refusal("called a title")
def named_title(c: Candidate) -> bool:
    """A word right before says so: article, book, titled, see ….

    ```markdown
    The article “Why caches grow old” ([page](https://example.org/page)) is long.
    ```
    """
    if c.words[0].islower() or c.is_sentence or c.weight > LONG_TITLE:
        return False
    return vocabulary.TITLED.search(c.flow.text, max(c.start - BEFORE, 0), c.start) is not None


@refusal("the title of a work in a list")
def work_title(c: Candidate) -> bool:
    """The first words in marks of an entry in a list of works, with or without a heading.

    ```markdown
    ## References

    1. Smith, “Of caches that nobody reads,” <https://example.org/essay>
    ```
    """
    if _is_before_journal(c) or _is_in_sources(c):
        return True
    entries = c.reading.references
    if entries.is_listed(c.block) and c.is_long_title:
        return True
    line = c.flow.text.rfind("\n", 0, c.start) + 1
    if not entries.lists.is_entry(c.flow):
        listed = (entries.is_listed(c.block) or _is_cited_form(c, line)) and _is_before_link(c)
        return listed or _is_note_title(c) or is_in_list_of_works(c)
    if c.flow.text[line:].lstrip(" -*").startswith("{"):
        return True  # `{id: 3, title: "…", url: "…"}`
    first = c.flow.pair_behind(line)
    if first != c.pair or next(c.flow.links_within(line, c.start), None) is not None:
        return False
    return not c.is_sentence or c.is_long_title or _is_before_link(c)


def _is_in_sources(c: Candidate) -> bool:
    """`[Sources: Smith, “A day without a cache”, u]`"""
    text, line = c.flow.text, c.flow.text.rfind("\n", 0, c.start) + 1
    opening = max(text.rfind(mark, line, c.start) for mark in "[(（［【")
    label = vocabulary.SOURCE_LINE_LABEL.match(text, max(opening, line))
    return opening >= line and label is not None and label.end() <= c.start


def _is_cited_form(c: Candidate, line: int) -> bool:
    """`Yuan, L., et al. (2024). “…”`: behind names and a year in parentheses."""
    return _AUTHORS.fullmatch(c.flow.text, line, c.start) is not None


def _is_before_journal(c: Candidate) -> bool:
    """`“Of caches,” *Journal of Slow Things* 2`, `“Of caches,” 2020.`: a comma in the marks, then words in italics or a year."""
    if not c.words.endswith(",") or c.words[0].islower():
        return False
    index = bisect_left(c.flow.emphases, (c.end, 0))
    italic = index < len(c.flow.emphases) and c.flow.emphases[index][0] <= c.end + 2
    return italic or _YEAR.match(c.flow.text, c.end) is not None


def _is_before_link(c: Candidate) -> bool:
    """`Jane Smith. “Who reads the cache?” 2024. https://…`: behind a name, before the link that ends the entry."""
    text = c.flow.text
    end = text.find("\n", c.end)
    end = len(text) if end == -1 else end
    link = next(iter(c.flow.links_within(c.end, min(c.end + REACH, end))), None)
    line = text.rfind("\n", 0, c.start) + 1
    if link is None or c.flow.pair_behind(line) != c.pair:
        return False
    if not text[line : c.start].strip(" *_[]0123456789"):
        return False
    return (
        len(text[:end].rstrip(" .)")) - link.end <= 1 and text[c.end - 1 : c.end + 1].strip() != ""
    )


def _is_note_title(c: Candidate) -> bool:
    """`[^1]: Smith, “A day without a cache,” …`"""
    if c.block.parent is None or c.block.parent.kind is not BlockKind.FOOTNOTE:
        return False
    text = c.flow.text
    if text[max(c.start - 2, 0) : c.start].rstrip()[-1:] == ",":
        return vocabulary.SAYING.search(text, max(c.start - 2 * REACH, 0), c.start) is None
    first = c.pair == c.flow.pairs()[0] and not text[: min(c.start, BEFORE)].strip(" *_")
    return first and c.words.endswith((",", "，"))


@refusal("a label or a search term")
def label(c: Candidate) -> bool:
    """A word right before or behind says so: click, button, search for, the term ….

    ```markdown
    Click “Clear the whole cache” ([docs](https://example.org/docs)).
    ```
    """
    if c.weight > LABEL_WORDS or (c.is_sentence and c.weight >= FEW_WORDS):
        return False
    before = vocabulary.LABELLED.search(c.flow.text, max(c.start - BEFORE, 0), c.start)
    return before is not None or vocabulary.LABEL_BEHIND.match(c.flow.text, c.end) is not None


@refusal("a term that is explained elsewhere")
def cross_reference(c: Candidate) -> bool:
    """Fewer than five words before `(see …)`.

    ```markdown
    “lazy cache eviction” (see [page](https://example.org/page))
    ```
    """
    opening = c.flow.text[c.end : c.end + REACH].lstrip(" (（[［【.,;*_")
    return c.weight < FEW_WORDS and vocabulary.SEE.match(opening) is not None


@refusal("the text of a link", is_counted=False)
def link_text(c: Candidate) -> bool:
    """The words are, or are part of, what a link shows.

    ```markdown
    [“The cache is never read again”](https://example.org/essay) is well known.
    ```
    """
    return c.is_linked


@refusal("a single word", is_counted=False)
def word(c: Candidate) -> bool:
    """One word, or fewer than five Han, Kana or Hangul characters; in `check-report` it counts.

    ```markdown
    It is not “fast” ([page](https://example.org/page)).
    ```
    """
    return c.weight < WORDS and not c.reading.is_report


@refusal("a caption")
def captioned(c: Candidate) -> bool:
    """The text begins with the number of a figure or a table.

    ```markdown
    **Figure 2: “the cache is never read” ([page](https://example.org/page))**
    ```
    """
    return vocabulary.CAPTION.match(c.flow.text) is not None


@refusal("a note of the author", is_counted=False)
def own_note(c: Candidate) -> bool:
    """A blockquote opens with `Note:`, `Summary:` or an emblem, and nobody signs it or is said to say it.

    ```markdown
    In [Node](https://example.org/node):

    > **Note:** the cache is never read again.
    ```
    """
    if not c.is_block or c.callout is not None or not c.parts or c.parts[0].start:
        return False
    flow = c.parts[0].flow
    labelled = any(
        start == 0 and vocabulary.OWN_NOTE_LABEL.fullmatch(flow.text, start, end)
        for start, end in flow.strongs[:1]
    )
    opens = labelled or vocabulary.OWN_NOTE.match(flow.text) is not None
    return opens and not is_announced(c)


def is_announced(c: Candidate) -> bool:
    """Tell whether the block before says that somebody's words follow."""
    lead = before(c.block)
    return lead is not None and announces_words(lead)


@refusal("a term in the midst of a sentence")
def passing_term(c: Candidate) -> bool:
    """Fewer than three words with a footnote, and the sentence goes on.

    ```markdown
    It is a “falsy object”[^1] of old browsers.

    [^1]: <https://example.org/essay>
    ```
    """
    return c.is_short and c.sentence[1] - c.end > 3 and not c.reading.is_report


@refusal("fewer than five words")
def few(c: Candidate) -> bool:
    """Fewer than five words, and of a sentence fewer than four.

    ```markdown
    It is called “never read again”. Others disagree. [1]

    ## References

    1. <https://example.org/essay>
    ```
    """
    return c.weight < SAID_WORDS or c.is_term


@refusal("fewer than three words", is_counted=False)
def short(c: Candidate) -> bool:
    """Three words, or eight Han, Kana or Hangul characters, are needed where the source is not right behind.

    ```markdown
    “Two words” in a text ([page](https://example.org/page)).
    ```
    """
    return c.is_short


@refusal("written like a title")
def title(c: Candidate) -> bool:
    """Three to twelve words with all but the small ones capitalised.

    ```markdown
    “The Art of Computer Programming” is a long book ([page](https://example.org/page)).
    ```
    """
    return c.is_title


@refusal("a term of fewer than five words")
def term(c: Candidate) -> bool:
    """Fewer than five words that are no sentence.

    ```markdown
    - [The guide](https://example.org/guide) - What “fast enough here” means.
    ```
    """
    return c.is_term


@refusal("a term of fewer than four words")
def said_term(c: Candidate) -> bool:
    """Fewer than four words that are no sentence.

    ```markdown
    As [the page](https://example.org/page) says, it is “never read again”.
    ```
    """
    return c.weight < SAID_WORDS and not c.is_sentence


@refusal("a title behind which the work is linked")
def linked_title(c: Candidate) -> bool:
    """Words like a title, then a link that only names the work or its form.

    ```markdown
    Smith, “Growing Old in Caches” ([PDF](https://example.org/essay.pdf))
    ```
    """
    link = c.next_link
    return (
        link is not None
        and c.is_long_title
        and vocabulary.is_work(c.flow.text[link.start : link.end])
    )


@refusal(UNDEFINED, is_counted=False)
def undefined(c: Candidate) -> bool:
    """A reference that nothing defines stands right behind; reported as UNDEFINED_REFERENCE.

    ```markdown
    “The cache is never read again” [^nowhere]
    ```
    """
    return c.undefined is not None


@refusal("a heading in bold")
def bold_heading(c: Candidate) -> bool:
    """The text begins with words in bold, and what is quoted stands in them.

    ```markdown
    **Critique: “nobody reads this cache at all.”** Some think so. It is wrong. [1]

    ## References

    1. <https://example.org/essay>
    ```
    """
    return any(start == 0 and c.end <= end for start, end in c.flow.strongs[:1])


@refusal("behind a label of the author")
def authors_label(c: Candidate) -> bool:
    """A label such as `Hype:` right before, and not one that says that words are quoted.

    ```markdown
    ### [A day without a cache](https://example.org/essay)

    - **Hype:** “Caches solve all of our problems!”
    ```
    """
    text, is_quote = c.flow.text, vocabulary.QUOTE_LINE
    if any(
        not start
        and text[end - 1 : end + 1].rstrip()[-1:] in (":", "：")
        and is_quote.fullmatch(text[: end + 1]) is None
        for start, end in c.flow.strongs[:1]
    ):
        return True
    line = max(text.rfind("\n", max(c.start - REACH, 0), c.start) + 1, c.start - REACH, 0)
    before = text[line : c.start]
    return _BOLD_LABEL.search(before) is not None and is_quote.search(before) is None


def is_in_list_of_works(c: Candidate) -> bool:
    """Tell whether the words are the title of an entry in a list of works that no heading calls one.

    Most items of the list then begin their first words in marks with a capital, end them without a full stop, and many of
    these are written like titles.
    """
    if c.item is None or c.item.parent is None:
        return False
    if c.pair != c.flow.pairs()[0] or not _is_maybe_title(c.words):
        return False
    return looks_like_works(c.item.parent)


@once
def looks_like_works(items: Block) -> bool:
    """Tell whether a list looks like one of works."""
    firsts = [
        flow.words(*flow.pairs()[0].inner)
        for item in items.children
        if item.children
        and item.children[0].holds(MAY_QUOTE)
        and (flow := item.children[0].flow).pairs()
        and any(is_work(link) for link in flow.links)
    ]
    titles = [words for words in firsts if _is_maybe_title(words)]
    written = [words for words in titles if is_title(words.rstrip(".,"), LONG_TITLE)]
    return (
        len(titles) >= 2
        and 3 * len(titles) >= 2 * len(items.children)
        and 2 * len(written) >= len(titles)
    )


def _is_maybe_title(words: str) -> bool:
    return words[:1].isupper() and not is_sentence(words.rstrip(".,")) and not words.endswith(".")
