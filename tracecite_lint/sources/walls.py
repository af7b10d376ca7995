"""Pages that stand in front of a text, or in its place: challenges, logins, cookie walls, shells, "not found".

A page is judged only if it shows little text: then a quotation that is not in it says nothing about the source. The
rules are told to users in docs/visible-text.md, in this order.
"""

from __future__ import annotations

import html as entities
import re

from tracecite_lint.light.lazy import regex
from tracecite_lint.sources.errors import SourceError

SHORT = 200
"""Characters, white space collapsed: a page with as much text is never judged by what its text or markup mentions."""
SHORT_BY_TITLE = 1000
"""The same where the page's own title says what it is."""
SEARCHED = 256 * 1024
"""Characters of a page's source that are searched for what it is."""


def _phrases(*phrases: str) -> re.Pattern[str]:
    return regex("|".join(phrases), re.IGNORECASE)


_ATTRIBUTES = r"[^<>]{0,300}"
"""Bounded, and never into another tag: a hostile page must not make a search quadratic."""
_TITLE = regex(r"<title\b[^<>]*>([^<]*)", re.IGNORECASE)

_CHALLENGE_MARKUP = _phrases(
    r"_cf_chl_opt|cf-browser-verification|cf-turnstile|challenge-form",
    r"captcha-delivery\.com|px-captcha|_Incapsula_Resource|/TSPD/|AwsWafIntegration|sucuri_cloudproxy",
    r"g-recaptcha|h-captcha|geetest|anubis_challenge|within\.website/x/cmd/anubis",
)
_CHALLENGE_WORDS = _phrases(
    r"checking (?:if the site connection is secure|your browser)|verif(?:y|ying) (?:that )?you(?:'re| are) (?:a )?human",
    r"(?:are you|you(?:'re| are) not) a (?:robot|bot)|unusual traffic from|enable javascript and cookies to continue",
    r"human verification|pardon our interruption|ddos protection by|request (?:blocked|unsuccessful)",
    r"access (?:to this page )?(?:has been )?denied|you have been blocked|don['’]t have permission to access",
    r"安全验证|人机验证|验证您是真人|アクセスが拒否|로봇이 아닙니다|zugriff verweigert|accès refusé|acceso denegado",
)
_CHALLENGE_TITLES = _phrases(
    r"\A(?:just a moment|attention required|access denied|security check|ddos-guard|human verification)",
    r"\A(?:pardon our interruption|are you a robot|making sure you're not a bot|robot check|bot verification)",
    r"安全验证\Z",
)

_PASSWORD = _phrases(rf"""<input\b{_ATTRIBUTES}\btype\s*=\s*["']?password""")
_SIGN_ON = _phrases(
    r"""\bname\s*=\s*["']?SAML(?:Request|Response)\b""",
    rf"""<form\b{_ATTRIBUTES}\baction\s*=\s*["']?[^"'<>]{{0,300}}\b(?:log-?in|sign-?in|sso|oauth2?|auth|authenticate)\b""",
)
_LOGIN_WORDS = _phrases(
    r"\b(?:log|sign) ?in\b (?:is required )?to (?:continue|view|read|access|see)",
    r"you must (?:be logged in|log in|sign in)|please (?:log|sign) in|login required|authentication required",
    r"bitte (?:melden sie sich an|loggen sie sich ein)|veuillez vous (?:connecter|identifier)|inicia sesión para",
    r"请先?登录|請先?登入|ログインしてください|ログインが必要|로그인이 필요",
)

_COOKIES = _phrases(r"\bcookies?\b|\bconsent\b|クッキー|쿠키")
_AGREEMENT = _phrases(
    r"\b(?:accept|agree|allow|consent|reject|preferences)\b|zustimm|akzeptier|einverstanden|accepte[rz]|aceptar",
    r"accett|accepteren|godkänn|akceptuj|同意|接受|許可|동의",
)

_NOT_FOUND_TITLES = _phrases(
    r"\A\W*(?:error|fehler|erreur|http)?\W*404\s*(?:\Z|[-–—|:.,!(]|error|fehler|not|page|seite)",
    r"\A\W*(?:page|file|seite|document|article|site|content)\b.{0,20}\b(?:not found|nicht gefunden|unavailable)",
    r"\b404\b.{0,20}\bnot found\b|\Anot found\W*\Z|\Apage introuvable|\Apágina no encontrada|\Apagina non trovata",
    r"页面(?:不存在|未找到)|找不到(?:页面|頁面|网页)|ページが見つかりません|페이지를 찾을 수 없",
)
_HEADING = regex(r"<h[1-3]\b[^<>]*>\s*(?:<[^<>]*>\s*){0,4}([^<]{1,300})", re.IGNORECASE)

