"""Omission marks and editorial brackets: how a quotation splits into pieces (docs/matching.md, rules 9 and 10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import islice, pairwise
from unicodedata import category

from tracecite_lint.light.lazy import NamedTuple, dataclass, regex, replace
from tracecite_lint.matching.fold import DASH
from tracecite_lint.matching.words import is_unspaced, is_word_character

SHORT_FRAGMENT = 12
"""Characters; below it a fragment must stand near its neighbours."""
NEAR = 300
"""Characters that may lie between a short fragment and its neighbour."""
MOST_SWALLOWED = 60
"""Characters of the source for which editorial brackets may stand."""
QUESTIONS = frozenset("?!？！؟‽⁉⁈⁇‼⸮՞፧")
"""What ends a question or an exclamation, which is another sentence without it."""
MOST_PIECES = 1000
"""A quotation of more pieces is not searched for: no honest one has so many."""

OMITTED = "snip omissis 中略 前略 後略 后略 略 중략 전략 후략 생략"
"""What says in brackets that words were left out, as a mark does."""
_LEFT_OUT = "|".join([*OMITTED.split(), r"…|\.\."])
# Brackets of every kind around an omission, square ones around words: round ones are the author's own.
SEAM = regex(rf"[(\[{{<（［【〔〈](?:{_LEFT_OUT})[)\]}}>）］】〕〉]|…|\[([^\[\]\w]*\w[^\[\]]*)\]")
_TURKISH = {"I": "ı", "ı": "I", "İ": "i", "i": "İ"}
"""Capitals beside those that Unicode gives a letter."""
_REST_OF_WORD = regex(r"['-]?[^\W\d_]")
# American usage sets the comma and the full stop inside the marks, whether they are quoted or not.
_FINAL = regex(r"[.,。，．｡、،।۔](?='?$)")
_SENTENCE_END = regex(r"([^\s.]*)[.!?…][')\]]*(?=\s|$)|[。！？؟۔।]")
_ABBREVIATIONS = "mr mrs ms mx dr prof st jr sr vs etc cf ca nr inc ltd co corp fig vol pp bzw usw"

# Words whose loss turns a sentence round: negations and near-negations, as they stand in folded small letters. Whatever the
# language of a text, all of them count; a negation that is an everyday word of another language (Finnish en, et) is left out.
NEGATIONS: dict[str, str] = {
    "English": "not no never nor neither none nobody nothing nowhere without cannot cant wont doesnt didnt isnt "
    "arent wasnt werent shouldnt wouldnt couldnt hardly scarcely barely seldom rarely unless non",
    "German": "nicht nichts kein keine keinen keinem keiner keines keinerlei keineswegs keinesfalls nie niemals niemand niemanden niemandem nirgends "
    "nirgendwo weder ohne kaum",
    "French": "ne pas non jamais rien aucun aucune ni sans nul nulle guère",
    "Spanish": "no nunca jamás nada nadie ningún ninguna ninguno ni sin tampoco",
    "Italian": "non no mai nessun nessuno nessuna niente nulla né senza neanche nemmeno neppure",
    "Portuguese": "não nunca jamais nada ninguém nenhum nenhuma nem sem",
    "Dutch": "niet geen nooit niemand niets nergens zonder nauwelijks",
    "Danish, Norwegian, Swedish": "ikke ikkje ej inte aldrig aldri ingen inget inga intet uden uten utan hverken varken",
    "Polish, Czech, Slovak": "nie nigdy nikt nic żaden żadna żadne bez ani ne není nejsou nikdy nikdo žádný žádná žádné",
    "Russian, Ukrainian": "не нет ни никогда никто ничего без нельзя ні ніколи ніхто нічого немає",
    "Romanian": "nu nici niciodată nimeni nimic fără",
    "Croatian, Serbian, Slovene": "nije nisu nisam nema nikad nikada nitko niko ništa није нису нема никад нико ништа",
    "Bulgarian, Macedonian": "нито никога никой нищо",
    "Lithuanian, Latvian": "nėra niekada niekas nav nekad neviens",
    "Turkish": "değil değildir yok yoktur hiç asla",
    "Finnish, Hungarian": "ei emme ette eivät älä eikä ilman nem ne nincs nincsenek soha sem nélkül",
    "Icelandic": "ekki aldrei enginn engin ekkert",
    "Greek": "δεν δε μη μην όχι ποτέ χωρίς",
    "Arabic, Persian": "لا لم لن ليس ليست غير بدون ولا ولم ولن وليس فلا فلم نه نیست نیستند نبود ندارد هیچ",
    "Hebrew": "לא אין בלי ללא אינו אינה אינם ולא שלא ואין שאין",
    "Hindi, Urdu, Bengali": "नहीं न बिना نہیں না নেই নয়",
    "Indonesian, Vietnamese": "tidak bukan tanpa jangan belum không chưa chẳng đừng",
    "Korean": "안",
}
# The same in scripts in which a negation is part of a longer run of letters, and words in which those syllables negate nothing.
NEGATING_SYLLABLES: dict[str, str] = {
    "Chinese": "不 没 沒 無 无 未 非 勿 莫 否 别 別 毋 弗",
    "Japanese": "ない なかっ なく なけれ なし ません ぬ ざる ずに",
    "Korean": "않 없 아니 아닌 못 말라",
    "Thai, Lao, Khmer": "ไม่ มิได้ อย่า ไร้ ບໍ່ មិន",
}
HARMLESS_SYLLABLES = (
    "非常 非洲 未来 未來 特别 特別 区别 區別 差别 差別 分别 分別 个别 個別 级别 級別 性别 性別 识别 識別 类别 類別 "
    "告别 告別 鉴别 鑑別 判别 判別 別人 别人 别墅 別墅 別の 莫斯科 少なく 잘못 연못"
)
_NEGATIONS = frozenset(word for words in NEGATIONS.values() for word in words.split())
_SYLLABLES = regex("|".join(s for words in NEGATING_SYLLABLES.values() for s in words.split()))
_HARMLESS = regex("|".join(HARMLESS_SYLLABLES.split()))


class Joint(IntEnum):
    """How a piece of a quotation follows the piece before it; of two that meet, the greater holds."""

    START = 0
    LETTER = 1
    """`[T]he`: it goes on where the piece before ended."""
    DROPPED = 2
    """`[sic]`: only white space lies between."""
    BRACKET = 3
    """`[words]`: a few words of the source may lie between."""
    OMISSION = 4
    PASSAGE = 5
    """The next paragraph of the quotation: anywhere after."""


class Form(NamedTuple):
    """A text that a piece may have in the folded source."""

    text: str
    unpunctuated: bool = False
    """The closing `.` or `,` of the quotation is left off."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of the folded quotation, from `start` to `end`, to be found in the source in one of its `forms`."""

    start: int
    end: int
    forms: tuple[Form, ...]
    joint: Joint = Joint.START
    gap: str = ""
    """At a LETTER, what stands before it: nothing or a space."""
    near: bool = False
    """At an OMISSION, the piece before must stand within NEAR characters."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage as its pieces, with the names of the folds that this takes."""

    pieces: tuple[Piece, ...]
    folds: frozenset[str] = frozenset()


