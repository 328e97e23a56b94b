"""Papers in a browser: a run goes on while another page is looked at, and its numbers can be discarded."""

from playwright.sync_api import expect

from tests.browser.conftest import settle

# Of its data sets only yeast is bundled, and one split of one method at three sizes is quick.
RESULT = "/papers?result=figure3"


def test_a_run_survives_another_page_and_its_numbers_can_be_discarded(visit):
    page = visit(RESULT)
    page.get_by_text("Run it again here").click()
    # It opens with a movement, in which a click may miss.
    page.wait_for_function("() => document.getAnimations().every((movement) => movement.playState !== 'running')")
    page.locator(".st-key-run-start button").click()
    page.wait_for_selector(".st-key-run-cancel, .st-key-run-discard")
    page.locator(".st-key-menu a", has_text="Data").click()
    page.wait_for_url("**/data*")
    settle(page)
    page.locator(".st-key-menu a", has_text="Papers").click()
    page.wait_for_url(lambda address: address.endswith(RESULT))
    page.wait_for_selector(".st-key-run-discard")
    settle(page)
    words = page.get_by_text("Run in this session on yeast (1 repeat)")
    expect(words).to_have_count(1)
    page.locator(".st-key-run-discard button").click()
    page.wait_for_selector(".st-key-run-discard", state="detached")
    expect(words).to_have_count(0)


def test_a_verdict_leads_to_its_numbers(walk):
    page = walk("/papers?paper=sechidis_2014")
    page.evaluate("window.sameVisit = true")
    page.locator(".mlfs-verdicts a", has_text="Zhou & Guo 2023").click()
    page.wait_for_selector("h2:has-text('Approximate Pareto Dominance')")
    page.locator(".mlfs-verdicts a", has_text="Table IV").click()
    page.wait_for_selector("h3:has-text('Table IV · Hamming loss, four methods')")
    settle(page)
    assert "result=tableIV" in page.url
    assert page.evaluate("window.sameVisit")
    expect(page).to_have_title("Papers · Zhou & Guo 2023 · mlfs")
    folded = page.locator(".mlfs-verdicts details").first
    assert not folded.locator("p").is_visible()
    folded.locator("summary").click()
    expect(folded.locator("p")).to_be_visible()
