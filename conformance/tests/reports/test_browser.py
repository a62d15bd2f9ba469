"""The HTML report in headless Chromium: clicked, filtered, printed, in the dark, on a small screen."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from mluops_conformance.judging.values import Distribution, OutputVerdict
from mluops_conformance.reports.html import render

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium and chromedriver on this machine"),
]

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1300,900")
DISTRIBUTION = Distribution((2, 3), 4, (0,) * 30 + (2, 1) + (0,) * 16, (".9.", "!8."))
CASES = 3000


@pytest.fixture(scope="module")
def browser():
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in ARGUMENTS:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the page of a run; at the end, nothing may have been complained about in the console."""

    def open_(run, address="", **more):
        path = tmp_path / "report.html"
        path.write_text(render(run, **more), encoding="utf-8")
        browser.get("about:blank")
        browser.get(f"{path.as_uri()}#{address}")
        wait(browser, "return Boolean(window.app)")
        return Page(browser)

    yield open_
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.get_log("browser") == []


def wait(browser, condition):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(condition))


class Page:
    """The page as a reader sees and uses it."""

    def __init__(self, browser):
        self.browser = browser

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def text(self, selector):
        return self.one(selector).text

    def rows(self):
        return [element.text.splitlines()[:2] for element in self.all(".row")]

    def type(self, words):
        box = self.one("#query")
        box.clear()
        box.send_keys(words)

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def choose(self, selector, name):
        from selenium.webdriver.support.ui import Select

        Select(self.one(selector)).select_by_visible_text(name)

    def ask(self, script):
        return self.browser.execute_script(f"return {script}")


@pytest.fixture
def run(run_of, case, failed):
    output = replace(failed.outputs[0], distribution=DISTRIBUTION)
    return run_of(
        case(),
        case("skipped", "masked_im2col_forward/device-only", "no device"),
        case("crashed", "nms_rotated/broken", "its process was ended by SIGSEGV"),
        replace(failed, outputs=(output,), sizes={"N": 18177}),
    )


class TestCases:
    def test_failures_come_first_and_the_first_is_shown(self, opened, run):
        page = opened(run)
        assert page.rows()[:2] == [["failed", "bad"], ["crashed", "broken"]]
        assert "diff3 is 0.25, above 0" in page.text("#detail .reasons")

    def test_a_click_on_a_case_shows_it(self, opened, run):
        page = opened(run)
        page.all(".row")[1].click()
        wait(page.browser, "return document.querySelector('#detail h2').textContent.includes('broken')")
        assert "ended by SIGSEGV" in page.text("#detail")
        assert page.ask("decodeURIComponent(location.hash)") == "#case/nms_rotated/broken"
        assert page.all(".row")[1].get_attribute("aria-selected") == "true"

    def test_causes_stand_above_the_cases_and_a_click_leaves_those_of_one(self, opened, run_of, case):
        failed = [
            replace(case("failed", f"op/{name}", reason), size=size)
            for name, reason, size in (("a", "lost", 9), ("b", "lost", 1), ("c", "kept", 5))
        ]
        page = opened(run_of(case(), *failed))
        assert page.text("#causes-title") == "3 bad cases with 2 causes"
        assert [line.text.split() for line in page.all(".cause")] == [
            ["1", "failed", "op", "kept"],
            ["2", "failed", "op", "lost"],
        ]
        assert [name for _, name in page.rows()] == ["c", "b", "a", "network-34"]
        page.all(".cause")[1].click()
        assert [name for _, name in page.rows()] == ["b", "a"]
        assert "op/a" in page.text("#detail .facts")
        page.all(".cause")[1].click()
        assert len(page.rows()) == 4

    def test_without_a_common_cause_there_is_no_list_of_them(self, opened, run):
        assert not opened(run).one("#causes").is_displayed()

    def test_a_failing_case_has_repeat_line_thresholds_elements_and_plots(self, opened, run):
        page = opened(run)
        detail = page.text("#detail")
        for words in (
            "mluops-conformance run nms_rotated/bad --seed 7",
            "cases/nms_rotated/network.yaml:12",
            "N 18177",
            "at most 0",
            "static 0 (int32); the document, 1.5.1",
            "[3]",
            "2.5",
            "nms_rotated/1.5.1/diff3",
        ):
            assert words in detail
        assert len(page.all("#detail svg[aria-label='histogram of relative errors'] rect.bar")) == 2
        assert len(page.all("#detail svg[aria-label='map of errors'] rect.odd")) == 1

    def test_an_address_opens_its_case(self, opened, run):
        page = opened(run, "case/masked_im2col_forward/device-only")
        assert "no device" in page.text("#detail")

    def test_only_the_rows_in_view_are_in_the_document(self, opened, run_of, case):
        page = opened(run_of(*(case(case_id=f"op/{i:06}") for i in range(CASES))))
        assert len(page.all(".row")) < 60
        page.browser.execute_script("document.getElementById('list').scrollTop = 1e9")
        wait(page.browser, f"return document.getElementById('space').textContent.includes('{CASES - 1}')")

    def test_hostile_texts_are_shown_and_do_nothing(self, opened, run_of, case):
        hostile = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
        page = opened(run_of(case("failed", f"op/{hostile}", hostile)))
        assert hostile in page.text("#detail .reasons")
        assert page.ask("window.hacked") is None

    def test_a_run_without_cases_says_so(self, opened, run_of):
        assert "No case is left" in opened(run_of()).text("#list")

    def test_a_case_that_stepped_has_a_timeline_and_a_steady_one_says_so(self, opened, run_of, case):
        runs = [{"name": f"night-{i}", "started": "", "library": "1.11.1"} for i in range(3)]
        past = {"runs": runs, "cases": {"op/bad": [["passed", 0.1], ["", None], ["failed", "inf"]]}}
        page = opened(run_of(case("failed", "op/bad"), case(case_id="op/good")), history=past)
        assert len(page.all("svg[aria-label='the case over stored runs'] circle")) == 2
        assert len(page.all("svg[aria-label='the case over stored runs'] line.step")) == 1
        page.all(".row")[1].click()
        wait(page.browser, "return document.getElementById('detail').textContent.includes('No step in 3')")