def weight(text: str) -> int:
    """Return the length of *text* in characters, a CJK character (or Thai and its like) counting as three."""
    return len(text) + 2 * sum(is_unspaced(c) or "\uac00" <= c <= "\ud7a3" for c in text)


def has_negation(text: str) -> bool:
    """Tell whether folded *text* holds a word of NEGATIONS or NEGATING_SYLLABLES."""
    small = text.lower()
    # Without spaces there are no words to compare, so a syllable counts wherever it stands.
    if _SYLLABLES.search(_HARMLESS.sub(" ", small)):
        return True
    words = "".join(c if c == "'" or is_word_character(c) else " " for c in small).split()
    return any(
        # don't, and French n'est: folded, every apostrophe is this one.
        word.endswith("n't") or "n'" in word or not _NEGATIONS.isdisjoint((word, *word.split("'")))
        for word in words
    )


def ends_sentence(text: str) -> bool:
    """Tell whether a sentence ends within folded *text*, abbreviations apart."""
    for match in _SENTENCE_END.finditer(text):
        word = match[1]
        if word is None or match[0][len(word)] != ".":
            return True
        # One letter before a full stop is an initial: J. S. Bach.
        if len(word) > 1 and word.lower() not in _ABBREVIATIONS.split():
            return True
    return False


