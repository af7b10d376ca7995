"""The words that make numbers, by meaning: scales, number words, fractions, percentages, units, and what is no amount.

Each entry serves every language it is written in; nothing else in this package holds a list of words.
"""

from __future__ import annotations

SCALES: dict[float, str] = {
    1e2: "hundred hundreds hundert cent cents сотен сотни 百",
    1e3: (
        "thousand thousands k tausend tsd. tsd mille milliers mil mila тысяча тысячи тысяч тысячу тыс. тыс тис. тис"
        " duizend tusen tusind tuhat tys. tys tysięcy tisíc tis. bin ribu nghìn ngàn हज़ार हजार ألف آلاف الف هزار"
        " χιλιάδες χιλ. אלף אלפים พัน 千 仟 천"
    ),
    1e4: "万 萬 만 หมื่น",
    1e5: "lakh lakhs lac lacs लाख แสน",
    1e6: (
        "million millions mn mln m mm mio. mio millionen millón millones milhão milhões milione milioni"
        " миллион миллиона миллионов миллионы млн млн. мільйон мільйона мільйонів miljoen miljoner milyon juta triệu mil. milionů"
        " milionu miliony milion milionów مليون ملايين میلیون εκατομμύρια εκατομμύριο εκατ. מיליון ล้าน"
    ),
    1e7: "crore crores cr करोड़",
    1e8: "亿 億 억",
    1e9: (
        "billion billions bn b bln mrd. mrd md milliarde milliarden milliard milliards miljard miljarder miliardo miliardi"
        " mld mld. миллиард миллиарда миллиардов миллиарды млрд млрд. мільярд мільярдів bilhão bilhões bi milyar miliar tỷ"
        " tỉ miliard miliardů miliarda مليار میلیارد δισεκατομμύρια δισ. מיליארד"
    ),
    1e12: (
        "trillion trillions tn trn t billionen billones biliões bilioni триллион триллиона триллионов трлн трлн."
        " trilhão trilhões trilyon triliun nghìn-tỷ تريليون τρισεκατομμύρια טריליון 兆 조 万亿 萬億"
    ),
    1e16: "京",
}
"""Words and signs that multiply the number before them."""

AMBIGUOUS: dict[str, tuple[float, ...]] = {
    "billion": (1e9, 1e12),
    "billions": (1e9, 1e12),
    "trillion": (1e12, 1e18),
    "mil": (1e3, 1e6),
    "mil.": (1e3, 1e6),
    "兆": (1e12, 1e6),
}
"""Scales that say something else in another language: the long and the short scale; both readings count."""

NUMBERS: dict[str, int] = {}
"""Number words and what they stand for."""


def _learn(first: int, step: int, words: str) -> None:
    for index, spellings in enumerate(words.split()):
        for word in spellings.split("|"):
            NUMBERS[word] = first + index * step


