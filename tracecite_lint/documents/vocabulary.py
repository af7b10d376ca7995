"""All the words that the reading of citations knows, by what they mean and in which language; structure decides, words refuse.

Nothing else in the package holds a list of words in several languages. A language is a keyword of `_meaning`: to teach the
reader another one, add its words to each meaning. Words of languages written without spaces (zh, ja, ko) need no word
boundaries.
"""

from __future__ import annotations

import re
import sys

from tracecite_lint.light.lazy import regex

_UNSPACED = frozenset({"zh", "ja", "ko"})
_ALTERNATIVE = re.compile(r"(?:\\.|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)|[^|()\[\\])+")
_FIRST_LETTER = re.compile(r"[^\W\d_](?![?*{])")


def _meaning(**words: str) -> dict[str, str]:
    """Return the words for one thing, an alternation for each language."""
    return words


def _any(*meanings: dict[str, str]) -> str:
    """Return one alternation, for a pattern that says itself where a word ends."""
    return "|".join(words for meaning in meanings for words in meaning.values())


def _words(*meanings: dict[str, str]) -> str:
    """Return an alternation of whole words, or of strings in the languages that are written without spaces."""
    spaced = [w for meaning in meanings for name, w in meaning.items() if name not in _UNSPACED]
    unspaced = [w for meaning in meanings for name, w in meaning.items() if name in _UNSPACED]
    whole = rf"(?<!\w)(?:{_by_letter('|'.join(spaced))})(?!\w)"
    return f"{whole}|(?=[^\\x00-\u10ff])(?-i:{'|'.join(unspaced)})" if unspaced else whole


def _by_letter(words: str) -> str:
    """Return the alternation *words* with a branch for each first letter: several times as fast to search for.

    What begins otherwise than with a letter that must stand there keeps a branch of its own.
    """
    branches: dict[str, list[str]] = {}
    for word in _ALTERNATIVE.findall(words):
        branches.setdefault(word[0] if _FIRST_LETTER.match(word) else word, []).append(word)
    return "|".join(
        f"{first}(?:{'|'.join(word[1:] for word in found)})" if len(found) > 1 else found[0]
        for first, found in branches.items()
    )


def _re(pattern: str) -> re.Pattern[str]:
    return regex(pattern, re.IGNORECASE)


def _beginnings(words: str) -> tuple[str, ...]:
    """Return how the alternatives of *words* begin, up to four letters each; of those that begin in ASCII."""
    found = set()
    depth = 0
    for alternative in words.split("|"):
        if not depth:  # else it goes on inside of a group
            begun = _LETTERS.match(alternative)
            # Of `s?` nothing has to be there, and `(?:资料)` is in no ASCII text.
            letters = begun[1][: -1 if begun[2] else None] if begun else ""
            assert letters or not _ASCII_LETTER.search(alternative), alternative
            if letters and letters.isascii():
                found.add(letters[:_BEGINNING].lower())
        depth += alternative.count("(") - alternative.count(")")
    return tuple(found)


_BEGINNING = 4
_LETTERS = regex(r"(\w+)([?*{]?)")
_ASCII_LETTER = regex("[A-Za-z]")


class _Words:
    """A pattern that finds nothing in an ASCII text without the beginning of one of its words: there it is not compiled.

    Vocabularies in a dozen languages take 2 ms each to compile, and short texts have none of their words.
    """

    def __init__(self, pattern: str, words: str) -> None:
        self._pattern = _re(pattern)
        self._words = words
        self._beginnings: tuple[str, ...] = ()
        self._left = _SHORT_TEXTS

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self._pattern.fullmatch(text) if self._may_hold(text) else None

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self._pattern.search(text, start, end) if self._may_hold(text[start:end]) else None

    def _may_hold(self, text: str) -> bool:
        self._left -= 1
        if self._left and text.isascii():
            self._beginnings = self._beginnings or _beginnings(self._words)
            lowered = text.lower()
            if not any(beginning in lowered for beginning in self._beginnings):
                return False
        # From here on it is compiled, and faster than the look at the beginnings.
        self.fullmatch = self._pattern.fullmatch  # type: ignore[method-assign, assignment]
        self.search = self._pattern.search  # type: ignore[method-assign, assignment]
        return True


_SHORT_TEXTS = 100
"""So many texts are looked at before the pattern is compiled for all that come."""


# ---- Lists of works -------------------------------------------------------------------------------------------------