class TestFilters:
    def test_words_must_all_hold(self, opened, run):
        page = opened(run)
        page.type("NMS sigsegv")
        assert page.rows() == [["crashed", "broken"]]
        assert page.text("#count") == "1 of 4 cases"
        assert "broken" in page.text("#detail h2")

    def test_outcomes_are_a_union(self, opened, run):
        page = opened(run)
        page.one("[data-outcome=skipped]").click()
        page.one("[data-outcome=passed]").click()
        assert [outcome for outcome, _ in page.rows()] == ["skipped", "passed"]
        page.one("[data-outcome=passed]").click()
        assert [outcome for outcome, _ in page.rows()] == ["skipped"]

    def test_operator_and_order(self, opened, run):
        page = opened(run)
        page.choose("#operator", "masked_im2col_forward")
        assert page.rows() == [["skipped", "device-only"]]
        page.choose("#operator", "all")
        page.choose("#order", "as they ran")
        assert [name for _, name in page.rows()] == ["network-34", "device-only", "broken", "bad"]

    def test_in_a_green_run_what_was_not_plainly_passed_comes_first_and_then_ids_count(
        self, opened, run_of, case
    ):
        records = [
            *(case(case_id="op/b"), case(case_id="op/a"), case("skipped", "op/s", "no device")),
            *(case("unsupported", "op/u", "too old"), case("xfailed", "op/x", "known")),
        ]
        page = opened(run_of(*records))
        assert [name for _, name in page.rows()] == ["x", "u", "s", "a", "b"]

    def test_nothing_left_is_said(self, opened, run):
        page = opened(run)
        page.type("no-such-thing")
        assert "No case is left by these filters." in page.text("#list")


