"""Papers in a browser: a run goes on while another page is looked at, and its numbers can be taken away again."""

from tests.browser.conftest import settle

# Of its data sets only yeast is bundled, and one split is quick.
RESULT = "/papers?result=table6"


def test_a_run_survives_another_page_and_its_numbers_can_be_taken_away(visit):
    page = visit(RESULT)
    page.get_by_text("Run it again here").click()
    # It opens with a movement, in which a click may miss.
    page.wait_for_function("() => document.getAnimations().every((movement) => movement.playState !== 'running')")
    page.locator(".st-key-run-start button").click()
    page.wait_for_selector(".st-key-run-cancel, .st-key-run-away")
    page.locator(".st-key-menu a", has_text="Data").click()
    page.wait_for_url("**/data*")
    settle(page)
    page.locator(".st-key-menu a", has_text="Papers").click()
    page.wait_for_url("**/papers*")
    assert page.url.endswith(RESULT)
    page.wait_for_selector(".st-key-run-away")
    settle(page)
    words = page.get_by_text("Run in this session on yeast (1 repeat)")
    assert words.count() == 1
    page.locator(".st-key-run-away button").click()
    page.wait_for_selector(".st-key-run-away", state="detached")
    assert words.count() == 0