_REFERENCES = _meaning(
    en="references?(?: cited)?|sources?(?: cited)?|bibliography|works cited|citations?|footnotes|further reading|works consulted",
    de="quellen(?:verzeichnis|angaben|nachweise)?|literatur(?:verzeichnis|angaben)?|einzelnachweise|zitierte (?:quellen|literatur)|referenzen",
    fr="références|bibliographie|sources? citées|ouvrages cités",
    es="fuentes|referencias|bibliografía|obras citadas",
    pt="fontes|referências(?: citadas)?|bibliografia",
    it="fonti|riferimenti|opere citate|citazioni",
    nl="bronnen(?:lijst)?|referenties|literatuurlijst|bronvermelding",
    sv="källor|referenser|källförteckning",
    pl="źródła|przypisy|literatura",
    cs="zdroje|použitá literatura",
    tr="kaynaklar|kaynakça",
    id="sumber|referensi|daftar pustaka",
    vi="nguồn|tài liệu tham khảo",
    ru="источники|ссылки|литература|список (?:источников|литературы)|использованные источники|библиография|примечания",
    uk="джерела|посилання|література",
    ar="المصادر|المراجع",
    zh="参考(?:文献|資料|资料|链接|来源)?|參考(?:文獻|資料|來源)?|(?:资料|資料|数据|信息)?(?:来源|來源)|引用(?:文献|的著作|来源)?|文献|文獻|注释|脚注",
    ja="参照|引用元|引用資料|出典|参考サイト|脚注",
    ko="출처|참고(?:\\s?(?:문헌|자료))?|인용|각주",
)
REFERENCE_HEADING = _Words(
    rf"[\s\d.#*_:、]*(?:{_any(_REFERENCES)}|notes?)[\s*_:：]*", f"{_any(_REFERENCES)}|notes?"
)
REFERENCE_WORD = _Words(
    rf"(?<!\w)(?:{_any(_REFERENCES)})(?!\w)|参考|參考|来源|來源|引用|出典|文献|文獻|출처|참고",
    _any(_REFERENCES),
)

# ---- What stands before a link in parentheses, or is a link's text, and says only that it is the source -------------