def may_be_swallowed(text: str) -> bool:
    """Tell whether editorial brackets may stand for folded *text* of the source."""
    words = text.strip()
    return (
        len(words) <= MOST_SWALLOWED
        # A number that brackets stand for may be the whole point of the sentence.
        and not any(category(character)[0] == "N" or character in "[]" for character in words)
        and not ends_sentence(words)
        and not has_negation(words)
    )


class _Seam(NamedTuple):
    """A place where a passage may part: an omission mark or brackets, and where they stand."""

    joint: Joint
    start: int
    end: int


def asks(text: str, end: int) -> bool:
    """Tell whether what ends at *end* of folded *text* is a question or an exclamation; a Greek one ends in a semicolon."""
    mark, last = text[end : end + 1], text[end - 1 : end]
    return mark in QUESTIONS or (mark == ";" and ("Ͱ" <= last <= "Ͽ" or "ἀ" <= last <= "῾"))


def has_seam(text: str) -> bool:
    """Tell whether folded *text* has an omission mark or square brackets."""
    return SEAM.search(text) is not None


def fragments(text: str) -> list[tuple[int, int]]:
    """Return the ranges of folded *text* between its omission marks, those without letters and digits left out."""
    ranges, start = [], 0
    for match in [*SEAM.finditer(text), None]:
        if match is None or _joint(text, match) is Joint.OMISSION:
            end = len(text) if match is None else match.start()
            if any(map(str.isalnum, text[start:end])):
                ranges.append((start, end))
            start = end if match is None else match.end()
    return ranges


def without_brackets(text: str) -> str:
    """Return folded *text* with `[T]he` as `The` and without other editorial brackets and what they hold."""

    def kept(match: re.Match[str]) -> str:
        return text[match.start() + 1] if _joint(text, match) is Joint.LETTER else ""

    return re.sub(" +", " ", SEAM.sub(kept, text)).strip()


def as_one_piece(text: str) -> Reading:
    """Read a folded passage as it stands, brackets and marks included."""
    return Reading((_optionally_punctuated(Piece(0, len(text), (Form(text),))),))


def in_pieces(text: str, stands_in_source: Callable[[str], bool]) -> Reading | None:
    """Split a folded passage at its omission marks and editorial brackets.

    A mark or brackets that stand in the source themselves, by *stands_in_source* of them with the words on both sides,
    remain a part of their piece. Where nothing else stands between them there is no piece. Returns None when no fragment is
    long enough, when there are too many, or when the brackets put in a negation.
    """
    matches = list(islice(SEAM.finditer(text), MOST_PIECES + 1))
    if len(matches) > MOST_PIECES:
        return None
    seams = _seams(text, matches, stands_in_source)
    if any(
        seam.joint is Joint.BRACKET and has_negation(text[seam.start : seam.end]) for seam in seams
    ):
        return None
    pieces = list(_split(text, seams))
    if pieces:
        pieces[-1] = _optionally_punctuated(pieces[-1])
    names = {"omission" if seam.joint is Joint.OMISSION else "editorial-brackets" for seam in seams}
    measured = _measured(pieces)
    return None if measured is None else Reading(measured, frozenset(names))


