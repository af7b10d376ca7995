"""The words that tell a source from a remark: labels, verbs of saying, signs that the words are the author's own.

Kept in one place, for all languages: English, Chinese, Japanese, German, French, Spanish, Portuguese, Italian, Dutch.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_LABEL_WORDS = (
    r"sources?|src|refs?|references?|cit(?:ed|ation)s?|links?|see(?: also)?|from|via|per|cf\.?|at|in|quoted (?:in|from|by)|"
    r"(?:as )?(?:reported|cited|quoted) (?:by|in)|according to|credits?|original|excerpt(?:ed)? from|taken from|"
    r"tweet|tweeted|post|blog post|article|paper|report|docs?|documentation|thread|comment|read more|full text|"
    r"quelle|siehe|aus|nach|fuente|fonte|fonti|véase|ver|vedi|da|tratto da|de|source\s?|voir|d'après|extrait de|bron|uit|zie|"
    r"источник|см\.|из|по|출처|원문|참고|참조|"
    r"来源|來源|出处|出處|出典|引用元|引用|参考|參考|参照|原文|原文链接|链接|連結|摘自|引自|见|見|参见|參見|译自|转自|据|來自|来自|より"
)
LABEL_WITH_COLON = rf"(?:{_LABEL_WORDS})\s*[:：]"
SOURCE_LABEL = re.compile(rf"(?:{_LABEL_WORDS})\s*[:：]?", re.IGNORECASE)
_LEAD_WORDS = re.compile(
    rf"(?:the|an?|also|as)?\s*(?:{_LABEL_WORDS})?\s*(?:the|an?)?\s*[:：]?", re.IGNORECASE
)
# "Smith 2020, p. 3", "Jane Doe and John Roe": a word of the names and years of a reference in parentheses.
_NAME = re.compile(
    r"[@A-ZÀ-ÖØ-Þ][\w.'’&-]*|and|et|al\.?|&|und|y|e|de|van|von|der|la|\d{4}[a-z]?|p{1,2}\.|\d+"
)
_NAME_LIMIT = 12
SAYING = re.compile(
    r"\b(?:sa(?:ys?|id|ying)|found that|writ(?:es?|ing|ten)|wrote|notes?|noted|put(?:s)? it|stat(?:es?|ed|ing)|claim(?:s|ed)|argu(?:es?|ed)|"
    r"explain(?:s|ed)?|describ(?:es?|ed)|defin(?:es?|ed)|call(?:s|ed)|quot(?:es?|ed|ing)|report(?:s|ed)|announc(?:es?|ed)|"
    r"observ(?:es?|ed)|remark(?:s|ed)|comment(?:s|ed)|tweet(?:s|ed)|post(?:s|ed)|answer(?:s|ed)|repl(?:y|ies|ied)|"
    r"told|asks?|asked|add(?:s|ed)|conclud(?:es?|ed)|warn(?:s|ed)|reads?|mention(?:s|ed)|suggest(?:s|ed)|recall(?:s|ed)|"
    r"admit(?:s|ted)|insist(?:s|ed)|begin(?:s)?|start(?:s)?|continu(?:es?|ed)|agree(?:s|d)?|sees?|according to|"
    r"schreibt|schrieb|sagt|sagte|heißt es|erklärt|dice|dijo|escribe|escribió|explica|afirma|según|scrive|ha scritto|spiega|"
    r"secondo|disse|diz|escreve|escreveu|segundo|écrit|dit|déclare|explique|selon|schrijft|zegt|"
    r"пишет|пишут|писал|говорит|говорится|сказал|отмечает|по словам|согласно)\b"
    r"|写道|寫道|说|說|表示|指出|称|稱|认为|認為|提到|写到|评论|原话|原文|如下|述べ|書いて|書かれ|とある|と言|によれば|によると|引用|説明され|記載",
    re.IGNORECASE,
)
# The words after such a lead are the author's own, or nobody's that could be looked up.
OWN_WORDS = re.compile(
    r"\b(?:my|our|own)\s+(?:\w+\s+)?(?:summary|paraphrase|take|translation|version|notes?|reading|interpretation|answer|reply|"
    r"response|guess|view|words|email|message|comment|proposal|definition|prompt|question)\b"
    r"|\bin (?:my|our|other) words\b|\bparaphras|\bsummari[sz]|\bprivate(?:ly)?\b|\bpersonal communication\b"
    r"|\boutput\b|\bgenerated\b|\b(?:e?-?mailed|told|messaged|wrote to) (?:me|us)\b|\btl;?dr\b"
    r"|总结|總結|概括|大意|我的(?:看法|理解|翻译|回复|回答|笔记)|翻译如下|要約|まとめ|riassum|resumen|résumé|zusammenfass|resumo|samenvat",
    re.IGNORECASE,
)
# What a sentence with a link says when it announces a quotation without a colon: the link itself says so, or (in Chinese and
# Japanese) the sentence ends so.
SAYS = re.compile(
    r"\b(?:says?|said|writes?|wrote|notes?|noted|found that|described?|describes|announced|put(?:s)? it|states?|stated|explains?|explained|claims?|claimed|argues?|argued|"
    r"quotes?|quoted|reports?|reported|schreibt|sagt|dice|escribe|scrive|spiega|écrit|diz|"
    r"пишет|пишут|говорит|сказал|отмечает)\b",
    re.IGNORECASE,
)
SAYS_AT_END = re.compile(
    r"(?:写道|寫道|说道|說道|说|說|表示|指出|原话|原文|如下|书中写|述べ\w{0,8}|書いて\w{0,8}|書かれ\w{0,8}|とあり\w{0,6}|とある|引用\w{0,6}|説明され\w{0,6}|記載\w{0,8}|"
    r"다음과 같(?:다|이\s.{0,20})|(?:설명|정의|말|언급|서술|소개|기술)하고 있(?:다|습니다)|고 (?:한다|합니다|했다|했습니다)|(?:쓰여|적혀|나와) 있(?:다|습니다))"
    r"[。．.]?\s*$"
)
FROM = re.compile(
    r"\b(?:from|according to|laut|selon|según|segundo|secondo|d'après)\b", re.IGNORECASE
)
EXCERPT = re.compile(
    r"\b(?:excerpts?|quot(?:e|es|ed|ing|ation)|from|says?|said|writes?|wrote|reads?|according to|passage|begins?|verbatim|"
    r"documentation|docs|article|page|paper|report|readme|announcement|post|spec(?:ification)?)\b|引用|原文|摘|引|抜粋|写道|書",
    re.IGNORECASE,
)
THANKS = re.compile(
    r"\b(?:thanks?|thank you|h/t|hat tip|gracias|danke|merci|grazie|obrigad[oa]|bedankt)\b|感谢|感謝|致谢|ありがと",
    re.IGNORECASE,
)
_ASIDES = (
    r"podcast|video|slides?|discussion|hn|hacker news|reddit|lobsters|thread|talk|more|details?|background|context|code|demo|example|"
    r"clone|translation"
)
# Kinds of link that stand beside a source and are not the words' own place; in the midst of a title such a word says nothing.
_ASIDE = re.compile(
    rf"^\W*(?:{_ASIDES})\b|\b(?:{_ASIDES})\W*$|讨论|討論|视频|視頻|播客|動画|译文", re.IGNORECASE
)
_NOTE_LABELS = (
    r"(?:note|notes|nb|n\.b\.|tip|hint|warning|caution|important|info|update[d]?|edit|disclaimer|tl;?dr|summary|(?:key )?takeaways?|"
    r"in short|bottom line|todo|translator['’]s note|editor['’]s note|attention|nota|avviso|aviso|attenzione|remarque|en résumé|"
    r"resumen|resumo|in breve|hinweis|anmerkung|achtung|fazit|kurz gesagt|opmerking)\s*(?:\([^)]{0,30}\)\s*)?"
    r"|(?:注意|提示|说明|說明|注|备注|備註|译注|译者注|譯註|校对注|编者按|更新|补充|要点|一句话总结|补充说明|補足|補記|追記|注記|要約|まとめ|ヒント|警告|広告|"
    r"声明|免责声明)\s*"
)
# A blockquote that opens so is a note of the author, not a quotation.
OWN_NOTE = re.compile(
    r"\s*(?:[\u2139\u231b\u2600-\u27bf\U0001f300-\U0001faff]|:[a-z0-9_+-]+:\s|\[!(?!quote\b|cite\b)[\w-]+\]"
    rf"|(?:{_NOTE_LABELS})[:：])",
    re.IGNORECASE,
)
# The same in bold needs no colon.
OWN_NOTE_LABEL = re.compile(rf"\s*(?:{_NOTE_LABELS})[:：]?", re.IGNORECASE)
METADATA = re.compile(
    r"\s*(?:subtitle|date|published|updated|author|by|title|source|url|translator|proof-?reader|"
    r"日期|作者|译者|譯者|校对者|校對者|标题|標題|原文地址|原文作者|译文出自|本文永久链接|原文链接|著者|日付)\s*[:：]",
    re.IGNORECASE,
)
# Words right before a pair of marks that say it holds the title of a work.
TITLED = re.compile(
    r"(?:(?<![\w’'])(?:see|(?:en)?titled|headlined|named|called|known as|articles?|papers?|books?|essays?|novels?|blogs?|"
    r"posts?|thesis|talks?|lectures?|podcasts?|episodes?|threads?|chapters?|films?|movies?|videos?|songs?|reports?|study|"
    r"siehe|vgl\.|namens|genannt|Artikel|Buch|Aufsatz|Beitrag|Roman|Titel|"
    r"cf\.|voir|nommée?s?|appelée?s?|intitulée?s?|article|livre|essai|"
    r"véase|llamad[oa]s?|titulad[oa]s?|artículo|libro|novela|ensayo|"
    r"chamad[oa]s?|intitulad[oa]|artigo|livro|chiamat[oa]|intitolat[oa]|articolo|saggio|romanzo|"
    r"стать[яиеюёй]+|книг[аиеу]|книгой)|题为|題為|标题为|標題為|文章|论文|論文|記事)\s*[(*_]*\Z",
    re.IGNORECASE,
)
# At the beginning of a parenthesis: what is told there, not where the words are from.
SEE = re.compile(
    r"\s*(?:(?:see|cf\.?|siehe|s\.|vgl\.|voir|véase|ver|vedi|vide|zie|см\.)(?!\w)|[请請]?(?:[参參详詳]?[见見]|[参參]照|[参參]阅))",
    re.IGNORECASE,
)
# What stands before a link that is part of the sentence.
LEADS_TO_LINK = re.compile(
    r"\b(?:on|at|in|to|see|from|by|with|for|of|is|are|was|be|here|visit|check|checkout|check out|read|use|using|and|or|the|an?|"
    r"auf|bei|siehe|unter|in|su|vedi|en|ver|sur|voir|op|zie)\s*$|[在见見为是到看于於]\s*$",
    re.IGNORECASE,
)


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


# What names the whole work or its form: behind a title it leads to what is called so.
_WORK = re.compile(
    r"pdf|ps|epub|html|paper|preprint|arxiv(?:[:\s]*\d{4}\.\d{4,5}(?:v\d+)?)?|doi|slides?|video|book|link|url|code|repo(?:sitory)?|github|enlace|lien|链接|連結|リンク",
    re.IGNORECASE,
)


def is_work(text: str) -> bool:
    """Tell whether a link's text only says that here is the work, or in which form."""
    return _WORK.fullmatch(text.strip(" \t\n*_[]`")) is not None


