"""Figures of a claim looked up in the text of its source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracecite_lint.matching.figures import Standing
from tracecite_lint.text.figures.claimed import Kind, figures_of
from tracecite_lint.text.figures.values import values


def missing(claim: str, text: str, asked=()) -> list[str]:
    return [figure.text for figure in Standing(text).missing(figures_of(claim), asked)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales rose by 14% in the spring.", [14]),
        ("Sales rose by fourteen per cent.", [14]),
        ("US$ 2.6bn were spent", [2.6e9]),
        ("1,7 Millionen Euro", [1.7e6]),
        ("2,345.67", [2345.67]),
        ("9 876 543", [9876543]),
        ("98.765.432", [98765432]),
        ("4 lakh voters", [4e5]),
        ("12,34,567 rupees", [1234567]),
        ("2億4000万円", [2.4e8]),
        ("约2.7亿元", [2.7e8]),
        ("三百五十万人", [3.5e6]),
        ("百分之三十五", [35]),
        ("四分之三", [0.75]),
        ("6割", [60]),
        ("1,8 млн жителей", [1.8e6]),
        ("двадцать семь процентов", [27]),
        ("15 to 25 percent", [15, 25]),
        ("$3–4 million", [3e6, 4e6]),
        ("three hundred and forty thousand", [340000]),
        ("zweihundertdreiundvierzigtausend", [243000]),
        ("quatre-vingt-dix-sept navires", [97]),
        ("two thirds", [2 / 3]),
        ("one in five", [0.2]),
        ("3½ years", [3.5]),
        ("2 1/4 miles", [2.25]),
        ("6.02 × 10^23", [6.02e23]),
        ("4e6 m", [4e6]),
        ("8,5 mil millones", [8.5e9]),
        ("٤٧ شخصا", [47]),
        ("４５６人", [456]),
        ("2017–18", [2017, 2018]),
        ("the 1970s", [1970]),
        ("half of them", [0.5]),
        ("the third one of them", []),
    ],
)
def test_every_spelling_has_its_values(text, expected):
    found = [item.value for item in values(text)]

    assert all(any(abs(value - one) <= 1e-9 * max(1, value) for one in found) for value in expected)
    assert expected or not found


def test_what_counts_as_a_figure():
    claim = (
        "3. In 2019 (p. 47) GPT-4 beat COVID-19 by 12.5 % at 14:30 on the 21st, version 2.11.3, § 1357, room 007, call 555-1234, "
        "for $40 and 2.3 million of 85 readers [14], see https://example.org/2044"
    )

    assert [(figure.text, figure.kind) for figure in figures_of(claim)] == [
        ("2019", Kind.YEAR),
        ("12.5 %", Kind.PERCENT),
        ("40", Kind.MONEY),
        ("2.3 million", Kind.SCALED),
        ("85", Kind.INTEGER),
    ]


@pytest.mark.parametrize(
    "claim",
    [
        "A survey (2601.03986) and arXiv:2202.03286v2.",
        "Qwen3-235B-A22B was used.",
        "See 10.1234/abc.5678.",
    ],
)
def test_identifiers_and_names_are_no_figures(claim):
    assert figures_of(claim) == []


def test_a_sentence_about_when_a_page_was_read_has_none():
    assert figures_of("Accessed on 12 March 2024, 14 pages.") == []


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("It has 12.4 % of all.", "It has 12.38 % of all.", []),
        ("It has 12.4 % of all.", "It has 12.48 % of all.", []),  # cut
        ("It has 12.4 % of all.", "It has 12 % of all.", ["12.4 %"]),  # less precise
        ("It has 12.4 % of all.", "It has 12.5 % of all.", ["12.4 %"]),
        ("It has 25 % of all.", "It has 25 of all.", ["25 %"]),
        ("It has 25 % of all.", "It has a quarter of all.", []),
        ("It has 20 % of all.", "One in five has it.", []),
        ("It has 25 % of all.", "Of the rest 20, 25 and 30 percent.", []),
        ("Over 300 boats came.", "There were 342 boats.", []),
        ("300 boats came.", "There were 342 boats.", ["300"]),
        ("It cost 1.234 million.", "In millions: 1,234", []),
        ("It is 18 inches (457 mm) long.", "It is 18 inches long.", []),
        ("It is 19 inches (457 mm) long.", "It is 18 inches long.", ["19", "457 mm"]),
        ("It has 84 cranes.", "It has 1,84 cranes and 184 of 840.", ["84"]),
        ("It has 12 900 berths.", "12,500 and 900 berths, 12 of 500", ["12 900"]),
        ("It has 12\u202f900 berths.", "12 500 berths and 900", ["12\u202f900"]),
        ("It has 84 cranes since 2011.", "It has 84 cranes.", []),
        ("It is there since 2011.", "It has 84 cranes.", ["2011"]),
        ("It opened on 3 May 2011.", "Opened: 2011-05-03", []),
        ("It opened on 3 May 2011.", "It opened on May 3rd, 2011.", []),
        ("It opened on 3 May 2011.", "It opened on May 4, 2011.", ["3 May 2011"]),
    ],
)
def test_what_stands(claim, text, expected):
    assert missing(claim, text) == expected


def test_years_and_dates_count_by_themselves_where_they_are_asked_for():
    claim, text = "It has 84 cranes since 2011 and opened on 3 May 2012.", "It has 84 cranes."

    assert missing(claim, text) == []
    assert missing(claim, text, (Kind.YEAR,)) == ["2011"]
    assert missing(claim, text, (Kind.YEAR, Kind.DATE)) == ["2011", "3 May 2012"]


IN_OTHER_LANGUAGES = {
    "de": [
        ("Der Umsatz stieg um 12,4 Prozent.", "ein Plus von 12,4 %", []),
        ("Der Umsatz stieg um 12,4 Prozent.", "ein Plus von 12,9 %", ["12,4 Prozent"]),
        ("Es kamen 1.250 Gäste.", "insgesamt 1250 Gäste", []),
        ("Es kamen 1.250 Gäste.", "insgesamt 1520 Gäste", ["1.250"]),
        ("Es kostete 3,5 Mio. Euro.", "Kosten: 3.500.000 €", []),
        ("Es kostete 3,5 Mrd. Euro.", "Kosten: 3,5 Millionen €", ["3,5 Mrd."]),
        ("Rund 300 Schiffe liegen dort.", "es sind 287 Schiffe", []),
        ("Rund 300 Schiffe liegen dort.", "es sind 187 Schiffe", ["300"]),
        ("Ein Anteil von 25 Prozent.", "ein Viertel der Fläche", []),
        ("Ein Anteil von 50 Prozent.", "die Hälfte der Fläche", []),
        ("Es waren 27 Boote.", "siebenundzwanzig Boote", []),
        ("Es waren 243 Boote.", "zweihundertdreiundvierzig Boote", []),
        ("Am 3. Mai 2011 wurde er eröffnet.", "Eröffnung: 03.05.2011", []),
        ("Am 3. Mai 2011 wurde er eröffnet.", "Eröffnung: 04.05.2011", ["3. Mai 2011"]),
        ("Siehe § 823 und Seite 45, im 19. Jahrhundert.", "nichts davon", []),
        ("Um 14:30 Uhr kamen 14 Leute.", "14 Leute", []),
        ("Die Strecke ist 1.200 km lang.", "sie misst 1200 Kilometer", []),
    ],
    "fr": [
        ("Le trafic a augmenté de 12,4 %.", "une hausse de 12,4 pour cent", []),
        ("Le trafic a augmenté de 12,4 %.", "une hausse de 14,2 pour cent", ["12,4 %"]),
        ("Il y a 1 250 places.", "1250 places au total", []),
        ("Il y a 1 250 places.", "1520 places au total", ["1 250"]),
        ("Cela coûte 3,5 millions d’euros.", "3 500 000 €", []),
        ("Cela coûte 2 milliards d’euros.", "2 000 millions d’euros", []),
        ("Près de 300 bateaux sont là.", "on compte 287 bateaux", []),
        ("Près de 300 bateaux sont là.", "on compte 187 bateaux", ["300"]),
        ("Soit 33 % des voix.", "un tiers des voix", []),
        ("Il y a 97 navires.", "quatre-vingt-dix-sept navires", []),
        ("Il y a 75 navires.", "soixante-quinze navires", []),
        ("Il y a 21 navires.", "vingt et un navires", []),
        ("Ouvert le 3 mai 2011.", "ouvert le 3 mai 2011", []),
        ("Ouvert le 3 mai 2011.", "ouvert le 4 mai 2011", ["3 mai 2011"]),
        ("Au XIXe siècle, chapitre 14, article 45.", "rien", []),
        ("De 10 à 20 % des cas.", "entre 10 et 20 pour cent", []),
        ("La 45e édition a réuni 84 auteurs.", "84 auteurs", []),
    ],
    "ru": [
        ("Рост составил 12,4 %.", "рост на 12,4 процента", []),
        ("Рост составил 12,4 %.", "рост на 14,2 процента", ["12,4 %"]),
        ("Там 1 250 мест.", "всего 1250 мест", []),
        ("Там 1 250 мест.", "всего 1520 мест", ["1 250"]),
        ("Это стоило 3,5 млн рублей.", "3 500 000 рублей", []),
        ("Это стоило 2 млрд рублей.", "два миллиарда рублей", []),
        ("Около 300 судов стоят там.", "там 287 судов", []),
        ("Около 300 судов стоят там.", "там 187 судов", ["300"]),
        ("Это 25 % площади.", "четверть площади", []),
        ("Это 50 % площади.", "половина площади", []),
        ("Было 27 лодок.", "двадцать семь лодок", []),
        ("Было 243 лодки.", "двести сорок три лодки", []),
        ("Открыт 3 мая 2011 года.", "открыт 03.05.2011", []),
        ("Открыт 3 мая 2011 года.", "открыт 04.05.2011", ["3 мая 2011"]),
        ("В статье 45 и главе 14 на стр. 33.", "ничего", []),
        ("Более 40 тыс. человек пришли.", "пришли 43 500 человек", []),
    ],
    "ja": [
        ("売上は12.4％増えた。", "12.4パーセントの増加", []),
        ("売上は12.4％増えた。", "14.2パーセントの増加", ["12.4％"]),
        ("定員は1,250人である。", "定員1250人", []),
        ("定員は1,250人である。", "定員1520人", ["1,250"]),
        ("費用は3億5000万円だった。", "350,000,000円", []),
        ("費用は3.5億円だった。", "3億5000万円", []),
        ("費用は35万円だった。", "三十五万円", []),
        ("約300隻が停泊する。", "287隻が停泊", []),
        ("約300隻が停泊する。", "187隻が停泊", ["300"]),
        ("全体の30％である。", "全体の三割", []),
        ("全体の25％である。", "四分の一", []),
        ("2011年5月3日に開港した。", "開港は2011/5/3", []),
        ("2011年5月3日に開港した。", "開港は2011年5月4日", ["2011年5月3日"]),
        ("第14章、45頁、19世紀の話。", "なにもない", []),
        ("１２３人が来た。", "123人が来場", []),
        ("27隻が来た。", "二十七隻が来た", []),
    ],
    "zh": [
        ("收入增长了12.4%。", "增长百分之12.4", []),
        ("收入增长了12.4%。", "增长14.2%", ["12.4%"]),
        ("共有1250个座位。", "座位1,250个", []),
        ("共有1250个座位。", "座位1,520个", ["1250"]),
        ("耗资3.5亿元。", "350,000,000元", []),
        ("耗资35万元。", "三十五万元", []),
        ("人口为1.4亿。", "1亿4000万人", []),
        ("约300艘船停泊。", "287艘船", []),
        ("约300艘船停泊。", "187艘船", ["300"]),
        ("占全部的25%。", "四分之一", []),
        ("占全部的35%。", "百分之三十五", []),
        ("占全部的70%。", "七成", []),
        ("2011年5月3日开港。", "2011-05-03开港", []),
        ("2011年5月3日开港。", "2011年5月4日开港", ["2011年5月3日"]),
        ("第14章第45页。", "没有", []),
        ("来了27艘船。", "二十七艘船", []),
    ],
}


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [row for rows in IN_OTHER_LANGUAGES.values() for row in rows],
)
def test_what_stands_in_other_languages(claim, text, expected):
    assert missing(claim, text) == expected


def test_the_numbers_of_a_text_are_listed_only_where_a_figure_is_not_found_as_it_is_written():
    text = Standing("It has 12.4 % of all, and 84 cranes.")

    assert text.missing(figures_of("It has 12.4 % of all and 84 cranes.")) == []
    assert "_values" not in vars(text)
    text.missing(figures_of("It has 85 cranes."))
    assert "_values" in vars(text)


PIECES = st.sampled_from(
    [
        *(
            "1",
            "12",
            "007",
            "1,234",
            "1.234",
            "12 345",
            "½",
            "1/2",
            "e9",
            "×10",
            "⁹",
            "³⁰⁰",
            " ",
            ",",
            ".",
            "-",
            "–",
            "%",
            "$",
        ),
        *(
            "zwei",
            "hundert",
            "tausend",
            "und",
            "quatre",
            "vingt",
            "dix",
            "one",
            "million",
            "Mrd.",
            "of",
            "a",
            "third",
        ),
        *(
            "三",
            "百",
            "万",
            "億",
            "分之",
            "点",
            "割",
            "年",
            "月",
            "日",
            "May",
            "2011",
            "'99",
            "1990s",
            "@",
            "a.com",
            "[1]",
            "§",
        ),
        *("٣", "１", "\u00a0", "\ud800", "999" * 20, "x"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_has_values_and_figures(text):
    for item in values(text):
        assert 0 <= item.start < item.end <= len(text)
    for figure in figures_of(text):
        assert text[figure.start : figure.end] == figure.text
    assert Standing(text).missing(figures_of(text)) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1" * 9_000,
            "zweihundert" * 900,
            "undund" * 900,
            "三百" * 9_000,
            "1x10" + "⁹" * 9_000,
            "1e999",
            "2e-999",
        ),
        *("三" * 9_000 + "分之三", "1" * 4_400 + ".5", "５" * 5_000),
    ],
    ids=lambda text: text[:8],
)
def test_what_is_too_long_to_be_a_number_is_none_and_no_error(text):
    assert all(item.value < 1e200 for item in values(text))
    assert Standing(text).missing(figures_of("It has 84 cranes.")) != []
