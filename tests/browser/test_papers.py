"""Papers in a browser: a run goes on while another page is looked at, and its numbers can be taken away again."""

from tests.browser.conftest import settle

RESULT = "/papers?paper=zhou_2023_mapd&result=tableIV"


def test_a_run_survives_another_page_and_its_numbers_can_be_taken_away(visit):
    page = visit(RESULT)
    page.get_by_text("Run it again here").click()
    page.wait_for_timeout(800)  # it opens with a movement, in which a click may miss
    page.locator(".st-key-run-start button").click()
    page.wait_for_selector(".st-key-run-cancel")
    page.locator(".st-key-menu a", has_text="Data").click()
    page.wait_for_url("**/data*")
    settle(page)
    page.locator(".st-key-menu a", has_text="Papers").click()
    page.wait_for_url("**/papers*")
    assert page.url.endswith(RESULT)
    page.wait_for_selector(".st-key-run-away")
    settle(page)
    words = page.get_by_text("Run in this session on scene, emotions, yeast (1 repeat)")
    assert words.count() == 1
    page.locator(".st-key-run-away button").click()
    page.wait_for_selector(".st-key-run-away", state="detached")
    assert words.count() == 0
