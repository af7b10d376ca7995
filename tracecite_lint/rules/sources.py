"""Rules about sources that could not be read, or hold no readable text."""

from __future__ import annotations

from tracecite_lint.rules import HTTP_STATUS
from tracecite_lint.rules.rule import Rule

NOT_A_MISMATCH = "Nothing is known about the quotation: it may be right or wrong. "

RULES = (
    Rule(
        code="INVALID_OR_BLOCKED_URL",
        group="sources",
        summary="The URL of a source is malformed or of a kind that is never fetched",
        explanation=(
            "Fetched are `http` and `https` URLs with a public host name and the default port. This one cannot be parsed, "
            "is too long, holds credentials or control characters, names another port, an IPv6 literal or an invalid "
            "host, or its host is private by itself: `localhost`, `.local`, `.internal`, a name without a dot, a private "
            "address."
        ),
        why=NOT_A_MISMATCH + "A reader may not be able to open the link either.",
        example="> — [dashboard](https://user:secret@example.org/)",
        fix=(
            "Correct the URL, or cite the public address of the page. A private host that you trust can be let through "
            "by the person who runs the tool, with `--allow-host HOST` or in the user's own settings."
        ),
        fix_in_editor=(
            "Correct the URL, or cite the public address of the page. A private host that you trust can be let through "
            "in your own settings (`allowHost`)."
        ),
    ),
    Rule(
        code="URL_BLOCKED",
        group="sources",
        summary="The source leads to where the tool may not look",
        explanation=(
            "The name of a web source has a private, local or reserved address, or a local file lies outside the "
            "repository after all links are resolved, or is git's own: in a directory called `.git` (or what some file "
            "system takes for that name), or in one that holds a repository, whatever it is called. No connection was "
            "made, and no file was opened. A folder that is swapped for a link meanwhile leads nowhere either; on "
            "Windows, where nothing can be opened relative to a folder, this is looked at once more behind the opening."
        ),
        why=(
            "Documents come from other people. A link in one must not make a build machine read internal services "
            "or files outside the repository."
        ),
        example="> — [notes](../../../etc/passwd)",
        fix=(
            "Cite a public address, or a file inside the repository. A private host that you trust can be let through "
            "by the person who runs the tool, with `--allow-host HOST` or in the user's own settings."
        ),
        fix_in_editor=(
            "Cite a public address, or a file inside the repository. A private host that you trust can be let through "
            "in your own settings (`allowHost`)."
        ),
    ),
    Rule(
        code="HOST_UNRESOLVED",
        group="sources",
        unreachable=True,
        summary="The host name of a source has no address",
        explanation="The name was looked up and has no address, or the look-up failed.",
        why=NOT_A_MISMATCH + "A name that nobody can resolve is often misspelt or given up.",
        example="> — [IANA](https://www.iana.orgg/help)",
        fix="Check the spelling and your network. `--allow-unreachable` keeps such a source from failing the run.",
        fix_in_editor="Check the spelling and your network.",
    ),
    Rule(
        code="HTTP_REQUEST_FAILED",
        group="sources",
        unreachable=True,
        summary="No connection to the source, or it broke before the answer",
        explanation="Connecting, the TLS handshake or sending the request failed, also when tried again.",
        why=NOT_A_MISMATCH,
        example="connection refused; certificate has expired",
        fix=(
            "Try again later; look at the message for the cause. Behind a company proxy set `HTTPS_PROXY` or "
            "`--cafile`. `--allow-unreachable` keeps such a source from failing the run."
        ),
        fix_in_editor=(
            "Read the source again later; look at the message for the cause. Behind a company proxy set `proxy` or `cafile`."
        ),
    ),
    Rule(
        code="REQUEST_TIMEOUT",
        group="sources",
        unreachable=True,
        summary="The source did not answer in time",
        explanation="An attempt may take 20 seconds; this source took longer, also when tried again.",
        why=NOT_A_MISMATCH,
        example="a server under load",
        fix="Try again later. `--allow-unreachable` keeps such a source from failing the run.",
        fix_in_editor="Read the source again later.",
    ),
    Rule(
        code="TOO_MANY_REDIRECTS",
        group="sources",
        summary="The source redirects more than five times",
        explanation="At most five redirects are followed; the sixth response was a redirect again.",
        why=NOT_A_MISMATCH + "Most often it is a loop that waits for a cookie or a login.",
        example="/a → /b → /a → /b → …",
        fix="Open the link and cite the address that you end up at.",
    ),
    Rule(
        code="REDIRECT_WITHOUT_LOCATION",
        group="sources",
        summary="The source redirects without saying where to",
        explanation="The response has a redirect status and no `Location` header.",
        why=NOT_A_MISMATCH + "The server is broken, for browsers too.",
        example="HTTP/1.1 302 Found (and no Location)",
        fix="Open the link and cite the address of the page itself.",
    ),
    Rule(
        code="INVALID_REDIRECT_TARGET",
        group="sources",
        summary="The source redirects to an address that is never fetched",
        explanation="The `Location` of a redirect is malformed, or fails the checks that every URL has to pass.",
        why="Each hop is checked like the first, or a public page could point the tool at a private host.",
        example="Location: http://localhost:8080/",
        fix="Open the link and cite the address of the page itself.",
    ),
    Rule(
        code="HTTPS_DOWNGRADE_REDIRECT",
        group="sources",
        summary="The source redirects from HTTPS to HTTP",
        explanation="A redirect leads from an encrypted to an unencrypted address; it is not followed.",
        why="Whoever sits on the way could put any words into the page.",
        example="https://example.org/a → http://example.org/a",
        fix="Cite an HTTPS address that answers by itself.",
    ),
    Rule(
        code=HTTP_STATUS,
        group="sources",
        summary="The source answered with an HTTP error status",
        explanation=(
            "The code ends in the status: `HTTP_STATUS_404` means that the page is not there, `HTTP_STATUS_410` that "
            "it was taken away. 408, 429 and 5xx count as unreachable: the server could not answer now. (401, 403, "
            "406, 451 and 999 are SOURCE_BLOCKED.)"
        ),
        why=NOT_A_MISMATCH + "A reader who follows a dead link cannot check the quotation either.",
        example="HTTP_STATUS_404: the page was moved",
        fix=(
            "Open the link. If the page moved, cite its new address; if it is gone, cite an archived copy. For 408, "
            "429 and 5xx try again later."
        ),
    ),
    Rule(
        code="SOURCE_TOO_LARGE",
        group="sources",
        summary="The source is larger than 2 MiB",
        explanation="Reading stopped at 2 MiB of decoded body, or a local file is larger than that.",
        why=NOT_A_MISMATCH + "A page that was read in part cannot show that words are missing.",
        example="a log file, a whole book on one page",
        fix="Cite a smaller page that holds the words: a chapter, a section, the raw file.",
    ),
    Rule(
        code="SOURCE_TRUNCATED",
        group="sources",
        summary="The record holds only a part of what was read",
        explanation=(
            "A record of an agent says of a tool's result that it is not whole: `<persisted-output>`, `[1234 lines truncated]`, "
            "`omitted 812 of 1000 lines`, `[Old tool result content cleared]` and the like. The quotation does not stand in "
            "what is left (docs/vendors.md)."
        ),
        why=NOT_A_MISMATCH + "A result that is there in part cannot show that words are missing.",
        example="... [1234 lines truncated] ...",
        fix="Let the agent read the passage again in a smaller piece, or let it link the page that it quotes.",
    ),
    Rule(
        code="INVALID_CONTENT_LENGTH",
        group="sources",
        summary="The source declares an impossible length",
        explanation="The `Content-Length` header is no number, or several of them contradict each other.",
        why=NOT_A_MISMATCH + "Where the answer ends is a guess then.",
        example="Content-Length: -1",
        fix="The server is broken; cite another copy of the page.",
    ),
    Rule(
        code="HTTP_BODY_READ_FAILED",
        group="sources",
        summary="The body of the source could not be read to its end",
        explanation="The connection broke while the page was sent, or its compression is damaged.",
        why=NOT_A_MISMATCH + "A page that was read in part cannot show that words are missing.",
        example="Content-Encoding: gzip (over a body that is no gzip)",
        fix="Try again; if it stays, cite another copy of the page.",
    ),
    Rule(
        code="UNSUPPORTED_CONTENT_TYPE",
        group="sources",
        summary="The source is of a kind that has no text to read",
        explanation=(
            "Text, HTML, XHTML, JSON and XML are read, and PDF when the `pdf` extra is installed. This source is an "
            "image, an archive, a video or something else."
        ),
        why=NOT_A_MISMATCH,
        example="Content-Type: application/zip",
        fix="Cite a page that shows the words as text. For PDF: `pip install '.[pdf]'` in a clone.",
    ),
    Rule(
        code="HTML_PARSE_FAILED",
        group="sources",
        summary="The page could not be parsed",
        explanation="The page's markup is so deep or so broken that parsing it was given up after a limit of time.",
        why=NOT_A_MISMATCH + "The limit keeps a hostile page from holding up every run.",
        example="a page of a hundred thousand nested elements",
        fix="Cite another copy of the page.",
    ),
    Rule(
        code="SOURCE_NOT_UTF8",
        group="sources",
        summary="The source declares no encoding and is not UTF-8",
        explanation="Text without a declared charset, and all JSON, must be UTF-8; these bytes are not.",
        why=NOT_A_MISMATCH + "A guessed encoding would turn correct quotations into wrong ones.",
        example="Content-Type: application/json (over windows-1252 bytes)",
        fix="Cite a copy with a correct declaration; a local file can be saved as UTF-8.",
    ),
    Rule(
        code="SOURCE_HAS_NO_TEXT",
        group="sources",
        summary="The page has no readable text without running its scripts",
        explanation="The page was read, but holds hardly any text: its words are put in by scripts, or it is empty.",
        why=NOT_A_MISMATCH + "Absence of text is no proof of absence of the words.",
        example='<body><div id="root"></div><script src="app.js"></script></body>',
        fix="Cite a version of the page that works without scripts: a print view, the raw file, an archived copy.",
    ),
    Rule(
        code="SOURCE_BLOCKED",
        group="sources",
        unreachable=True,
        summary="The server does not show this page to programs",
        explanation="The answer was 401, 403, 406, 451 or 999, or a challenge, a login or a cookie wall.",
        why=NOT_A_MISMATCH + "The page a person sees is another than the one the tool was given.",
        example="403 Forbidden; “Checking your browser before accessing …”",
        fix=(
            "Check this quotation by hand, or cite a copy that is open. A `user-agent` per host can be set in the "
            "settings. `--allow-unreachable` keeps such a source from failing the run."
        ),
        fix_in_editor=(
            "Check this quotation by hand, or cite a copy that is open. A `user-agent` per host can be set in the settings."
        ),
    ),
    Rule(
        code="NOT_IN_CACHE",
        group="sources",
        unreachable=True,
        summary="The source is not in the cache, and the run is offline",
        explanation="Under `--offline` only local files and pages in the cache are read.",
        why=NOT_A_MISMATCH,
        example="tracecite-lint --offline report.md",
        fix="Run once without `--offline` to fill the cache.",
        fix_in_editor="Let it be fetched: `network` is `on`, the workspace is trusted, and the project is not `offline`.",
    ),
    Rule(
        code="NOT_CHECKED_TIME_BUDGET",
        group="sources",
        unreachable=True,
        summary="The time of the run was up before this source was read",
        explanation="`--max-time SECONDS` limits the whole run; what is left over is reported with this code.",
        why=NOT_A_MISMATCH,
        example="tracecite-lint --max-time 5 report.md",
        fix="Run again (pages that were read are in the cache now), or give the run more time.",
    ),
    Rule(
        code="SOURCE_UNAVAILABLE",
        group="sources",
        summary="The local source cannot be read",
        explanation="The file does not exist, is no regular file, or the system refuses to read it.",
        why=NOT_A_MISMATCH + "A reader who follows the link finds nothing.",
        example="> — [guide](docs/giude.md)",
        fix="Correct the path. It is relative to the document; a path that begins with `/` to the repository.",
    ),
    Rule(
        code="UNSUPPORTED_SOURCE_URI",
        group="sources",
        summary="The source's address is of a scheme that is not read",
        explanation="Web addresses (`//host/path` as https) and files are read; `ftp:`, `doi:`, `data:`, `mailto:` and others are not.",
        why=NOT_A_MISMATCH,
        example="> — [paper](doi:10.1000/182)",
        fix="Cite a web address that leads to the text, for a DOI `https://doi.org/…`.",
    ),
    Rule(
        code="SELF_CITATION",
        group="sources",
        summary="The source is the document itself",
        explanation=(
            "A link to the document's own file, without a part (`#heading`, `#L10-L20`), is no source of a quotation: the "
            "quoted words stand in the file because they are quoted there."
        ),
        why="The quotation would always be found, whatever it says. " + NOT_A_MISMATCH,
        example="> The words of it.\n>\n> — [this page](README.md)",
        fix="Cite where the words are from, or the part of the document that holds them.",
    ),
    Rule(
        code="SOURCE_FILE_MISMATCH",
        group="sources",
        summary="The file is not what the trace captured",
        explanation="`verify-files` compares a `file:` source in full with the trace's `content`; they differ.",
        why="The file changed since the run, or the run did not record what it read.",
        example='{"id":"s1","uri":"file:notes.txt","content":"…the text at the time of the run…"}',
        fix="Run the agent again on the present file, or restore the file as it was.",
    ),
)