class TestPages:
    def tab(self, page, name):
        page.one(f"#tabs [data-page={name}]").click()
        wait(page.browser, f"return document.getElementById('{name}').childElementCount > 0")

    def test_a_requirement_leads_to_the_cases_that_check_it(self, opened, run_of, case):
        other = replace(case("failed", "nms_rotated/other"), requirements=())
        page = opened(run_of(case(), other))
        self.tab(page, "requirements")
        page.one("#requirements td a").click()
        wait(page.browser, "return !document.getElementById('cases').hidden")
        assert page.rows() == [["passed", "network-34"]]
        assert page.one("#query").get_attribute("value") == "nms_rotated/1.5.1/diff3"

    def test_a_case_leads_to_its_requirement(self, opened, run):
        page = opened(run)
        page.one("#detail a[href^='#requirement/']").click()
        wait(page.browser, "return document.getElementById('query').value !== ''")
        assert page.text("#count") == "4 of 4 cases"

    def test_requirements_can_be_narrowed_to_what_needs_a_look(self, opened, run_of, case):
        good = replace(case(), requirements=("nms_rotated/1.1/fine",))
        page = opened(run_of(good, case("failed", "nms_rotated/other")))
        self.tab(page, "requirements")
        assert len(page.all("#requirements tbody tr")) == 2
        page.choose("#kind", "with a case that needs a look")
        assert [row.text.split()[0] for row in page.all("#requirements tbody tr")] == ["1.5.1/diff3"]

    def test_accuracy_names_the_case_closest_to_each_threshold(self, opened, run):
        page = opened(run)
        self.tab(page, "accuracy")
        row = page.text("#accuracy tbody tr").split()
        assert row == ["nms_rotated", "output", "diff3", "not", "exact", "nms_rotated/bad"]

    def test_the_run_tells_what_it_ran_on(self, opened, run):
        page = opened(run)
        self.tab(page, "run")
        text = page.text("#run")
        assert "library.version" in text
        assert "1.11.1" in text


class TestKeyboard:
    def test_arrows_move_through_the_list(self, opened, run):
        from selenium.webdriver.common.keys import Keys

        page = opened(run)
        page.browser.execute_script("document.getElementById('list').focus()")
        page.press(Keys.ARROW_DOWN)
        wait(page.browser, "return document.querySelector('#detail h2').textContent.includes('broken')")
        page.press(Keys.END)
        wait(page.browser, "return document.querySelector('#detail h2').textContent.includes('network-34')")
        page.press(Keys.HOME)
        wait(page.browser, "return document.querySelector('#detail h2').textContent.includes('bad')")

    def test_a_slash_goes_to_the_filter_and_escape_to_the_list(self, opened, run):
        from selenium.webdriver.common.keys import Keys

        page = opened(run)
        page.press("/")
        assert page.ask("document.activeElement.id") == "query"
        page.press("broken", Keys.ESCAPE)
        assert page.ask("document.activeElement.id") == "list"
        assert page.text("#count") == "1 of 4 cases"


class TestTimes:
    def test_a_run_in_which_times_were_measured_has_a_page_of_them(self, opened, run_of, timed):
        page = opened(run_of(timed("op/a"), timed("op/b")), "times")
        assert [tab.text for tab in page.all("#tabs a")] == [
            "Cases",
            "Requirements",
            "Accuracy",
            "Times",
            "Run",
        ]
        assert "is met by 0 of 2 cases" in page.text("#times")
        rows = [row.text for row in page.all("#times tbody tr")]
        assert [row.split()[:3] for row in rows] == [["op/a", "20", "us"], ["op/b", "20", "us"]]

    def test_a_case_has_its_own_times(self, opened, run_of, timed):
        page = opened(run_of(timed("op/a")), "case/op/a")
        assert "20 us to 26 us" in page.text("#detail .facts")

    def test_any_other_run_has_no_such_page(self, opened, run):
        assert "Times" not in [tab.text for tab in opened(run).all("#tabs a")]


