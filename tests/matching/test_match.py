"""What a search says beside yes and no: where, by which folds, what was swallowed and left out."""

import pytest

from tracecite_lint.matching.fold import fold
from tracecite_lint.matching.match import (
    find,
    may_hold,
    normalize_web_text,
    quote_appears_in_text,
    word_runs,
)
from tracecite_lint.model import MARKER_END, MARKER_START


def found(source, *passages, within=None):
    match = find(fold(source), passages, within=within)
    return match and [source[start:end] for start, end in match.ranges]


def raised(text):
    return f"{MARKER_START}{text}{MARKER_END}"


LONG = "The first part of the sentence is here, and " + "so on, " * 50 + "then it ends at last."


@pytest.mark.parametrize(
    ("source", "quote", "ranges"),
    [
        ("one two three", "two", ["two"]),
        ("a  “b\nc” d", "b c", ["b\nc"]),
        ("He\u00adllo world", "Hello", ["He\u00adllo"]),
        ("It was founded[12] there.", "was founded there", ["was founded[12] there"]),
        ("However, it is so.", "[I]t is so.", ["it is so."]),
        ("and the The dog", "and [t]he The", ["and the The"]),
        ("We saw the old dog run home.", "We saw [it] run", ["We saw", "run"]),
        (LONG, "the sentence is here […] ends at last.", ["the sentence is here", "ends at last."]),
        ("fine “exactly” fine", "exactly", ["exactly"]),
    ],
)
def test_ranges_are_in_the_source_as_written(source, quote, ranges):
    assert found(source, quote) == ranges


def test_an_exact_place_is_preferred():
    source = "it doesn’t matter, it doesn't matter"
    match = find(fold(source), ["doesn't matter"])
    assert match.folds == ()
    assert match.ranges == ((22, 36),)


def test_the_folds_come_in_the_order_of_the_contract():
    source = (
        "When the “o\u00adld” of\ufb01ce — the  first[1] one — had closed, it was sold, they say"
    )
    quote = "When the 'old' office - the first one - [had] closed, […] they say."
    assert find(fold(source), [quote]).folds == (
        "invisible",
        "ligatures",
        "omission",
        "reference-markers",
        "white-space",
        "quotation-marks",
        "dashes",
        "final-punctuation",
        "editorial-brackets",
    )


def test_swallowed_words_are_told():
    match = find(fold("when the old\ndog came and the cat left"), ["when [it] came and [she] left"])
    assert match.swallowed == ("the old dog", "the cat")


@pytest.mark.parametrize(("gap", "told"), [(10, 50), (3000, 15000)])
def test_characters_left_out_are_counted(gap, told):
    source = f"It begins like this here {'word ' * gap}and it ends like that."
    match = find(fold(source), ["It begins like this here […] and it ends like that."])
    assert match.left_out == told + 1


def test_of_several_places_the_tightest_counts():
    source = "a long beginning " + "x " * 2000 + "a long beginning and the very end"
    match = find(fold(source), ["a long beginning … the very end"])
    assert match.left_out == len(" and ")


def test_paragraphs_stand_in_order_without_overlap():
    source = "One paragraph here.\n\nTwo paragraphs here.\n\nThree paragraphs here."
    assert found(source, "One paragraph here.", "Three paragraphs here.")
    assert not found(source, "Three paragraphs here.", "One paragraph here.")
    assert not found(source, "Two paragraphs here.", "Two paragraphs here.")
    assert not found("one two three", "one two", "two three")
    assert found(source, "", "Two paragraphs", "")


def test_a_paragraph_of_nothing_but_a_mark_or_brackets_is_an_omission():
    source = "One paragraph here.\n\nTwo paragraphs here.\n\nThree paragraphs here."
    assert found(source, "One paragraph here.", "[…]", "Three paragraphs here.")
    assert found(source, "One paragraph here.", "* * *", "Three paragraphs here.")
    assert found(source, "One paragraph here.", "[Applause]", "Three paragraphs here.")
    assert not found(source, "Three paragraphs here.", "[…]", "One paragraph here.")
    assert not found(source, "[…]", "[Applause]")


def test_each_paragraph_may_lack_its_final_punctuation():
    assert found("One is here, and two is there, so", "One is here.", "two is there.")


def test_a_window_limits_the_search():
    source = "the same words, the same words, “the same words”"
    assert find(fold(source), ["the same words"], within=(5, len(source))).ranges == ((16, 30),)
    assert find(fold(source), ["the same words"], within=(17, 40)) is None
    assert find(fold(source), ["the same words"], within=(33, len(source))).ranges == ((33, 47),)