_SOURCE = _meaning(
    en="sources?|src|refs?|references?|cit(?:ed|ation)s?|links?|original|credits?",
    de="quellen?|original(?:text|quelle)?",
    fr="sources?|source\\s?|réf(?:érence)?s?",
    es="fuentes?|enlace",
    pt="fontes?",
    it="font[ei]",
    nl="bron(?:nen)?",
    sv="källa",
    pl="źródł[oa]",
    tr="kaynak",
    id="sumber",
    ru="источники?|ссылка",
    uk="джерело",
    zh="(?:数据|資料|资料|信息|图片|圖片)?(?:来源|來源)|[图圖]源|出处|出處|原文(?:链接)?|链接|連結|引用",
    ja="出典|引用元|参照元?|ソース",
    ko="출처|원문|참고|참조|링크",
)
_FROM = _meaning(
    en="see(?: also)?|from|via|per|cf\\.?|at|in|quoted (?:in|from|by)|(?:as )?(?:reported|cited|quoted) (?:by|in)|according to|excerpt(?:ed)? from|taken from",
    de="siehe|aus|nach|vgl\\.|laut|zitiert nach",
    fr="voir|d'après|extrait de|selon|tiré de",
    es="véase|ver|según|de|extraído de",
    pt="ver|segundo|retirado de",
    it="vedi|da|tratto da|secondo",
    nl="uit|zie|volgens",
    ru="см\\.|из|по",
    zh="参考|參考|参照|摘自|引自|见|見|参见|參見|译自|转自|据|來自|来自",
    ja="より",
)
_DOCUMENT = "tweet|tweeted|post|blog post|article|paper|report|docs?|documentation|thread|comment|read more|full text"
_LABEL_WORDS = f"{_any(_SOURCE, _FROM)}|{_DOCUMENT}"
SOURCE_LABEL = _re(rf"(?:{_LABEL_WORDS})\s*[:：]?")
SOURCE_NAME = _re(rf"(?:{_any(_SOURCE)})s?")
_LEAD_WORDS = _re(rf"(?:the|an?|also|as)?\s*(?:{_LABEL_WORDS})?\s*(?:the|an?)?\s*[:：]?")
_ATTRIBUTION_WORDS = rf"(?:{_any(_SOURCE)}|via|(?:(?:taken|quoted|excerpted) )?from|摘自|引自)"
ATTRIBUTION_LABEL = _re(rf"\s*[(（]?\s*{_ATTRIBUTION_WORDS}\s*[*_]*[:：]?\s*")
CREDIT_BEFORE_LINK = _re(
    r"(?:[\s.!?…。！？\"”»」』][—–―~-]+\s*|(?:(?<![,，])\s|[.!?。！？”\"])"
    rf"(?:{_any(_SOURCE)}|via)\s*[:：]?\s*)$"
)
# What follows a source instead of a label before it: `[t](u)より引用`.
QUOTED_FROM = regex(
    r"(?:の記事)?(?:より|から)(?:引用|抜粋|転載)|より(?=[\s)）。]*$)|에서 ?(?:인용|발췌)"
)
QUOTE_LABEL = _re(r"\s*(?:原文|引文|Quote)\s*[:：]\s*")
SOURCE_LINE = _re(r"\s*(?:来源|來源|Source)\s*[:：]\s*")
_QUOTATION = _meaning(
    en="quot(?:e|ation)s?|verbatim(?: quotes?)?|(?:exact|original) (?:quote|words|wording|text)|excerpts?",
    de="zitate?|wortlaut|originalzitat",
    fr="citations?|extraits?",
    es="citas?(?: textual(?:es)?)?",
    pt="cita(?:ção|ções)|trechos?",
    it="citazion[ei]",
    nl="citaten|citaat",
    pl="cytat[y]?",
    tr="alıntı(?:lar)?",
    ru="цитат[аы]",
    zh="引文|引用|原文|原话|摘录",
    ja="引用(?:文)?|原文",
    ko="인용(?:문)?|원문",
)
QUOTE_COLUMN = _re(rf"\W*(?:(?:key|direct|source|supporting)\s)?(?:{_any(_QUOTATION)})\W*")
QUOTE_LINE = _re(rf"\W*(?:(?:key|direct|supporting)\s)?(?:{_any(_QUOTATION)})\s*[*_]*[:：][\s*_]*")
SOURCE_LINE_LABEL = _re(rf"\W*(?:{_any(_SOURCE)}|url)\s*[*_]*[:：][\s*_]*")

# ---- Saying ---------------------------------------------------------------------------------------------------------