_RELOCATION = _phrases(r"\blocation(?:\.href)?\s*=\s*[\"'`]|\blocation\.(?:replace|assign)\s*\(")
_RELOCATION_WORDS = _phrases(
    r"redirect|has moved|click here|weitergeleitet|weiterleitung|跳转|\A\Z"
)

_SCRIPT = _phrases(r"<script\b")
_APPLICATION_ROOT = _phrases(
    r"""\bid\s*=\s*["']?(?:root|app|app-root|app-mount|react-root|react-app|__next|__nuxt|___gatsby|svelte|q-app"""
    r"""|main-app|single-spa-application[^"'>\s]*|ember\d*)["'\s>]""",
    r"<app-root\b|\bng-app\b|\bng-version\b|\bdata-reactroot\b|\bdata-v-app\b",
    r"<([a-z]+-[a-z-]+)\b[^<>]*>\s{0,20}</\1\s*>",
)
_NEEDS_SCRIPTS = _phrases(
    r"(?:enable|turn on|activate|requires?|needs?|without|support) (?:\w+ ){0,2}javascript",
    r"javascript (?:\w+ ){0,3}(?:enabled|required|disabled|not supported|turned off)",
    r"javascript (?:aktivieren|einschalten)|activer javascript|habilitar javascript|启用 ?javascript|javascript ?を有効",
)


def wall(
    text: str, html: str, *, frames: bool = False, leads_on: bool = False
) -> SourceError | None:
    """Return the error of a page whose visible *text* is not what its address promises, else None.

    *html* is the page's source, *frames* tells that it is a frameset, *leads_on* that a refresh leads on
    to another page, which then shows the text.
    """
    # A real text may well speak of captchas, cookies or JavaScript: the more text, the less its words count.
    if not is_shorter(text, SHORT_BY_TITLE):
        return None
    text = " ".join(text.split())
    html = html[:SEARCHED]
    # A title is short and speaks for the page as a whole, so it counts where there is more text, too.
    title = _title(html)
    short = len(text) < SHORT
    if _CHALLENGE_TITLES.search(title) or (
        short and (_CHALLENGE_MARKUP.search(html) or _CHALLENGE_WORDS.search(f"{title}\n{text}"))
    ):
        return _blocked("the server asks its visitor to prove to be a person, and shows no text")
    if short and (_PASSWORD.search(html) or _SIGN_ON.search(html) or _LOGIN_WORDS.search(text)):
        return _blocked("the page asks for a login, and shows no text")
    # Both: a recipe names cookies, and a contract names consent.
    if short and _COOKIES.search(text) and _AGREEMENT.search(text):
        return _blocked("the page asks for consent to cookies, and shows no text")
    if _NOT_FOUND_TITLES.search(title) or (short and _not_found_heading(html)):
        return SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the page says that there is no such page, though its status says otherwise",
            help="correct the address, or cite an archived copy",
        )
    if not short or leads_on:
        return None
    if frames:
        return SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the page is a frameset, whose text stands in other pages",
            help="cite the page inside the frame",
        )
    if _RELOCATION.search(html) and _RELOCATION_WORDS.search(text):
        return SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the page only leads on to another",
            help="cite the page it leads to",
        )
    if _SCRIPT.search(html) and (_APPLICATION_ROOT.search(html) or _NEEDS_SCRIPTS.search(text)):
        return SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the page shows its text only to browsers that run scripts",
            help="cite a page whose text can be read without scripts, or an archived copy",
        )
    if not text:
        return SourceError(
            "SOURCE_HAS_NO_TEXT",
            "the page has no visible text",
            help="cite a page whose text can be read without scripts, or an archived copy",
        )
    return None


def is_shorter(text: str, length: int) -> bool:
    """Tell whether *text* has less than *length* characters, each run of white space counted as one."""
    if len(text) < length:
        return True
    # The beginning of a long text tells it, but for one that is nearly all white space.
    begin = " ".join(text[: 4 * length].split())
    return len(begin) < length and len(" ".join(text.split())) < length


def _blocked(message: str) -> SourceError:
    return SourceError(
        "SOURCE_BLOCKED", message, help="cite a page that is open to all, or an archived copy"
    )


def _title(html: str) -> str:
    match = _TITLE.search(html)
    return " ".join(entities.unescape(match[1][:300]).split()) if match else ""


def _not_found_heading(html: str) -> bool:
    return any(_NOT_FOUND_TITLES.search(match[1].strip()) for match in _HEADING.finditer(html))