@pytest.mark.parametrize(
    "quote",
    ["", " ", "…", "[…]", "... (...)", "“”", ".", "[sic]", "[others]", "—", "“…”", "“”[12]"],
)
def test_nothing_to_look_for_is_no_match(quote):
    assert find(fold("Some text … with [words] and “quotes” — all there."), [quote]) is None


@pytest.mark.parametrize(
    ("source", "quote", "stands"),
    [
        ("It ends here, not there", "It ends here.", True),
        ("It ends here, not there", "It ends here,", True),
        ("It ends here; not there", "It ends here.", True),
        ("It ends here", "It ends here..", False),
        ("It ends here", "It ends here!", False),
        ("It ends here!", "It ends here.", False),
        ("It ends here？", "It ends here。", False),
        ("It ends here", "It ends here;", False),
        ("“It ends here” he said", "“It ends here,” he said", False),
        ("He said “it ends” there", "He said “it ends.”", True),
        ("It ends here? No", "It ends here.", False),
        ("5.5 is the number", "5.", False),
        ("ここで終わると言う", "ここで終わる、", True),
        ("ينتهي هنا ثم يبدأ", "ينتهي هنا،", True),
        ("Τελειώνει εδώ; Όχι", "Τελειώνει εδώ.", False),
        ("Τελειώνει εδώ· όχι", "Τελειώνει εδώ.", True),
    ],
)
def test_final_punctuation(source, quote, stands):
    assert quote_appears_in_text(source, quote) is stands


SENTENCES = "Alpha beta gamma delta. Epsilon zeta eta theta. Iota kappa lambda mu."


@pytest.mark.parametrize(
    ("source", "quote", "stands"),
    [
        (SENTENCES, "Alpha beta gamma … kappa lambda mu.", True),
        (SENTENCES, "Alpha beta gamma...kappa lambda mu.", True),
        (SENTENCES, "Alpha beta gamma . . . kappa lambda mu.", True),
        (SENTENCES, "Alpha beta gamma delta. (…) Iota kappa lambda mu.", True),
        (SENTENCES, "Alpha beta gamma delta. ( ... ) Iota kappa lambda mu.", True),
        (SENTENCES, "[…] beta gamma delta […]", True),
        (SENTENCES, "Alpha beta gamma […].", True),
        (SENTENCES, "Iota kappa lambda … Alpha beta gamma", False),
        (SENTENCES, "Alpha beta gamma … beta gamma delta", False),
        (SENTENCES, "Alpha … mu", False),
        (SENTENCES, "Alpha … kappa lambda mu", True),
        (SENTENCES, "Alpha beta ga … kappa lambda mu", False),
        (SENTENCES, "Alpha beta gamma … appa lambda mu", False),
        (SENTENCES, "Alpha beta gamma … … kappa lambda mu", True),
        (LONG, "The … then it ends at last", False),
        (LONG, "so … then it ends at last", True),
        (LONG, "The first part of … here … then it ends at last", False),
        (LONG, "The first part of … here, and", True),
        ("他在北京工作，后来搬到了上海生活。", "他在北京…搬到了上海", True),
        ("他在北京工作，后来搬到了上海生活。", "他在…上海", False),
        ("우리는 학교에 간다 그리고 집에 온다", "우리는 학교에 … 온다", True),
        ("우리는 학교에 간다 그리고 집에 온다", "학교에 … 온다", False),
        ("Well... no, he said. Then he went home again.", "Well… no, he said.", True),
        ("Well... no.", "Well… no", True),
        ("Hm… no, and we went home again today.", "Hm… no […] we went home again", True),
    ],
)
def test_omission(source, quote, stands):
    assert quote_appears_in_text(source, quote) is stands