_SAYS = _meaning(
    en="sa(?:ys?|id|ying)|writ(?:es?|ing|ten)|wrote|notes?|noted|noting|found that|describ(?:es?|ed|ing)|announc(?:es?|ed)|put(?:s)? it|"
    "stat(?:es?|ed|ing)|explain(?:s|ed|ing)?|claim(?:s|ed|ing)?|argu(?:es?|ed|ing)|quot(?:es?|ed|ing)|report(?:s|ed|ing)",
    de="schreib(?:t|en)|schrieb(?:en)?|sag(?:t|te|ten|en)|heißt es|erklärt(?:e|en)?|berichte(?:t|te|ten)|laut",
    fr="écri(?:t|vent|vait)|dit|disait|disent|déclar(?:e|ait)|a déclaré|expliqu(?:e|ait|ent)|affirm(?:e|ait|ent)|indiqu(?:e|ait|ent)",
    es="dic[ee]n?|dijo|dijeron|escrib(?:e|ió|en)|explic(?:a|ó|an)|afirm(?:a|ó|an)|señal(?:a|ó|an)|indic(?:a|ó|an)",
    pt="diz(?:em)?|disse(?:ram)?|escrev(?:e|eu|em)|explic(?:a|ou|am)|afirm(?:a|ou|am)|relat(?:a|ou|am)",
    it="dice|dicono|ha detto|scriv(?:e|ono)|ha scritto|spieg(?:a|ano)|afferm(?:a|ano)",
    nl="schrijft|schreef|zegt|zei|stelt|meldt",
    sv="skriver|skrev|säger|sade|sa att",
    pl="pisze|napisał[ao]?|mówi|powiedział[ao]?|stwierdza",
    tr="diyor|dedi|yazıyor|yazdı|belirtiyor|belirtti",
    ru="пиш(?:ет|ут)|писал[аи]?|написал[аи]?|говор(?:ит|ится|ят)|сказал[аи]?|отмеча(?:ет|ют|ется)|отметил[аи]?|заяви(?:л|ла|ли)|утвержда(?:ет|ют)|сообща(?:ет|ют)",
    uk="пиш(?:е|уть)|каже|сказа(?:в|ла|ли)|зазнача(?:є|ють)",
    zh='写道|寫道|说道|說道|(?<![小传傳学學])[说說](?![明服])|表示(?=[，,：:“"「『])|指出|(?<![名对對俗统統])[称稱](?![为為号號])|提到|写到|强调|強調|坦言|直言|宣布|宣稱',
    ja="述べ|書いて|書かれ|とある|と言|語っ|説明され|記載|指摘",
    ko="말했|말한|밝혔|밝힌|전했|설명했|설명한|설명하|적었|적혀|강조했|덧붙였|라고",
)
SAYS = _re(_words(_SAYS))
_ACCORDING = _meaning(
    en="according to|in the words of|quoting|per",
    de="laut|nach angaben (?:von|der|des)|gemäß|zufolge",
    fr="selon|d'après",
    es="según|de acuerdo con",
    pt="segundo|conforme|de acordo com",
    it="secondo",
    nl="volgens",
    sv="enligt",
    pl="według",
    tr="göre",
    ru="согласно|по словам|по данным|по мнению",
    uk="згідно з|за словами",
    zh="根据|根據|(?<![数數依证證])据(?!点|點)|按照",
    ja="によれば|によると",
    ko="에 따르면|에 의하면",
)
_SAYING = _meaning(
    en="remark(?:s|ed)|comment(?:s|ed)|tweet(?:s|ed)|post(?:s|ed)|answer(?:s|ed)|repl(?:y|ies|ied)|told|asks?|asked|add(?:s|ed)|conclud(?:es?|ed|ing)|"
    "warn(?:s|ed|ing)|reads?|mention(?:s|ed)|suggest(?:s|ed)|recall(?:s|ed)|admit(?:s|ted)|insist(?:s|ed)|begin(?:s)?|start(?:s)?|continu(?:es?|ed)|"
    "agree(?:s|d)?|sees?|observ(?:es?|ed)|identif(?:y|ies|ied)|defin(?:es?|ed|ing)|call(?:s|ed)|find(?:s)? that|show(?:s|ed)? that|commit(?:s|ted)|object(?:s|ed)|"
    "promis(?:es?|ed)|declar(?:es?|ed)|emphasi[sz](?:es?|ed)|stress(?:es|ed)|acknowledg(?:es?|ed)|recommend(?:s|ed)|confirm(?:s|ed)|caution(?:s|ed)|"
    "summari[sz](?:es?|ed)|highlight(?:s|ed)|specif(?:ies|ied)|assert(?:s|ed)|discuss(?:es|ed)|conclusion",
    de="betont(?:e)?|meint(?:e)?|fordert(?:e)?|warnt(?:e)?|nennt|nannte|bezeichnet(?:e)?|kommentiert(?:e)?|ergänzt(?:e)?|definiert|lautet",
    fr="souligne(?:nt)?|précise(?:nt)?|note(?:nt)?|rappelle|conclut|ajoute|définit",
    es="sostiene|advierte|concluye|destaca|define|comenta|agrega|añade",
    pt="destaca|alerta|conclui|define|comenta|acrescenta|declar(?:a|ou)",
    it="sottolinea|conclude|aggiunge|definisce|osserva|dichiara",
    ru="подч[её]ркива(?:ет|ют)|предупрежда(?:ет|ют)|называ(?:ет|ют)|добавля(?:ет|ют)|определя(?:ет|ют)",
    zh="认为|認為|评论|評論|原话|原文|如下|所说|所言|提醒|定义为|描述为|写着|寫著",
    ja="引用|定義|主張",
    ko="정의|주장|지적|언급|명시|기재|표기",
)
SAYING = _re(_words(_SAYS, _SAYING, _ACCORDING))
ACCORDING = _re(_words(_ACCORDING))
ACCORDING_BEFORE = _re(rf"(?<!\w)(?:{_any(_ACCORDING)})\s*(?:\w+\s+){{0,2}}\Z")
SAYS_AT_END = regex(
    r"(?:写道|寫道|说道|說道|说|說|表示|指出|原话|原文|如下|书中写|述べ\w{0,8}|書いて\w{0,8}|書かれ\w{0,8}|とあり\w{0,6}|とある|引用\w{0,6}|説明され\w{0,6}|記載\w{0,8}|"
    r"다음과 같(?:다|이\s.{0,20})|(?:설명|정의|말|언급|서술|소개|기술)하고 있(?:다|습니다)|고 (?:한다|합니다|했다|했습니다)|(?:쓰여|적혀|나와) 있(?:다|습니다))"
    r"[。．.]?\s*$"
)
FROM = _re(_words(_meaning(en="from"), _ACCORDING))
OPENER = _re(
    r"[\s*_]*(?:as|according to|quoting|from|in the words of|wie|comme|como|come|zoals|как)\s"
)
EXCERPT = _re(
    _words(
        _meaning(
            en="excerpts?|quot(?:e|es|ed|ing|ation)|from|says?|said|writes?|wrote|reads?|according to|passage|begins?|verbatim|"
            "documentation|docs|article|page|paper|report|readme|announcement|post|spec(?:ification)?",
            zh="引用|原文|摘|写道",
            ja="引|抜粋|書",
        )
    )
)

