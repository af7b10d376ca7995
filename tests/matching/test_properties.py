"""Whatever a true quotation is: typography and the conventions of quoting keep it true, one changed word or digit does not."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from tracecite_lint.matching import quote_appears_in_text

# Each atom of a text has several ways to be written that fold alike.
SPACES = (" ", "\n", "  ", "\u00a0", " \n\n ", "\u2009")
DASHES = ("—", "-", "–", " — ", " - ", "\u2014\u2014", " -- ")
OPENING = (" “", ' "', " «", " „", " ‘")
CLOSING = ("” ", '" ', "» ", "“ ", "’ ")
MARKS = ("… ", "... ", ". . . ", " … ")
PUNCTUATION = (", ", "; ", ": ", "? ", "! ", ". ", " (", ") ")
CJK_WORDS = ("测试", "文字", "句子", "引用", "来源")


@dataclass(frozen=True)
class Atom:
    """A word, or what stands between two words, and the ways to write it."""

    forms: tuple[str, ...]
    is_word: bool = False


def word(text):
    forms = [text, text[:1] + "\u00ad" + text[1:], text[:1] + "\u200b" + text[1:]]
    forms.append(text.replace("é", "e\u0301"))
    forms.append(text.replace("fi", "ﬁ").replace("ff", "ﬀ"))
    return Atom(tuple(dict.fromkeys(forms)), is_word=True)


def apostrophed(text):
    return Atom((f"{text}’t", f"{text}'t", f"{text}`t"), is_word=True)


WORDS = st.text("abcdefilmnorstuéöñ", min_size=2, max_size=8)
NUMBERS = st.integers(0, 99_999).map(str) | st.from_regex(
    r"[1-9][0-9]?[.,:][1-9]{1,3}", fullmatch=True
)
BETWEEN = st.one_of(
    st.just(Atom(SPACES)),
    st.just(Atom(SPACES)),
    st.sampled_from([Atom(forms) for forms in (DASHES, OPENING, CLOSING, MARKS)]),
    st.sampled_from([Atom((form, form.replace(" ", "\n"))) for form in PUNCTUATION]),
)


@st.composite
def texts(draw, *, marks=True):
    """Draw the atoms of a text, words and what is between them, no two words alike, and a run of them as its quotation.

    Without *marks* there are no omission marks among them, beside which a quotation may leave words out.
    """
    words = draw(
        st.lists(WORDS | NUMBERS | st.sampled_from(CJK_WORDS), min_size=5, max_size=25, unique=True)
    )
    atoms = []
    for text in words:
        plain = text[0].isalpha() and text.isascii()
        atoms.append(apostrophed(text) if plain and draw(st.integers(0, 9)) == 0 else word(text))
        atoms.append(draw(BETWEEN if marks else BETWEEN.filter(lambda atom: atom.forms != MARKS)))
    first = draw(st.integers(0, len(words) - 3))
    last = draw(st.integers(first + 3, len(words)))
    # Beside the quotation stands a line break: a hyphen or a space may be the inside of a word or number.
    atoms[2 * last - 1] = Atom(("\n", " \n "))
    if first:
        atoms[2 * first - 1] = Atom(("\n", " \n "))
    return atoms, atoms[2 * first : 2 * last - 1]


@st.composite
def written(draw, atoms):
    return "".join(draw(st.sampled_from(atom.forms)) for atom in atoms)


@settings(max_examples=200)
@given(st.data())
def test_folds_keep_a_quotation_true(data):
    atoms, quoted = data.draw(texts())
    source, quote = data.draw(written(atoms)), data.draw(written(quoted))
    assert quote_appears_in_text(source, quote)


@settings(max_examples=200)
@given(st.data())
def test_a_changed_word_or_digit_is_a_mismatch(data):
    atoms, quoted = data.draw(texts())
    source = data.draw(written(atoms))
    index = data.draw(st.sampled_from([i for i, atom in enumerate(quoted) if atom.is_word]))
    original = quoted[index].forms[0]
    if original[0].isdigit():
        place = data.draw(st.sampled_from([i for i, c in enumerate(original) if c.isdigit()]))
        digit = data.draw(st.sampled_from([c for c in "123456789" if c != original[place]]))
        changed = original[:place] + digit + original[place + 1 :]
    else:
        known = {atom.forms[0] for atom in atoms}
        changed = data.draw(WORDS.filter(lambda text: text not in known))
    quote = data.draw(written([*quoted[:index], word(changed), *quoted[index + 1 :]]))
    assert not quote_appears_in_text(source, quote)


@settings(max_examples=150)
@given(st.data())
def test_a_lost_or_an_added_word_is_a_mismatch(data):
    atoms, quoted = data.draw(texts(marks=False))
    source = data.draw(written(atoms))
    index = 2 * data.draw(st.integers(1, len(quoted) // 2 - 1))
    if data.draw(st.booleans()):
        mutilated = [*quoted[: index - 1], *quoted[index + 1 :]]
    else:
        known = {atom.forms[0] for atom in atoms}
        added = word(data.draw(WORDS.filter(lambda text: text not in known)))
        mutilated = [*quoted[:index], added, Atom((" ",)), *quoted[index:]]
    assert not quote_appears_in_text(source, data.draw(written(mutilated)))


@settings(max_examples=150)
@given(st.data())
def test_a_quotation_cut_within_a_word_is_a_mismatch(data):
    words = data.draw(st.lists(WORDS, min_size=6, max_size=12, unique=True))
    source = " ".join(words)
    last = words[4]
    cut = data.draw(st.integers(1, len(last) - 1))
    assert not quote_appears_in_text(source, " ".join([*words[1:4], last[:cut]]))
    assert not quote_appears_in_text(source, " ".join([last[cut:], words[5]]))


@settings(max_examples=100)
@given(st.data())
def test_conventions_keep_a_quotation_true(data):
    words = data.draw(st.lists(WORDS, min_size=12, max_size=24, unique=True))
    source = " ".join(words)
    at = data.draw(st.integers(5, len(words) - 6))
    head, tail = words[:at], words[at + 1 :]
    for mark in ("[…]", "…", "(...)", ". . ."):
        assert quote_appears_in_text(source, " ".join([*head, mark, *tail]))
        assert not quote_appears_in_text(source, " ".join([*tail, mark, *head]))
    assert quote_appears_in_text(source, " ".join([*head, words[at], "[sic]", *tail]))
    capital = f"[{head[1][0].upper()}]{head[1][1:]}"
    assert quote_appears_in_text(source, " ".join([capital, *head[2:]]))
    assert quote_appears_in_text(source, " ".join(head) + ".")
    marked = " ".join([*words[:3], words[3] + "[12]", *words[4:]])
    assert quote_appears_in_text(marked, source)