_TICKET = re.compile(
    r"(?:[\w./-]*#|GH-|PR ?#?|!|(?:[\w-]+ )?(?:[\w-]*bug|issue|ticket) #?)\d+|[0-9a-f]{7,40}"
    r"|(?:fig(?:ure|ura)?|abb(?:ildung)?|table|tab(?:elle|ella|leau|la)?|图|圖|図|表|그림|рис(?:унок)?)\.?\s?\d[\d.-]*",
    re.IGNORECASE,
)


def is_ticket(text: str) -> bool:
    """Tell whether a link's text is the number of an issue, a figure or a table, or the hash of a commit.

    It leads to a change or to a picture that the text is about, not to the words.
    """
    return _TICKET.fullmatch(text.strip(" \t\n*_`")) is not None


# `Smith on reddit`: whoever said it there.
_SOMEBODY = re.compile(
    r"(?!discuss|comments?\b|threads?\b|more\b|talk\b|posted\b)[@\w.-]+ on (?:reddit|/?r/\w+|hn|hacker news|lobsters|twitter)",
    re.IGNORECASE,
)
# A call to do something, in small letters but for the first: `Get in touch`, not `Getting Things Done`.
_ACTION = re.compile(
    r"(?i:submit|get|contact|download|try|vote|edit|subscribe|sign|open|join|read|see|check|visit|click|back|next|previous|learn|"
    r"watch|listen|follow|view|go|register|share|donate|discover|help|report)(?: [a-z0-9'’-]+)+[.!]?"
)


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


_PROFILE_PATH = re.compile(
    r"/(?:users?|u|people|profiles?|authors?|members?|in)(?:/[^/]*){1,2}/?|/@[\w.-]+(?:/about)?/?",
    re.IGNORECASE,
)
_ONE_NAME_HOSTS = frozenset(
    {
        "twitter.com",
        "x.com",
        "github.com",
        "gitlab.com",
        "instagram.com",
        "facebook.com",
        "mastodon.social",
        "bsky.app",
        "t.me",
    }
)


def is_profile(uri: str) -> bool:
    """Tell whether *uri* is a person's own page, which is seldom where the words stand."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    if not parts.netloc:
        return False
    path = parts.path.rstrip("/")
    host = parts.netloc.lower().removeprefix("www.").removeprefix("mobile.")
    if host in _ONE_NAME_HOSTS and path.count("/") == 1:
        return True
    return _PROFILE_PATH.fullmatch(parts.path) is not None