# Whoever says it is the author.
OWN_VOICE = _re(
    r"(?<!\w)(?:I(?:['’]m|['’]ve|['’]d)?|we|let['’]s|ich|wir|je|j['’]|nous|yo|nosotros|eu|nós|io|noi|я|мы)(?!\w)|我(?!们认为)|私は|나는"
)
# The words of a sentence that lead right to what is said: `… that “…”`.
LEADS_TO_WORDS = _re(
    r"(?:[:：,，]|(?<!\w)(?:that|as|dass|daß|qu[e’']|que|che|dat|att|że|что|що))[\s*_]*\Z"
)

# ---- The author's own words, remarks, thanks ------------------------------------------------------------------------

# The words after such a lead are the author's own, or nobody's that could be looked up.
OWN_WORDS = _re(
    r"\b(?:my|our|own)\s+(?:\w+\s+)?(?:summary|paraphrase|take|translation|version|notes?|reading|interpretation|answer|reply|"
    r"response|guess|view|words|email|message|comment|proposal|definition|prompt|question)\b"
    r"|\bin (?:my|our|other) words\b|\bparaphras|\bsummari[sz]|\bprivate(?:ly)?\b|\bpersonal communication\b"
    r"|\boutput\b|\bgenerated\b|\b(?:e?-?mailed|told|messaged|wrote to) (?:me|us)\b|\btl;?dr\b"
    r"|总结|總結|概括|大意|我的(?:看法|理解|翻译|回复|回答|笔记)|翻译如下|要約|まとめ|riassum|resumen|résumé|zusammenfass|resumo|samenvat"
    r"|кратко|요약"
)
_THANKS = _meaning(
    en="thanks?|thank you|h/t|hat tip",
    es="gracias",
    de="danke",
    fr="merci",
    it="grazie",
    pt="obrigad[oa]",
    nl="bedankt",
    ru="спасибо",
    zh="感谢|感謝|致谢|投稿(?=者|\\s*[)）])|推荐者",
    ja="ありがと",
    ko="감사",
)
THANKS = _re(_words(_THANKS))
REMARK = _re(r"\s*(?:I|we|my|our|thanks|thank you|h/t|hat tip)\s")
VIA = _re(r"\s*via\s")
ABOUT = _re(r"\babout\s+(?:the\s|this\s|that\s)?\s*\Z")
_NOTES = (
    r"(?:note|notes|nb|n\.b\.|tip|hint|warning|caution|important|info|update[d]?|edit|disclaimer|tl;?dr|summary|(?:key )?takeaways?|"
    r"in short|bottom line|todo|translator['’]s note|editor['’]s note|attention|nota|avviso|aviso|attenzione|remarque|en résumé|"
    r"resumen|resumo|in breve|hinweis|anmerkung|achtung|fazit|kurz gesagt|opmerking|примечание|важно|внимание|вывод)\s*(?:\([^)]{0,30}\)\s*)?"
    r"|(?:注意|提示|说明|說明|注|备注|備註|译注|译者注|譯註|校对注|编者按|更新|补充|要点|一句话总结|补充说明|補足|補記|追記|注記|要約|まとめ|ヒント|警告|広告|"
    r"声明|免责声明|참고|주의|요약)\s*"
)
# A blockquote that opens so is a note of the author, not a quotation.
OWN_NOTE = _re(
    r"\s*(?:[\u2139\u231b\u2600-\u27bf\U0001f300-\U0001faff]|:[a-z0-9_+-]+:\s|\[!(?!quote\b|cite\b)[\w-]+\]"
    rf"|(?:{_NOTES})[:：])"
)
# The same in bold needs no colon.
OWN_NOTE_LABEL = _re(rf"\s*(?:{_NOTES})[:：]?")
EVIDENCE = _re(
    r"\W*(?:evidence|proof|confidence|verdict|rationale|reasoning|(?:key )?findings?|insight|claim|status|action|impact|implication|"
    r"conclusion|recommendation|belege?|evidenz|preuves?|evidencia|evidência|証拠|证据|證據|结论|結論|근거|결론)s?\b.{0,30}"
)
METADATA = _re(
    r"\s*(?:subtitle|date|published|updated|author|by|title|source|url|translator|proof-?reader|"
    r"日期|作者|译者|譯者|校对者|校對者|标题|標題|原文地址|原文作者|译文出自|本文永久链接|原文链接|著者|日付)\s*[:：]"
)