@pytest.mark.parametrize(
    ("source", "quote", "stands"),
    [
        ("they was here", "they was [sic] here", True),
        ("they was. Here", "they was [sic]. Here", True),
        ("they was really here", "they was [sic] here", False),
        ("The dog. It ran home", "[I]t ran home", True),
        ("The dog, it ran home", "[I]t ran home", True),
        ("The dog, it ran home", "The dog, [I]t ran home", True),
        ("The dog, at ran home", "[I]t ran home", False),
        ("The bit ran home", "[I]t ran home", False),
        ("the McDonald farm", "the Mc[d]onald farm", True),
        ("the old dog ran home", "the [cat] ran home", True),
        ("the dog ran home", "the dog [of theirs] ran home", True),
        ("the old dog ran home", "[They] ran home", True),
        ("the old dog ran home", "the old dog [left]", True),
        ("the old dog. Then he ran home", "the old [cat] ran home", False),
        ("the old dog of J. Smith ran home", "the old [cat] ran home", True),
        ("the 2 old dogs ran home", "the [cats] ran home", False),
        ("the ½ old dogs ran home", "the [cats] ran home", False),
        (f"the {'very ' * 13}old dog ran home", "the [cat] ran home", False),
        (f"the {'very ' * 9}old dog ran home", "the [cat] ran home", True),
        ("it is not a dog", "it is [clearly] a dog", False),
        ("it can’t be a dog", "it [must] be a dog", False),
        ("it cannot be a dog", "it [must] be a dog", False),
        ("es ist kein Hund hier", "es ist [ein] Hund hier", False),
        ("il n’est un chien", "il [était] un chien", False),
        ("这不是一只狗", "这[就]是一只狗", False),
        ("これは犬ではない動物です", "これは犬[の]動物です", False),
        ("labore et dolore magna", "labore [they] dolore magna", True),
        ("这非常重要的事情", "这[很]重要的事情", True),
        ("Le souci d’apaisement des autres", "[D]'apaisement des autres", True),
        ("What I’m saying is", "[i]'m saying is", True),
        ("it is a dog", "it is [not] a dog", False),
        ("it is [not] a dog", "it is [not] a dog", True),
        ("a list: [ ] empty", "a list: [] empty", True),
        ("a list: empty", "a list: [ ] empty", False),
        ("In the year it fell", "In [2019] it fell", True),
        ("see [their] house now", "see [their] house now", True),
        ("the theory is good", "the [x] is good", True),
        ("the theory is good", "the [x]ory is good", False),
        ("Ancak ikinci gün geldi", "[İ]kinci gün geldi", True),
        ("Ancak ırmak yine taştı", "[I]rmak yine taştı", True),
        ("it is possible to go", "it is [im]possible to go", False),
        ("it is possible to go", "it is [non-]possible to go", False),
        ("the old dog ran - home", "the [cat] ran [so] - home", True),
        ("他批准了计划", "他[们]批准了计划", True),
        ("it’s a dog of ours", "[he]’s a dog of ours", True),
        ("She [Ann] has left us", "She [Ann] left us", False),
        ("She [Ann] has left us", "She [Eve] has left us", False),
        ("“dogs,” said Ann of Rome", "“dogs,” [he] Ann of Rome", True),
        ("यह नहीं चलता है", "यह [अब] चलता है", False),
        ("그는 가지 못했다 그때", "그는 가지 [곧] 그때", False),
        ("Acesta nu este un câine", "Acesta [chiar] este un câine", False),
        ("هو ولم يذهب إلى البيت", "هو [قد] يذهب إلى البيت", False),
        ("from m to n, where m is", "from m [and so on] where m is", True),
        ("qu’il n’est un chien", "qu’il [était] un chien", False),
        ("dice, dont il parle ici", "dice, [que] il parle ici", True),
        ("first para\n\nsecond para here", "first [and] para here", False),
    ],
)
def test_editorial_brackets(source, quote, stands):
    assert quote_appears_in_text(source, quote) is stands


