"""The html report in a real browser: how it is laid out, filtered, read without scripts, and attacked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from output_sample import RESULT
from test_html import HOSTILE, hostile_everywhere

from benchmarks.html_page import LATIN, run
from tracecite_lint.model import CheckResult, Verdict

SHOWN = "() => [...document.querySelectorAll('.e')].filter(e => e.checkVisibility()).length"
WIDTHS = [360, 1440]


def filtered(page, action) -> int:
    """Do *action*, wait until the page has filtered, and return how many entries are shown."""
    before = page.locator(".tools").get_attribute("data-at")
    action()
    page.wait_for_function(
        "before => document.querySelector('.tools').dataset.at !== before", arg=before
    )
    return page.evaluate(SHOWN)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("result", [RESULT, CheckResult()], ids=["sample", "empty"])
def test_nothing_is_wider_than_the_window(opened, width, result):
    page = opened(result, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = "() => [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
    assert page.evaluate(wide) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(RESULT, width=width, color_scheme=scheme)

    found = axe.Axe().run(page)

    assert found.violations_count == 0, found.generate_report()


def test_the_keys_can_be_read_by_axe(opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(RESULT)
    page.keyboard.press("?")

    assert axe.Axe().run(page).violations_count == 0


def test_the_page_is_whole_without_scripts(opened):
    page = opened(RESULT, java_script_enabled=False)

    assert page.locator(".tools").is_hidden()
    assert page.locator(".e").count() == len(RESULT.citations) + 3
    for entry in page.locator(".e").all():
        assert entry.is_visible()
    assert page.locator("article.mismatch ins").first.inner_text() == "with12"
    page.get_by_role("link", name="report.md").first.click()
    assert page.url.endswith("#f0")


def test_filters_show_what_fits(opened):
    page = opened(RESULT)
    total = page.evaluate(SHOWN)

    assert page.locator("#n").inner_text() == f"all {total}"
    assert filtered(page, lambda: page.fill("#q", "WITHOUT  permission")) == 1
    assert page.locator("#n").inner_text() == f"1 of {total}"
    assert filtered(page, lambda: page.fill("#q", "")) == total
    assert filtered(page, lambda: page.locator("label", has_text="mismatched").click()) == total - 3
    assert page.locator("article.mismatch").first.is_hidden()
    assert filtered(page, lambda: page.select_option("#h", "example.net")) == 1
    assert filtered(page, lambda: page.get_by_role("button", name="Clear").click()) == total
    assert filtered(page, lambda: page.select_option("#c", "UNUSED_SUPPRESSION")) == 1
    page.locator("h1").click()
    assert filtered(page, lambda: page.keyboard.press("x")) == total
    assert filtered(page, lambda: page.locator(".tables button", has_text="iana.org").click()) == 2
    assert filtered(page, lambda: page.fill("#q", "no such words")) == 0
    assert page.get_by_text("Nothing fits these filters.").is_visible()
    assert page.locator(".found").is_hidden()


def test_keys_lead_through_the_findings(opened):
    page = opened(RESULT)
    focused = "() => document.activeElement.querySelector('.place')?.textContent"
    page.evaluate(
        "() => { globalThis.went = []; document.addEventListener('click', (event) => { const a = event.target.closest('a');"
        " if (a) { went.push(a.className); event.preventDefault(); } }); }"
    )

    page.keyboard.press("j")
    assert page.evaluate(focused) == "5:25"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "7:5"
    page.keyboard.press("k")
    assert page.evaluate(focused) == "5:25"
    page.keyboard.press("o")
    page.keyboard.press("l")
    assert page.evaluate("went") == ["src", "place"]
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("j")
    assert page.input_value("#q") == "j"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_system_and_can_be_turned(opened, scheme):
    page = opened(RESULT, color_scheme=scheme)
    paper = "() => getComputedStyle(document.body).backgroundColor"
    first = page.evaluate(paper)

    page.keyboard.press("t")
    turned = page.evaluate(paper)
    page.get_by_role("button", name="Light or dark").click()

    assert first == {"light": "rgb(251, 250, 247)", "dark": "rgb(22, 24, 28)"}[scheme]
    assert turned != first
    assert page.evaluate(paper) == first


def test_on_paper_all_is_there_and_no_filter(opened):
    page = opened(RESULT, color_scheme="dark")
    page.emulate_media(media="print")

    assert page.locator(".tools").is_hidden()
    assert (
        page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert (
        page.evaluate("() => getComputedStyle(document.querySelector('.part')).contentVisibility")
        == "visible"
    )


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_run_and_load_nothing(opened, words):
    page = opened(hostile_everywhere(words))

    assert page.locator(".e").count() == len(RESULT.citations) + 3
    page.locator("h1").click()
    page.keyboard.press("j")


def test_a_place_in_a_source_is_found_by_the_browser(opened, browser, tmp_path):
    source = tmp_path / "source.html"
    words = "of the words that are cited, here are some"
    source.write_text(
        f"<p>before<div style='height:5000px'></div><p>All {words}, and more.", "utf-8"
    )
    item = replace(
        RESULT.citations[0],
        citation=replace(RESULT.citations[0].citation, passages=(words,)),
    )
    page = opened(CheckResult(citations=(item,)))
    address = page.locator("a.src").get_attribute("href")
    context = browser.new_context()
    tab = context.new_page()

    tab.goto(f"{source.as_uri()}#{address.partition('#')[2]}")
    tab.wait_for_function("scrollY > 1000")

    context.close()


def test_a_large_page_lays_out_what_is_in_view(opened):
    page = opened(run(2_000, Verdict.MISMATCH, LATIN))
    laid_out = "() => [...document.querySelectorAll('.e')].filter(e => e.checkVisibility({contentVisibilityAuto: true})).length"

    assert page.evaluate(SHOWN) == 2_000
    assert page.evaluate(laid_out) < 500
    assert filtered(page, lambda: page.fill("#q", "page-777")) == 1
    assert page.evaluate("document.documentElement.scrollHeight") < 6_000