# ---- Titles, terms, labels ------------------------------------------------------------------------------------------

# Words right before a pair of marks that say it holds the title of a work.
_TITLED = _meaning(
    en="see|entitled|titled|headlined|named|called|known as|articles?|papers?|books?|essays?|novels?|blogs?|posts?|thesis|talks?|"
    "reverts?|lectures?|podcasts?|episodes?|threads?|chapters?|sections?|films?|movies?|videos?|songs?|reports?|study|paper|series|project|course",
    de="siehe|vgl\\.|namens|genannt|Artikel|Buch|Aufsatz|Beitrag|Roman|Titel|Studie|Kapitel|Abschnitt",
    fr="cf\\.|voir|nommée?s?|appelée?s?|intitulée?s?|article|livre|essai|chapitre",
    es="véase|llamad[oa]s?|titulad[oa]s?|artículo|libro|novela|ensayo|capítulo",
    pt="chamad[oa]s?|intitulad[oa]|artigo|livro|capítulo",
    it="chiamat[oa]|intitolat[oa]|articolo|saggio|romanzo|libro|capitolo",
    ru="стать[яиеюёй]+|книг[аиеу]|книгой|под названием|глав[аеыу]",
)
TITLED = _Words(
    rf"(?:(?<![\w’'])(?:{_any(_TITLED)})|题为|題為|标题为|標題為|文章|论文|論文|記事|제목의?|논문)\s*[(*_]*\Z",
    _any(_TITLED),
)
# A label of a program, or what is typed into one: `click “…”`, `searched for “…”`.
_LABELLED = _meaning(
    en="click(?:ing)?(?: on)?|press|tap|select(?:ed)?|choose|buttons?|tabs?|menus?|options?|checkbox|field|labell?ed|search(?:ed|es|ing)?(?: terms?)?(?: for)?|"
    "quer(?:y|ies)|keywords?|type|enter|prompt(?:ed)?|error(?: message)?|googl(?:e|ed|ing)|google for|hashtag|the (?:term|word|phrase|label|name)|so-called|a\\.k\\.a\\.|"
    "means?|meaning|stands for",
    de="klick(?:e|en)?(?: auf)?|wähle(?:n)?|Schaltfläche|Suche(?: nach)?|gesucht nach|Suchbegriff|Begriff|sogenannte[nrs]?|Stichwort",
    fr="cliquez sur|bouton|recherche(?:r)?|terme|onglet|dit",
    es="haga clic en|botón|buscar|búsqueda|término|pestaña|llamado",
    pt="clique em|botão|busca(?:r)?|termo|aba|chamado",
    it="clicca(?:re)? su|pulsante|ricerca|termine",
    ru="нажмите|кнопк[аеу]|запрос[ау]?|термин|так называемы[йех]",
)
LABELLED = _re(
    rf"(?:(?<![\w’'])(?:{_any(_LABELLED)})|点击|點擊|按钮|搜索|搜尋|关键词|關鍵詞|所谓|所謂|クリック|検索|いわゆる|클릭|검색)\s*[:(*_]*\Z"
)
LABEL_BEHIND = _re(
    r"[\s*_]*(?:buttons?|tabs?|menus?|options?|checkbox|fields?|search(?:es)?|按钮|選項|选项|ボタン|버튼)(?!\w)|と(?:考え|思)"
)
# At the beginning of a parenthesis: what is told there, not where the words are from.
SEE = _re(
    r"\s*(?:(?:see|cf\.?|siehe|s\.|vgl\.|voir|véase|ver|vedi|vide|zie|см\.)(?!\w)|[请請]?(?:[参參详詳]?[见見]|[参參]照|[参參]阅))"
)
# In a line before a link that stands alone: it leads to what is to be read.
POINTS = _re(
    rf"{SEE.pattern.removeprefix(chr(92) + 's*')}|[请請].{{0,4}}[参參]考|[参參]考[这這]|ご覧|参照して|참고하"
)
# Words that stay small in titles.
SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "and",
        "or",
        "but",
        "nor",
        "as",
        "is",
        "vs",
        "via",
        "de",
        "la",
        "le",
        "les",
        "el",
        "los",
        "di",
        "del",
        "della",
        "il",
        "lo",
        "e",
        "y",
        "et",
        "und",
        "der",
        "die",
        "das",
        "du",
        "des",
        "da",
        "do",
        "dos",
        "no",
        "na",
        "van",
        "von",
        "per",
        "con",
        "en",
        "im",
        "zur",
        "zum",
        "mit",
        "auf",
        "für",
        "au",
        "aux",
        "pour",
        "sur",
        "dans",
        "à",
        "o",
        "os",
        "as",
        "um",
        "uma",
        "i",
        "w",
        "z",
    ]
)
# What names the whole work or its form: behind a title it leads to what is called so.
WORK = _re(
    r"pdf|ps|epub|html|paper|preprint|arxiv(?:[:\s]*\d{4}\.\d{4,5}(?:v\d+)?)?|doi|slides?|video|book|link|url|code|repo(?:sitory)?|github|"
    r"enlace|lien|链接|連結|リンク"
)
_TICKET = _re(
    r"(?:[\w./-]*#|GH-|PR ?#?|!|(?:[\w-]+ )?(?:[\w-]*bug|issue|ticket) #?)\d+|[0-9a-f]{7,40}"
    r"|(?:fig(?:ure|ura)?|abb(?:ildung)?|table|tab(?:elle|ella|leau|la)?|图|圖|図|表|그림|рис(?:унок)?)\.?\s?\d[\d.-]*"
)
CAPTION = _re(
    r"[\s*_]*(?:fig(?:ure|ura)?|abb(?:ildung)?|table|tabelle?|tabla|tabela|tableau|图|圖|図|表|그림|рис(?:унок)?)\.?\s?\d[\d.-]*\s?[:：.]\s"
)