def _seams(
    text: str, matches: Sequence[re.Match[str]], stands_in_source: Callable[[str], bool]
) -> list[_Seam]:
    seams = []
    for index, match in enumerate(matches):
        before = matches[index - 1].end() if index else 0
        after = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        words = _FINAL.sub("", text[before:after]).strip(" '")
        joint = _joint(text, match)
        begins_word = joint is Joint.BRACKET and _begins_word(text, match)
        if not begins_word and not (stands_in_source(match[0]) and stands_in_source(words)):
            seams.append(_Seam(joint, *match.span()))
    return seams


def _begins_word(text: str, match: re.Match[str]) -> bool:
    """Tell whether brackets hold the beginning of the word after them: `[un]happy`."""
    last, following = match[1][-1], text[match.end() : match.end() + 1]
    return (
        (last == DASH or (last.isalpha() and not is_unspaced(last)))
        and following.isalpha()
        and not is_unspaced(following)
    )


def _joint(text: str, match: re.Match[str]) -> Joint:
    inner = match[1]
    if inner is None or "…" in inner:
        return Joint.OMISSION
    if inner.lower().strip(" !.,") == "sic":
        return Joint.DROPPED
    if (
        len(inner) == 1
        and inner.lower() != inner.upper()
        and _REST_OF_WORD.match(text, match.end())
    ):
        return Joint.LETTER
    return Joint.BRACKET


def _split(text: str, seams: list[_Seam]) -> Iterator[Piece]:
    """Yield the pieces between *seams*; what holds no letter or digit is no piece, but for what a question ends with."""
    joint, gap, started = Joint.START, "", False
    for before, after in pairwise(
        [_Seam(Joint.START, 0, 0), *seams, _Seam(Joint.START, len(text), len(text))]
    ):
        # Of seams that meet the loosest holds: `[…] [T]he` may follow anywhere.
        joint = max(joint, before.joint) if started else Joint.START
        words = text[before.end : after.start]
        bare = words.rstrip(" ")
        end = before.end + len(bare)
        if before.joint is Joint.LETTER:
            letter = text[before.start + 1]
            cases = letter.lower(), letter.upper(), *_TURKISH.get(letter, "")
            # The source may hold the brackets itself, if it quotes too.
            firsts = dict.fromkeys((f"[{letter}]", *cases))
            forms = tuple(Form(first + bare) for first in firsts)
            yield Piece(before.start, end, forms, joint, gap)
        elif any(map(str.isalnum, bare)) or not seams or (started and QUESTIONS & set(bare)):
            start = before.end + len(words) - len(words.lstrip(" "))
            yield Piece(start, end, (Form(text[start:end]),), joint)
        else:
            continue
        joint, gap, started = Joint.START, words[len(bare) :], True


def _optionally_punctuated(piece: Piece) -> Piece:
    """Let the source lack one closing full stop or comma."""
    bare = [Form(_FINAL.sub("", form.text), unpunctuated=True) for form in piece.forms]
    forms = [form for form in bare if any(map(str.isalnum, form.text))]
    if not forms or bare[0].text == piece.forms[0].text:
        return piece
    return replace(piece, forms=(*piece.forms, *forms))


def _measured(pieces: list[Piece]) -> tuple[Piece, ...] | None:
    """Mark the omissions beside a short fragment; None if all fragments of an abridged passage are short."""
    weights = [0]
    for piece in pieces:
        if piece.joint is Joint.OMISSION:
            weights.append(0)
        weights[-1] += weight(piece.forms[0].text)
    if len(weights) == 1:
        return tuple(pieces)
    # Scattered scraps (“the … of … and”) can be found in any long text.
    if max(weights) < SHORT_FRAGMENT:
        return None
    measured, fragment = [], 0
    for piece in pieces:
        if piece.joint is Joint.OMISSION:
            fragment += 1
            near = min(weights[fragment - 1], weights[fragment]) < SHORT_FRAGMENT
            piece = replace(piece, near=near)
        measured.append(piece)
    return tuple(measured)