class TestSurroundings:
    def test_it_is_dark_where_the_reader_wants_it_dark(self, opened, run):
        page = opened(run)
        back = "getComputedStyle(document.body).backgroundColor"
        light = page.ask(back)
        features = [{"name": "prefers-color-scheme", "value": "dark"}]
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        assert (light, page.ask(back)) == ("rgb(255, 255, 255)", "rgb(20, 23, 27)")

    def test_a_small_screen_needs_no_sideways_scrolling(self, opened, run):
        page = opened(run)
        size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        assert page.ask("document.documentElement.scrollWidth") <= 400

    def test_on_paper_stand_the_cases_that_need_a_look(self, opened, run):
        page = opened(run)
        page.browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        titles = [element.text for element in page.all("#print h2")]
        assert titles == ["failed nms_rotated/bad", "crashed nms_rotated/broken"]
        assert not page.one("#panes").is_displayed()

    def test_without_scripts_it_is_the_text_report(self, browser, tmp_path, run):
        path = tmp_path / "report.html"
        path.write_text(render(run), encoding="utf-8")
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.get(path.as_uri())
        shown = browser.find_element("id", "plain").text
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert "CRASHED nms_rotated/broken" in shown
        assert "1 passed, 1 failed, 1 crashed, 1 skipped" in shown


class TestLongIds:
    LONG = "network-shape:" + ",".join(f"dimension_{i}={1000 + i}" for i in range(12))

    @pytest.fixture
    def page(self, opened, run_of, case):
        wide = "W" * 150
        return opened(run_of(*(case("failed", f"op/{self.LONG},{i}-{wide}", "why") for i in range(40))))

    def test_no_row_cuts_its_id(self, page):
        parts = "[...document.querySelectorAll('.row .name')]"
        assert page.ask(f"{parts}.every((part) => part.scrollWidth <= part.clientWidth)")
        assert page.ask(f"{parts}.every((part) => part.scrollHeight <= part.clientHeight)")
        assert page.ask(
            "[...document.querySelectorAll('.row')].every((row) => row.scrollHeight <= row.clientHeight)"
        )

    def test_rows_stand_one_below_the_other_and_the_last_can_be_reached(self, page):
        from selenium.webdriver.common.keys import Keys

        page.browser.execute_script("document.getElementById('list').focus()")
        page.press(Keys.END)
        wait(page.browser, "return document.querySelector('[aria-posinset=\"40\"][aria-selected=true]')")
        boxes = page.ask(
            "[...document.querySelectorAll('.row')].map((row) => [row.offsetTop, row.offsetHeight])"
        )
        assert all(top + height == below for (top, height), (below, _) in zip(boxes, boxes[1:]))
        assert sum(boxes[-1]) == page.ask("document.getElementById('space').offsetHeight")
        assert page.ask("list.scrollTop + list.clientHeight") >= sum(boxes[-1])

    def test_a_narrower_window_gives_more_lines(self, page):
        before = page.ask("document.querySelector('.row').offsetHeight")
        size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wait(page.browser, f"return document.querySelector('.row').offsetHeight > {before}")
        self.test_no_row_cuts_its_id(page)


class TestUnpacking:
    def shown(self, browser, tmp_path, run, change):
        path = tmp_path / "report.html"
        document = render(run)
        changed = change(document)
        assert changed != document
        path.write_text(changed, encoding="utf-8")
        browser.get(path.as_uri())
        texts = [browser.find_element("css selector", name).text for name in ("#unpacking", "#plain")]
        browser.get_log("browser")
        return texts

    def test_until_the_cases_are_unpacked_it_says_so_and_not_that_scripts_do_not_run(
        self, browser, tmp_path, run
    ):
        def never(document):
            return document.replace('Run.decode(byId("data").textContent)', "new Promise(() => {})")

        assert self.shown(browser, tmp_path, run, never) == ["Unpacking the cases.", ""]

    @pytest.mark.parametrize("broken", ['"use strict";', 'byId("data").textContent'])
    def test_where_a_script_does_not_work_the_text_report_is_shown(self, browser, tmp_path, run, broken):
        unpacking, plain = self.shown(
            browser, tmp_path, run, lambda document: document.replace(broken, "no script")
        )
        assert unpacking == ""
        assert "CRASHED nms_rotated/broken" in plain


def test_a_text_that_could_be_cut_short_is_not(opened, run_of, case):
    outputs = (OutputVerdict("output", "failed", ("why",), elements=1),)
    long = "x" * 5000
    assert long in opened(run_of(case("failed", reason=long, outputs=outputs))).text("#detail .reasons")