# ---- Links that are no source, and links that belong to their sentence ----------------------------------------------

_ASIDES = (
    r"podcast|video|slides?|discussion|hn|hacker news|reddit|lobsters|thread|talk|more|details?|background|context|code|demo|example|"
    r"clone|translation"
)
_ASIDE = _re(rf"^\W*(?:{_ASIDES})\b|\b(?:{_ASIDES})\W*$|讨论|討論|视频|視頻|播客|動画|译文")
# `Smith on reddit`: whoever said it there.
_SOMEBODY = _re(
    r"(?!discuss|comments?\b|threads?\b|more\b|talk\b|posted\b)[@\w.-]+ on (?:reddit|/?r/\w+|hn|hacker news|lobsters|twitter)"
)
# A call to do something, in small letters but for the first: `Get in touch`, not `Getting Things Done`.
_ACTION = regex(
    r"(?i:submit|get|contact|download|try|vote|edit|subscribe|sign|open|join|read|see|check|visit|click|back|next|previous|learn|"
    r"watch|listen|follow|view|go|register|share|donate|discover|help|report)(?: [a-z0-9'’-]+)+[.!]?"
)
# “…” [comes from the page](u): the link is the sentence's next words, not the name of a source.
PREDICATE = regex(
    r"(?:is|are|was|were|be|has|have|had|can|could|will|would|shall|should|may|might|must|do|does|did|comes?|came|goes|go|"
    r"means?|meant|refers?|stems?|belongs?|works?|makes?|made|gets?|got|gives?|gave|takes?|took|becomes?|became|seems?|looks?|"
    r"appears?|needs?|uses?|used|and|or|but|which|that|who|when|where|while|because|since|if|so|to|not|than|"
    r"ist|sind|war|kommt|est|sont|vient|es|son|viene|é|são|vem|è|sono)\s",
)
# The sentence goes on with the link: prepositions, articles, conjunctions, the verb to be.
_LEADS = _meaning(
    en="on|at|in|into|to|see|from|by|with|for|of|about|as|like|than|via|is|are|was|were|be|here|visit|check|checkout|check out|read|use[sd]?|using|"
    "and|or|the|an?|this|that|its|their|our|my|his|her|called|named",
    de="auf|bei|beim|siehe|unter|in|im|von|vom|mit|für|der|die|das|dem|den|des|eine?[mnrs]?|zu|zum|zur|aus|nach|über|durch|als|wie|und|oder|an|am|ist|sind|war",
    fr="sur|voir|de|du|des|le|la|les|l['’]|d['’]|dans|par|avec|pour|et|ou|au|aux|une?|chez|comme|est|sont",
    es="en|ver|del?|el|la|los|las|por|con|para|y|o|al?|una?|como|es|son",
    pt="d[eoa]s?|n[oa]s?|em|por|pel[oa]s?|com|para|e|ou|ao?s?|uma?|como|é|são",
    it="su|vedi|di|del(?:la)?|nel(?:la)?|dal?|con|per|il|lo|gli|come|è",
    nl="op|zie|van|het|een|met|voor|bij|naar",
    ru="в|во|на|из|от|по|с|о|об|для|и|или|как|это",
)
LEADS_TO_LINK = _re(
    rf"(?<!\w)(?:{_any(_LEADS)})\s*$|[在见見为是到看于於的の은는이가을를의에와과]\s*$"
)
# "Smith 2020, p. 3", "Jane Doe and John Roe": a word of the names and years of a reference in parentheses.
_NAME = regex(
    r"[@A-ZÀ-ÖØ-ÞА-ЯЁ][\w.'’&-]*|and|et|al\.?|&|und|y|e|de|van|von|der|la|\d{4}[a-z]?|p{1,2}\.|\d+"
)
_NAME_LIMIT = 12
ABBREVIATION = _re(
    r"(?:^|[\s(\[“\"])(?:[A-Za-z]|e\.g|i\.e|cf|vs|etc|al|ed|eds|vol|no|pp?|ch|fig|sec|art|dr|mr|mrs|ms|prof|st|jr|sr|"
    r"inc|ltd|co|corp|u\.s|u\.k|ca|approx|resp|bzw|z\.b|d\.h|ecc|pág|núm|mio|mrd|mds|tsd|mln|mld|тыс|млн|млрд|руб|стр|гг?)\Z"
)

