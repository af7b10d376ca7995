"""Rules about quotations, their sources and their suppressions in documents."""

from __future__ import annotations

from tracecite_lint.model import Severity
from tracecite_lint.rules.rule import Rule

_NOT_IN_SOURCE = ("QUOTE_NOT_IN_LIVE_SOURCE", "QUOTE_NOT_IN_SOURCE")

RULES = (
    Rule(
        code="QUOTE_NOT_IN_LIVE_SOURCE",
        group="citations",
        summary="The quotation does not stand in the web page it cites",
        explanation=(
            "The page was read in full, and its visible text does not hold these words in this order. Typography is "
            "no difference (curly or straight quotation marks, kinds of dashes, white space, `…` for words left out); "
            "a letter, a digit, a negation or the end of a word is. Similarity never passes: the closest passage "
            "that is shown is a suggestion, not a verdict."
        ),
        why=(
            "Readers take words between quotation marks for the source's own. A quotation that was changed, put "
            "together from several places or made up says something the source did not say. The page may also have "
            "changed since it was quoted, and a reader who follows the link will not find the words."
        ),
        example=(
            "According to the page, “example domains may be used without permission”\n"
            "([IANA](https://www.iana.org/help/example-domains))."
        ),
        fix=(
            "Compare with the closest passage that the report shows and put the source's words in; `--fix` does so "
            "where no word changes, `--unsafe-fixes` where one passage is close. Mark words left out with `…` and words of your own with `[brackets]`. If another "
            "source holds the words, cite that one. If the page changed, cite an archived copy of it."
        ),
        fix_in_editor=(
            "Put the source's words in: a quick fix does so where one passage is close. Mark words left out with `…` "
            "and words of your own with `[brackets]`. If the page changed, cite an archived copy of it."
        ),
    ),
    Rule(
        code="QUOTE_NOT_IN_SOURCE",
        group="citations",
        summary="The quotation does not stand in the local or captured source it cites",
        explanation=(
            "For a file in the repository: the file was read in full and, compared as rendered, does not hold these "
            "words; with `#heading` or `#L10-L20` only that part counts. For an agent trace: the quotation is not a "
            "substring, byte for byte, of the `content` that the trace itself captured."
        ),
        why=(
            "The text that the quotation claims to come from is at hand and says something else. In a trace this "
            "means that the model did not copy its evidence but worded it anew."
        ),
        example="As the [guide](guide.md#install) says:\n\n> Restart the service after every change.",
        fix=(
            "Put the source's words in (`--fix` does so where no word changes, `--unsafe-fixes` where one passage is close), cite the right file or section, or "
            "take the quotation marks away if the words are a paraphrase."
        ),
        fix_in_editor=(
            "Put the source's words in (a quick fix does so where one passage is close), cite the right file or section, "
            "or take the quotation marks away if the words are a paraphrase."
        ),
    ),
    Rule(
        code="QUOTE_CASE",
        group="citations",
        severity=Severity.WARNING,
        covered_by=_NOT_IN_SOURCE,
        summary="The first letter of the quotation is in another case than in its source",
        explanation=(
            "The source holds these words, and its first letter is in the other case. The verdict is `mismatch`; a "
            "warning: by itself it fails nothing. What is said of `QUOTE_NOT_IN_LIVE_SOURCE` or `QUOTE_NOT_IN_SOURCE` "
            "in settings, comments and baselines holds for it too."
        ),
        why=(
            "A quotation that is fitted into a sentence changes its first letter; scholarly style marks that with "
            "brackets, so that nobody takes a part of a sentence for the whole."
        ),
        example="The page says that “the restart takes a minute” ([guide](guide.md)), and there it is “The restart …”.",
        fix="Write `[t]he`, as `--fix` does, or quote from a later word on.",
        fix_in_editor="Write `[t]he`, as the quick fix does, or quote from a later word on.",
    ),
    Rule(
        code="QUOTE_PUNCTUATION",
        group="citations",
        severity=Severity.WARNING,
        covered_by=_NOT_IN_SOURCE,
        summary="The quotation differs from its source in its punctuation alone",
        explanation=(
            "The source holds these words in this order, with other commas, full stops, colons, semicolons, spaces, "
            "quotation marks or dashes between them. `?`, `!`, an apostrophe and a sign at a digit are no such "
            "difference. The verdict is `mismatch`; a warning: by itself it fails nothing. What is said of "
            "`QUOTE_NOT_IN_LIVE_SOURCE` or `QUOTE_NOT_IN_SOURCE` in settings, comments and baselines holds for it too."
        ),
        why="A comma can change what a sentence says, and mostly does not: it is to be seen, and not to stop a commit.",
        example="“The gate is shut when the tide turns and the pond is full” of a page that has a comma after “turns”",
        fix="Write it as the source does; `--fix` does so, and changes no word.",
        fix_in_editor="Write it as the source does; the quick fix does so, and changes no word.",
    ),
    Rule(
        code="OMITTED_NEGATION",
        group="citations",
        severity=Severity.WARNING,
        summary="An omission mark leaves out a negation",
        explanation=(
            "All parts of the quotation stand in the source in this order, so it is verified. But within one sentence "
            "the `…` leaves out a negation (“not”, “never”, “without” and their like, in many languages). A warning: it fails "
            "nothing."
        ),
        why="“The drug is … safe for children” of “The drug is not yet safe for children” turns its source round.",
        example="“The drug is … safe for children” ([leaflet](leaflet.md)), which has “is not yet safe”",
        fix="Read the sentence in its source; quote it in full, or so that what it denies is denied.",
    ),
    Rule(
        code="ELLIPSIS_GAP",
        group="citations",
        severity=Severity.WARNING,
        summary="An omission mark stands for more than 2,000 characters of the source",
        explanation=(
            "All parts of the quotation stand in the source in this order, so it is verified. But what the `…` left "
            "out is longer than 2,000 characters. A warning: it fails nothing."
        ),
        why=(
            "Parts that stand far from each other may belong to different arguments; joined by an omission mark they "
            "can say what neither says."
        ),
        example="> The committee met in May … and the proposal was adopted.\n>\n> — [minutes](https://example.org/minutes)",
        fix="Quote the two passages one by one, each with its source, or look whether what was left out matters.",
    ),
    Rule(
        code="UNDEFINED_REFERENCE",
        group="citations",
        summary="The quotation points at a reference that is defined nowhere in the document",
        explanation=(
            "`[text][label]`, `[^label]` or `[3]` stands where the source of a quotation would, but the document has "
            "no definition of that label and no entry of that number. The source is never guessed."
        ),
        why="The quotation has no source, although it looks as if it had one; nothing can be checked.",
        example="“The cache is never read again.”[^cache]",
        fix="Define the reference (`[^cache]: [title](url)`), or correct the label or the number.",
    ),
    Rule(
        code="UNASSOCIATED_QUOTE",
        group="citations",
        severity=Severity.WARNING,
        default=False,
        summary="A quotation without a source in reach",
        explanation=(
            "Words stand in quotation marks or in a blockquote, and no link, footnote or reference stands where a "
            "source would be looked for; the message tells why it is passed over (docs/citations.md has all reasons). Off "
            "unless selected: most documents also use quotation marks for titles, terms and irony. How many there are stands "
            "at the end of every run."
        ),
        why="Where every quotation must have a source, this one cannot be checked by anybody.",
        example="One engineer called it “the most expensive typo in the history of the company”.",
        fix="Put the source right after the quotation, or take the quotation marks away.",
    ),
    Rule(
        code="LEFTOVER_MARKER",
        group="citations",
        severity=Severity.WARNING,
        summary="A mark that an assistant left behind and that leads nowhere",
        explanation=(
            "`【7†L16-L18】`, `citeturn0search1`, `:contentReference[oaicite:3]`, `[cite: 3]`, `[s.id]` or a placeholder such as "
            "`[Verbatim quote pending]` stands in the text, and the document has no entry for it. Where such a mark stands in "
            "the place of a quotation's source it is UNDEFINED_REFERENCE instead."
        ),
        why=(
            "The mark pointed at something in the assistant's own session. For a reader it is noise, and what it stood for "
            "was never given a source."
        ),
        example="The committee met in May. 【7†L16-L18】",
        fix="Replace the mark by the source that it stood for, or take it out.",
    ),
    Rule(
        code="TRACKING_PARAMETER",
        group="citations",
        severity=Severity.INFO,
        summary="A source's address says where the reader comes from",
        explanation=(
            "The address holds a parameter such as `utm_source=chatgpt.com`, `gclid` or `fbclid`, which counts clicks and has "
            "nothing to do with the page. `--fix` takes it out."
        ),
        why="It tells the publisher which tool a reader used, and makes two sources of one page.",
        example="“The cache is never read again” ([essay](https://example.org/essay?utm_source=chatgpt.com)).",
        fix="Take the parameter out of the address.",
    ),
    Rule(
        code="MALFORMED_TEXT_DIRECTIVE",
        group="citations",
        severity=Severity.WARNING,
        summary="A text directive that browsers do not read, or read in another way than it looks",
        explanation=(
            "In `#:~:text=[prefix-,]start[,end][,-suffix]` a part is empty, there are too many parts, or a term holds a hyphen "
            "that is not written `%2D`."
        ),
        why="The browser leaves the directive out: the link leads to the page, and nothing there is pointed at.",
        example="[the essay](https://example.org/essay#:~:text=well-known%20words)",
        fix="Write hyphens and commas inside a term as `%2D` and `%2C`, and give every directive a start.",
    ),
    Rule(
        code="FIGURE_NOT_IN_SOURCE",
        group="citations",
        severity=Severity.WARNING,
        summary="A figure of a linked claim does not stand in its source",
        explanation=(
            "Under `--claims figures` the percentages, sums of money, scaled numbers, decimals and whole numbers from 13 up of "
            "a sentence that names a source are looked for in the visible text of that source, by their value: in any "
            "grouping, script, scale word or number word, and rounded to the claim's last digit. This one is not there. Years "
            "and dates count only where no figure of the sentence stands. Several sources have to hold the figures together."
        ),
        why=(
            "A changed digit is the most common slip in a summary, and nobody sees it. The figure may also have been computed, "
            "converted or taken from another source, so this is a warning: whether the claim is supported is not checked."
        ),
        example="The plant runs at 84.2 % of its capacity ([report](https://example.org/report)).",
        fix="Compare with the source; name the source that has the figure, or say how it was worked out.",
    ),
    Rule(
        code="TITLE_NOT_IN_SOURCE",
        group="citations",
        severity=Severity.INFO,
        summary="The title that a link is nothing but does not stand on its page",
        explanation=(
            "Under `--claims titles`: fewer than three in four of the words of four letters and more, numbers or signs of the "
            "link's text stand on the page that it leads to. Titles of fewer than three such words are not looked for, names "
            "of people neither."
        ),
        why="The address of one work with the title of another is a sign of a reference that was made up or mixed up.",
        example="- [A survey of tidal barriers in northern seas](https://example.org/unrelated)",
        fix="Follow the link; correct the title or the address.",
    ),
    Rule(
        code="UNUSED_SUPPRESSION",
        group="suppressions",
        severity=Severity.WARNING,
        summary="A suppression comment that silences nothing",
        explanation=(
            "None of the lines for which the comment stands has a finding with one of its codes. Reported only when "
            "the document was checked in full and the rules in question were on."
        ),
        why="A suppression that outlived its finding will silence the next, real one.",
        example="<!-- tracecite-disable-next-line QUOTE_NOT_IN_LIVE_SOURCE -- page was down -->",
        fix="Delete the comment, or the code in it that is not needed any more.",
    ),
    Rule(
        code="MALFORMED_SUPPRESSION",
        group="suppressions",
        severity=Severity.WARNING,
        summary="A suppression comment that is not understood",
        explanation=(
            "The comment begins with `tracecite-`, but what follows is none of `disable-next-line`, `disable-line`, "
            "`disable`, `enable` and `disable-file`, or it enables what nothing has disabled. It silences nothing."
        ),
        why="A misspelt suppression looks as if it held, and a misspelt `enable` silences the rest of the document.",
        example="<!-- tracecite-disable-nextline QUOTE_NOT_IN_LIVE_SOURCE -->",
        fix="Correct the word after `tracecite-`; docs/suppressions.md shows every form.",
    ),
    Rule(
        code="UNKNOWN_SUPPRESSION_CODE",
        group="suppressions",
        severity=Severity.WARNING,
        summary="A suppression comment names a code that does not exist",
        explanation="The comment names a code that no rule has, often one that is misspelt. It silences nothing.",
        why="The finding that it was meant for is still reported, or will be.",
        example="<!-- tracecite-disable-line QUOTE_NOT_IN_LIVE_SORCE -->",
        fix="Write the code as the report does; `tracecite-lint explain --all` lists every code.",
    ),
)