@pytest.mark.parametrize(
    ("source", "quote", "stands"),
    [
        ("The city[12] is old.[a][b] It", "The city is old. It", True),
        ("The city[12, 13] is old", "The city is old", True),
        ("The city[14–15] is old", "The city is old", True),
        ("The city,[1][2] which is old", "The city, which is old", True),
        ("The city[note 3] is old", "The city is old", True),
        ("The city[citation needed] is old", "The city is old", True),
        ("城市[来源请求]很老", "城市很老", True),
        ("町[要出典]は古い", "町は古い", True),
        ("The city [12] is old", "The city is old", False),
        ("The city[1234] is old", "The city is old", False),
        ("The city is old", "The city[4] is old", True),
        ("The city[5] is old", "The city[4] is old", True),
        ("The city is old", "The city [4] is old", True),
        ("We can[not] go", "We can go", False),
        ("“The city”[a] is old", "“The city” is old", True),
        ("“The city” [a] is old", "“The city” is old", False),
        ("“The city”[12] is old", "“The city” is old", True),
        ("“The city”[12] is old", "“The city”[13] is old", True),
        (f"“The city”{raised('12')} is old", "“The city” is old", True),
        (f"“The city”{raised('12')} is old", '"The city"12 is old', True),
        (f"“The city”{raised('12')} is old", '"The city"13 is old', False),
        (f"城市{raised('12')} is old", "城市 is old", True),
        (f"The city{raised('12')} is old", "The city is old", True),
        (f"The city{raised('12')} is old", "The city12 is old", True),
        (f"The city{raised('12')} is old{raised('3')} too", "The city12 is old too", True),
        (f"The city{raised('12')} is old", "The city[12] is old", True),
        (f"The city{raised('12')} is old", "The city¹² is old", True),
        (f"The city{raised('12')} is old", "The city13 is old", False),
        (f"The city{raised('1')},{raised('2')} old", "The city old", True),
        (f"The city {raised('12')} is old", "The city is old", True),
        (f"The city {raised('[12]')}. It", "The city. It", True),
        (f"The city{raised('a')} is old", "The city is old", True),
        (f"The city{raised('(3)')} is old", "The city is old", True),
        (f"The city{raised('nb 1')}{raised('2')} is old", "The city is old", True),
        (f"in 2010{raised('3')} it", "in 2010 it", True),
        (f"about 10{raised('6')} people", "about 10 people", False),
        (f"about 10{raised('6')} people", "about 106 people", True),
        (f"about 10{raised('6')} people", "about 10⁶ people", True),
        ("about 106 people", "about 10⁶ people", False),
        (f"an area of 5 km{raised('2')} there", "an area of 5 km there", False),
        (f"an area of 5 km{raised('2')} there", "an area of 5 km² there", True),
        (f"where x{raised('2')} is", "where x is", False),
        ("the 4th of May", "the 4 of May", False),
        (f"The city{raised('[1]')}{raised(': 45–46')} is old", "The city is old", True),
        (f"The city{raised('[who says?]')} is old", "The city is old", True),
        ("The city" + raised("1\u200a") + " is old", "The city is old", True),
        ("The city" + raised("1\xa0") + "is old", "The city is old", True),
        (f"The city{raised(' ')}is old", "The city is old", True),
        (f"東{raised('とう')}京{raised('きょう')}へ行く", "東京へ行く", True),
        (f"東{raised('とう')}京{raised('きょう')}へ行く", "東とう京きょうへ行く", True),
        (f"東{raised('とう')}京{raised('きょう')}へ行く", "東都へ行く", False),
    ],
)
def test_reference_markers(source, quote, stands):
    assert quote_appears_in_text(source, quote) is stands


def test_normalize_web_text_leaves_quotation_marks_alone():
    assert normalize_web_text("  alpha\n\tbeta  ") == "alpha beta"
    assert normalize_web_text("PATH .") == "PATH."
    assert normalize_web_text("say “ yes ” ( now ) 中 文") == "say “ yes ” (now)中文"


def test_similarity_never_passes():
    source = "A sentence of many words, nearly all of which are the same as those of the other one."
    assert not quote_appears_in_text(source, source.replace("nearly", "almost"))


def test_what_a_page_draws_is_folded_once():
    source = fold("he said \ufdd2go\ufdd2 where x\ufdd3\n=\ufdd3\n2 holds")
    assert find(source, ("he said “no” where",)) is None
    ways = dict(source.ways)
    assert len(ways) == 3
    assert find(source, ("he said “go” where x=2 holds",)) is not None
    assert all(source.ways[way] is folded for way, folded in ways.items())
    assert not fold("he said go").ways


@pytest.mark.parametrize(
    ("source", "quote", "expected"),
    [
        ("The mill was closed.", "The mill was closed", True),
        ("The mill was closed.", "The mill was opened", False),
        ("The mill[12] was closed.", "The mill was closed", True),
        ("The mill was, they say, closed.", "The mill was […] closed", True),
        ("The mill was closed.", "[T]he mill was closed", True),
        ("The mill was closed.", "The mill [on the river] was closed", True),
        ("The mill was closed.", "The mill was closed in 1905", False),
        ("Die Mühle stand.", "Die Mühle stand.", True),
    ],
)
def test_what_may_be_held_is_told_by_the_longest_words_in_a_row(source, quote, expected):
    assert may_hold(fold(source), word_runs([quote])) is expected