# What a straight single mark before it shortens, and does not open.
CLIPPED = r"(?:\d0s|tis|twas|em|til|cause|bout|round|n)\b"

# ---- Questions about words ------------------------------------------------------------------------------------------


def is_label(text: str) -> bool:
    """Tell whether *text*, which stands before a link in parentheses, only introduces it."""
    stripped = text.strip(" \t\n*_,;·|")
    if not stripped or _LEAD_WORDS.fullmatch(stripped):
        return True
    names = re.split(r"[\s,;:]+", stripped)
    return len(names) <= _NAME_LIMIT and all(_NAME.fullmatch(name) for name in names if name)


def is_source_word(text: str) -> bool:
    """Tell whether a link's text says no more than that it is the source, or is a number."""
    stripped = text.strip(" \t\n*_[]()（）【】.:：")
    return not stripped or stripped.isdigit() or SOURCE_LABEL.fullmatch(stripped) is not None


def is_work(text: str) -> bool:
    """Tell whether a link's text only says that here is the work, or in which form."""
    return WORK.fullmatch(text.strip(" \t\n*_[]`")) is not None


def is_ticket(text: str) -> bool:
    """Tell whether a link's text is the number of an issue, a figure or a table, or the hash of a commit.

    It leads to a change or to a picture that the text is about, not to the words.
    """
    return _TICKET.fullmatch(text.strip(" \t\n*_`")) is not None


def is_action(text: str) -> bool:
    """Tell whether a link's text asks to do something or leads on: `Get in touch`, `Back to top`."""
    return _ACTION.fullmatch(text) is not None and not is_source_word(text)


def is_somebody(text: str) -> bool:
    """Tell whether a link's text says who said it where: `jane on reddit`."""
    return _SOMEBODY.fullmatch(text.strip(" \t\n*_.[]")) is not None


def is_aside(text: str) -> bool:
    """Tell whether a link's text names something beside the source: a video, a discussion, thanks."""
    if "://" in text or is_somebody(text):
        return False
    return _ASIDE.search(text) is not None or THANKS.search(text) is not None