_learn(
    1,
    1,
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
)
_learn(20, 10, "twenty thirty forty|fourty fifty sixty seventy eighty ninety")
_learn(
    1,
    1,
    "eins|ein|eine|einem|einen|einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"
    " sechzehn siebzehn achtzehn neunzehn",
)
_learn(20, 10, "zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig")
_learn(
    1,
    1,
    "un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
)
_learn(20, 10, "vingt|vingts trente quarante cinquante soixante septante huitante|octante nonante")
_learn(
    1,
    1,
    "uno|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
    " dieciocho diecinueve",
)
_learn(20, 10, "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_learn(
    21,
    1,
    "veintiuno|veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
)
_learn(
    1,
    1,
    "один|одна|одно|одного два|две|двух|двум|двумя три|трёх|трех|трем|тремя четыре|четырёх|четырех|четырьмя пять|пяти|пятью"
    " шесть|шести|шестью семь|семи|семью восемь|восьми девять|девяти десять|десяти одиннадцать|одиннадцати"
    " двенадцать|двенадцати тринадцать|тринадцати четырнадцать|четырнадцати пятнадцать|пятнадцати"
    " шестнадцать|шестнадцати семнадцать|семнадцати восемнадцать|восемнадцати девятнадцать|девятнадцати",
)
_learn(
    20,
    10,
    "двадцать|двадцати тридцать|тридцати сорок|сорока пятьдесят|пятидесяти шестьдесят|шестидесяти семьдесят|семидесяти"
    " восемьдесят|восьмидесяти девяносто|девяноста",
)
_learn(
    100,
    100,
    "сто|ста двести|двухсот триста|трёхсот|трехсот четыреста|четырёхсот|четырехсот пятьсот|пятисот шестьсот|шестисот"
    " семьсот|семисот восемьсот|восьмисот девятьсот|девятисот",
)
_learn(
    1,
    1,
    "um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze dezesseis dezessete"
    " dezoito dezenove",
)
_learn(20, 10, "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
NUMBERS["zéro"] = 0
NUMBERS["zero"] = 0
NUMBERS["dozen"] = 12
NUMBERS["dozens"] = 12
NUMBERS["dutzend"] = 12
NUMBERS["douzaine"] = 12
NUMBERS["дюжина"] = 12
PRONOUNS = frozenset(
    "one ein eine einem einen einer un une uno una um uma один одна одно одного six dix".split()  # noqa: SIM905
)
"""Number words that are mostly something else by themselves, or in another language."""

CJK_DIGITS = dict(zip("〇零一二三四五六七八九", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {
    "两": 2,
    "兩": 2,
    "壱": 1,
    "弐": 2,
    "参": 3,
}
CJK_TENS = {"十": 10, "拾": 10, "百": 100, "千": 1000}
CJK_SCALES = {"万": 1e4, "萬": 1e4, "億": 1e8, "亿": 1e8, "兆": 1e12}

PARTS: dict[str, int] = {}
"""Words of the n-th part: `third`, and what counts as one."""
for _count, _words in {
    2: "half halves hälfte moitié mitad metade metà половина половины половину половине demi",
    3: "third thirds drittel tiers tercio tercios terço terços terzo terzi треть трети",
    4: "quarter quarters fourth fourths viertel quart quarts cuarto cuartos четверть четверти quarto quartos",
    5: "fifth fifths fünftel cinquième cinquièmes quinto quintos quinti пятая пятой пятую пятых",
    6: "sixth sixths sechstel sixième sixièmes sexto sextos шестая шестую",
    7: "seventh sevenths siebtel septième",
    8: "eighth eighths achtel huitième huitièmes octavo",
    9: "ninth ninths neuntel neuvième",
    10: "tenth tenths zehntel dixième dixièmes décimo десятая десятую",
}.items():
    for _word in _words.split():
        PARTS[_word] = _count

ORDINALS = frozenset(
    [
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "quarter",
        "quart",
        "quarto",
        "cuarto",
        "quinto",
        "sexto",
        "octavo",
        "décimo",
        "tercio",
        "terço",
        "terzo",
        "cinquième",
        "sixième",
        "septième",
        "huitième",
        "neuvième",
        "dixième",
        "пятая",
        "пятой",
        "пятую",
        "шестая",
        "шестую",
        "десятая",
        "десятую",
    ]
)
"""Those of them that count places too, or periods: parts only behind an article or a number."""

FRACTION_SIGNS = dict(
    zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅒⅑⅐", (
        1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1 / 6, 5 / 6, 1 / 8, 3 / 8, 5 / 8, 7 / 8, 1 / 10,
        1 / 9, 1 / 7,
    ), strict=True)
)  # fmt: skip

PERCENT = (
    r"%|٪|％|﹪|per\s?cents?\b|pct\b|percentage[\s-]points?\b|pp\b|p\.\s?p\.|[Pp]rozent|[Vv]\.\s?H\.|pour[\s-]cents?\b"
    r"|por\s?ciento|por\s?cento|per\s?cento|процент|проц\.|п\.\s?п\.|パーセント|ポイント|퍼센트|퍼센트포인트|프로|个百分点|個百分點"
    r"|百分点|procent|prosent|prosenttia|yüzde|τοις εκατό|אחוז|بالمئة|بالمائة|في المئة|درصد|प्रतिशत|phần trăm|persen|เปอร์เซ็นต์"
)
PERCENT_BEFORE = r"百分之|%|yüzde\s|ร้อยละ\s?"
TENTHS = r"割|成(?![立为為功年人本长長])"
"""Tenths: `三割`, `7成`."""

CURRENCY = r"[$€£¥￥₹₽₩₺₴₪฿₫₱₦₡]|\b(?:Rs\.?|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|RUB|SEK|NOK|DKK|CAD|AUD|BRL|KRW|PLN)\b"
CURRENCY_AFTER = (
    r"[$€£¥₹₽₩]|(?:dollars?|euros?|cents?|pounds?|yen|yuan|rupees?|francs?|Franken|kronor|kroner|reais|real|pesos?|won"
    r"|руб|рубл\w*|долл\w*|евро|円|元|ドル|ユーロ|美元|欧元|달러|원|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR)(?!\w)"
)

APPROXIMATELY = (
    r"about|around|roughly|approximately|approx\.?|some|nearly|almost|over|under|above|below|more than|less than|fewer than"
    r"|at least|at most|up to|circa|ca\.|c\.|close to|just|well over|as many as|as much as|an estimated|~|≈|∼|>|<|≥|≤"
    r"|rund|etwa|ungefähr|knapp|fast|über|mehr als|weniger als|gut|mindestens|höchstens|bis zu|zirka|unter|beinahe"
    r"|environ|près de|plus de|moins de|quelque|presque|au moins|autour de|à peu près"
    r"|около|примерно|более|больше|менее|меньше|почти|свыше|порядка|приблизительно|не менее"
    r"|unos|unas|cerca de|casi|más de|menos de|alrededor de|aproximadamente|mais de|quase|circa|quasi|oltre|più di"
    r"|約|约|およそ|ほぼ|大约|大約|近|超过|超過|逾|将近|將近|약|거의"
)
APPROXIMATELY_AFTER = r"\+|or (?:more|so)\b|plus\b|余|餘|多|以上|超|強|弱|あまり|여|(?:ou|oder) (?:plus|mehr)|или более"

# What a number behind it is the name of, and no amount.
LABELS = (
    r"§+|№|#|sections?|sec\.|figures?|figs?\.?|tables?|tab\.|pages?|pp?\.|no\.|nos\.|numbers?|articles?|art\.|rules?|chapters?"
    r"|ch\.|steps?|versions?|v\.|vol\.|volumes?|issues?|parts?|phases?|appendix|eq\.|equations?|line|lines|items?|footnotes?"
    r"|regulation|directive|schedule|clause|paragraphs?|para\.|route|highway|flight|channel|grade|level|type|class|model|series|arxiv|isbn|issn|pmid|rfc|cve"
    r"|season|episode|round|week|day|act|bill|resolution|title|unit|apartment|room|building|windows|python|ios|android"
    r"|Abschnitt\w{0,2}|Abb\.|Abbildung(?:en)?|Tabellen?|Seiten?|S\.|Nr\.|Artikel[ns]?|Kapitel[ns]?|Kap\.|Absatz|Abs\.|Bd\.|Teil|Ziffer|Rn\.|Schritt"
    r"|article|chapitre|chap\.|tableau|n°|nº|numéro|étape|volet"
    r"|стр\.|с\.|рис\.|рисун\w{2,3}|табл\.|таблиц\w{1,2}|глав\w{1,2}|раздел\w{0,2}|стать\w{1,3}|ст\.|пункт\w{0,2}|п\.|шаг\w{0,2}"
    r"|artículo|capítulo|página|tabla|figura|sección|núm\.|artigo|seção"
)
CJK_LABELS = r"第|図|表|图|圖|页|頁|ページ|제"
ORDINAL = (
    r"(?:st|nd|rd|th|ers?|ères?|ère|e|es|ème|èmes|º|ª|o|a)(?![\w])|[-‑](?:й|я|е|го|му|м|х|ого|ая|ый|ой|ые|ю)(?!\w)"
    r"|\.(?=\s(?:[Jj]ahrhundert|[Jj]ahrestag|[Pp]latz|[Mm]al\b|[Tt]eil|[Aa]uflage|[Kk]apitel|[Ss]tock|[Ll]ebensjahr|[Gg]eburtstag"
    r"|[Rr]ang|[Ss]pieltag|[Rr]unde|[Ss]taffel|[Ff]olge|[Aa]usgabe|[Mm]inute|[Tt]ag\b))"
    r"|(?:頁|页|ページ|番目|回目|位|号|號|章|节|節|条|條|款|世紀|世纪|번째|세기|代目|期目|年目|日目|丁目|話|巻|卷)"
)
UNITS = frozenset(
    [
        "m",
        "km",
        "cm",
        "mm",
        "nm",
        "µm",
        "μm",
        "ft",
        "in",
        "mi",
        "yd",
        "kg",
        "g",
        "mg",
        "µg",
        "t",
        "lb",
        "lbs",
        "oz",
        "s",
        "ms",
        "min",
        "h",
        "hr",
        "hrs",
        "d",
        "w",
        "kw",
        "mw",
        "gw",
        "tw",
        "wh",
        "kwh",
        "mwh",
        "gwh",
        "twh",
        "v",
        "kv",
        "hz",
        "khz",
        "mhz",
        "ghz",
        "b",
        "kb",
        "mb",
        "gb",
        "tb",
        "pb",
        "gib",
        "mib",
        "kib",
        "px",
        "pt",
        "em",
        "l",
        "ml",
        "ha",
        "ac",
        "a",
        "j",
        "kj",
        "mj",
        "kcal",
        "cal",
        "pa",
        "kpa",
        "mpa",
        "bar",
        "c",
        "f",
        "k",
        "°c",
        "°f",
        "db",
        "mol",
        "mm",
        "rpm",
        "fps",
        "mph",
        "kmh",
        "bp",
        "bps",
        "mbps",
        "gbps",
        "usd",
        "eur",
        "x",
        "×",
        "pp",
        "ppm",
        "ppb",
        "mcg",
        "sqm",
        "sqft",
        "yr",
        "yrs",
        "yo",
        "m²",
        "m³",
        "km²",
        "км",
        "м",
        "см",
        "мм",
        "кг",
        "г",
        "т",
        "л",
        "га",
        "квт",
        "мвт",
        "гвт",
        "ч",
        "мин",
        "сек",
        "лет",
    ]
)
"""Units that may stand at a number without a space."""

READ_ON = (
    r"\b(?:accessed|retrieved|captured|archived|last (?:checked|visited|viewed|accessed)|abgerufen|zugriff|consulté|"
    r"consultado|доступ|дата обращения|閲覧|访问日期|アクセス日)\b|閲覧日|访问于"
)
"""A sentence that says when a page was looked at: its figures are none of the page's."""

MONTHS: dict[str, int] = {}
for _number, _names in enumerate(
    (
        "january jan januar jänner janvier janv enero ene gennaio janeiro januari января январь",
        "february feb februar février fév févr febrero febbraio fevereiro februari февраля февраль",
        "march mar märz mär mars marzo março maart марта март",
        "april apr avril avr abril abr aprile апреля апрель",
        "may mai mayo maggio maio mei мая май",
        "june jun juni juin junio giugno junho июня июнь",
        "july jul juli juillet juil julio luglio julho июля июль",
        "august aug août agosto ago augustus августа август",
        "september sep sept septembre septiembre settembre setembro сентября сентябрь",
        "october oct oktober okt octobre octubre ottobre outubro октября октябрь",
        "november nov novembre noviembre novembro ноября ноябрь",
        "december dec dezember dez décembre déc diciembre dicembre dezembro декабря декабрь",
    ),
    start=1,
):
    for _word in _names.split():
        MONTHS[_word] = _number
