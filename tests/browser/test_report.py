# SPDX-License-Identifier: Apache-2.0
"""The page of a report in a browser: what a user sees, and what happens when keys and the mouse are used."""
import subprocess

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import ganger
from conftest import PICTURES, SECONDS, errors, opened, press, text
from ganger.places import root
from ganger.trace import Trace
from ganger.trace_events import Event

SOURCE = """
/** Holds its SM until the host says so. */
kernel void hold(global volatile uint *go) { atomic_inc(&go[1]); while (go[0] == 0) { } }
kernel void small(global uint *out) { out[get_global_linear_id()] = 1; }
kernel void wild(global uint *out)
{
	*(volatile uint *)(out - 0x10000000) = 1; /* line 7 */
}
"""


def run(dev, module):
    """A grid that fills the device, one that waits behind it, and one that faults."""
    go, out = dev.buffer(bytes(8)), dev.buffer(bytes(4 * 300))
    ctas = dev.info.sms * dev.info.sm_ctas
    dev.trace_on()
    holder = dev.submit(module["hold"], grid=(ctas,), block=(1,), args=[go])
    waiter = dev.submit(module["small"], grid=(300,), block=(1,), args=[out])
    waits = ganger.abi.ENUMS["reason"]["SM"]
    while go.read(4, offset=4) != ctas.to_bytes(4, "little") or dev.regs.slot[1].reason.read() != waits:
        pass
    go.write(b"\1\0\0\0")
    for task in (holder, waiter):
        task.wait(SECONDS)
    with pytest.raises(ganger.Error):
        dev.submit(module["wild"], grid=(1,), block=(1,), args=[out]).wait(SECONDS)
    dev.trace_off()
    return ctas


def built(folder):
    """The kernels of SOURCE."""
    source, elf = folder / "three.c", folder / "three.elf"
    source.write_text(SOURCE)
    subprocess.run([root() / "firmware" / "kernel" / "ganger-cc", "-g", "-o", elf, source], check=True)
    return elf


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The report of a run: its file, and how many CTAs the holder had."""
    folder = tmp_path_factory.mktemp("report")
    elf, html = built(folder), folder / "run.html"
    with ganger.Device.boot("qemu-virt64", sms=4) as dev:
        module = dev.load(elf)
        ctas = run(dev, module)
        dev.report(html)
    return html, ctas


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory):
    """The report of a graph of three passes, one of which fails, of a grid that still has the device, and of two tasks that
    wait: one behind the grid, one for another task. It is written while they wait."""
    folder = tmp_path_factory.mktemp("unfinished")
    elf, html = built(folder), folder / "run.html"
    with ganger.Device.boot("qemu-virt64", sms=2) as dev:
        module = dev.load(elf)
        go, out = dev.buffer(bytes(8)), dev.buffer(bytes(4 * 300))
        graph = ganger.Graph(dev, name="chain")
        for name in ("first", "second"):
            graph.pass_(module["small"], 8, 1, [graph.write(out)], name=name)
        graph.pass_(module["wild"], 1, 1, [graph.write(out)], name="third")
        ctas = dev.info.sms * dev.info.sm_ctas
        dev.trace_on()
        with pytest.raises(ganger.Error):
            graph.launch().wait(SECONDS)
        holder = dev.submit(module["hold"], grid=(ctas,), block=(1,), args=[go])
        waiter = dev.submit(module["small"], grid=(300,), block=(1,), args=[out])
        after = dev.submit(module["small"], grid=(3,), block=(1,), args=[out], after=[holder])
        waits = ganger.abi.ENUMS["reason"]["SM"]
        while go.read(4, offset=4) != ctas.to_bytes(4, "little") or waits not in [slot.reason.read() for slot in dev.regs.slot] or \
                dev.query("TASKS") != 3:
            pass
        dev.report(html)
        go.write(b"\1\0\0\0")
        for task in (holder, waiter, after):
            task.wait(SECONDS)
    return html


@pytest.fixture
def browser(chromium, page):
    """A browser with the page, as when it was just opened. It must not have said anything wrong at the end."""
    yield opened(chromium, page[0])
    assert errors(chromium) == []


def view(browser):
    """The span that is shown, in ns."""
    return browser.execute_script("return [view.a, view.b]")


def names(browser):
    """Names in the table, from the top."""
    return [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, "#table tbody td:nth-child(2)")]


def over(browser, canvas, left, top):
    """Mouse over a point of a canvas, in pixels from its corner."""
    element = browser.find_element(By.ID, canvas)
    size = element.size
    return ActionChains(browser).move_to_element_with_offset(element, left - size["width"] // 2, top - size["height"] // 2)


def test_opens(browser, page):
    """The page shows every CTA and every task, and what failed with its place in the source."""
    browser.save_screenshot(str(PICTURES / "report.png"))
    assert browser.execute_script("return ctas.count") == page[1] + 300 + 1
    assert f"SMs 4 · tasks 3 · CTAs {page[1] + 301}" in text(browser, "facts")
    assert names(browser) == ["hold", "small", "wild"]
    assert browser.execute_script("return state.drawn") > 4
    assert "three.c:7" in text(browser, "faults")
    assert browser.execute_script("return data.span === Math.max(...tasks.map(task => task.end))")  # Nothing waits: the trace ends with its tasks.


def test_curves(browser, page):
    """The curves have the numbers of the run: at no instant more CTAs than the SMs have room for, and one task that waits."""
    curves = browser.execute_script("""const found = curves(1000);
        return [found.flight, found.busy, found.waiting].map(curve => Math.max(...curve))""")
    assert curves == [page[1], 4, 1]
    kinds = browser.execute_script("return curves(1000).kinds.map(kind => kind.reduce((a, b) => a + b))")
    assert kinds[0] == kinds[1] == kinds[4] == 3 and kinds[3] > 3
    assert "accepted 3" in text(browser, "stages") and f"packet sent {kinds[3]:.0f}" in text(browser, "stages")


def test_why_a_task_waited(browser):
    """At an instant that one points at, the page says which task waited, for what, and who had it."""
    left = browser.execute_script("""
        const held = [...ctas.task.keys()].filter(i => ctas.task[i] === 0);
        const begun = Math.max(...held.map(i => ctas.start[i])), over = Math.min(...held.map(i => ctas.end[i]));
        return x((begun + over) / 2, at("sms").clientWidth)""")
    over(browser, "sms", left, 5).perform()
    told = text(browser, "why")
    assert "small waits for room on an SM: hold holds SMs 0–3" in told and "hold runs" in told


def test_zoom(browser):
    """Keys, buttons, dragging and the wheel change what is shown."""
    whole = view(browser)
    press(browser, "w", "w")
    near = view(browser)
    assert near[1] - near[0] == pytest.approx((whole[1] - whole[0]) * 0.49)
    press(browser, "d")
    assert view(browser)[0] > near[0] and view(browser)[1] - view(browser)[0] == pytest.approx(near[1] - near[0])
    before = view(browser)
    over(browser, "charts", 300, 20).click_and_hold().move_by_offset(200, 0).release().perform()
    assert view(browser)[0] < before[0]
    browser.find_element(By.ID, "fit").click()
    assert view(browser) == whole
    over(browser, "charts", 300, 20).key_down(Keys.SHIFT).click_and_hold().move_by_offset(100, 0).release() \
        .key_up(Keys.SHIFT).perform()
    part = view(browser)
    assert part[0] > whole[0] and part[1] < whole[1]
    press(browser, "0")
    assert view(browser) == whole


def test_selection(browser):
    """A click on a CTA tells about it; a click into the table shows the task; Escape selects nothing."""
    left, top = browser.execute_script(
        "const i = 0, high = Math.max(3, Math.min(13, 480 / rows)); return [x((ctas.start[i] + ctas.end[i]) / 2, "
        "at('sms').clientWidth), (rowOfSm[ctas.sm[i]] + ctas.row[i]) * high + 2 + high / 2]")
    over(browser, "sms", left, top).click().perform()
    assert text(browser, "selected").startswith("CTA ") and "of hold (tag " in text(browser, "selected")
    assert browser.execute_script("return state.task") == 0
    press(browser, "n")
    assert text(browser, "selected").startswith("small (tag ") and "300 CTAs" in text(browser, "selected")
    press(browser, Keys.ESCAPE)
    assert text(browser, "selected").startswith("Nothing is selected")
    browser.find_elements(By.CSS_SELECTOR, "#table tbody tr")[2].click()
    assert text(browser, "selected").startswith("wild (tag ") and "ERR_" in text(browser, "selected")


def test_search(browser):
    """What is looked for stays in the table; Enter shows it."""
    whole = view(browser)
    press(browser, "/")
    press(browser, "wi", "ld")
    assert names(browser) == ["wild"]
    press(browser, Keys.ENTER)
    assert text(browser, "selected").startswith("wild") and view(browser) != whole
    press(browser, Keys.ESCAPE)
    assert names(browser) == ["hold", "small", "wild"]


def test_sorting(browser):
    """A click on the head of a column sorts by it, and again the other way round."""
    def click():
        browser.find_element(By.XPATH, "//th[starts-with(text(), 'CTAs')]").click()
        return names(browser)
    rising = click()
    assert rising[0] == "wild" and rising[-1] == "small" and click() == rising[::-1]


def test_dark_and_light(browser):
    """The key changes the colours of page and drawing."""
    def colours():
        return browser.execute_script(
            "drawNow(); return [getComputedStyle(document.body).backgroundColor, "
            "[...at('sms').getContext('2d').getImageData(200, 1, 1, 1).data].join()]")
    first = colours()
    press(browser, "t")
    second = colours()
    browser.save_screenshot(str(PICTURES / "report-other-theme.png"))
    assert first[0] != second[0] and first[1] != second[1]
    press(browser, "t")
    assert colours() == first


def test_waits_that_are_not_over(chromium, unfinished):
    """Tasks that wait when the trace is read are there, each with its reason and how long it has waited so far."""
    browser = opened(chromium, unfinished)
    browser.save_screenshot(str(PICTURES / "unfinished.png"))
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in browser.find_elements(By.CSS_SELECTOR, "#table tbody tr")]
    assert [(row[1], row[3]) for row in rows] == [("chain", "ERR_FAULT_ACCESS"), ("hold", "not over"), ("small", "not over"), ("small", "not over")]
    open_waits = browser.execute_script("return tasks.map(task => task.waits.filter(wait => wait.open).map(wait => [wait.start, wait.end]))")
    assert [len(waits) for waits in open_waits] == [0, 0, 1, 1]
    span = browser.execute_script("return data.span")
    assert all(start < end == span for (start, end), in open_waits[2:])
    assert "waits for room on an SM" in rows[2][-1] and rows[2][-1].endswith(" so far")
    assert "is not in the task table: it waits for a slot, or for tasks that it depends on" in rows[3][-1]
    browser.execute_script("point(data.span)")
    told = text(browser, "why")
    assert "small waits for room on an SM: hold holds SMs 0–1, to the end of the trace and on; that is not over at the end of the trace, after " in told
    assert browser.execute_script("return tasks[1].end === data.span && tasks[2].end === data.span")
    assert errors(chromium) == []


def test_ctas_that_still_run(chromium, unfinished):
    """CTAs that run when the report is made have bars to the end of the trace, striped; tables and words say that they still run."""
    browser, ctas = opened(chromium, unfinished), 2 * 8
    assert browser.execute_script("return [ctas.open.size, tasks.map(task => task.open)]") == [ctas, [0, ctas, 0, 0]]
    assert f"CTAs {ctas + 17} ({ctas} still run)" in text(browser, "facts")
    heads = [cell.text.split(" ▴")[0] for cell in browser.find_elements(By.CSS_SELECTOR, "#table th")]
    cells = [row.find_elements(By.TAG_NAME, "td") for row in browser.find_elements(By.CSS_SELECTOR, "#table tbody tr")]
    assert [row[heads.index("still run")].text for row in cells] == ["0", str(ctas), "0", "0"]
    browser.execute_script("point(data.span)")
    told = text(browser, "why")
    assert "small waits for room on an SM: hold holds SMs 0–1, to the end of the trace and on; that is not over" in told
    assert f"hold runs {ctas} CTAs on SMs 0–1, to the end of the trace and on" in told
    browser.execute_script("point(Math.min(...ctas.open.keys().map(i => ctas.start[i])) - 1)")
    assert "hold" not in text(browser, "why").replace("hold waits", "")
    # Stripes: along a row of pixels inside the bar of one that still runs the colour changes, inside the bar of another one it does not.
    changes = browser.execute_script("""
        const shades = i => {
          show(ctas.start[i], Math.min(data.span, ctas.end[i]));
          drawNow();
          const canvas = at("sms"), scale = canvas.width / canvas.clientWidth, y = tops[lineOfSm[ctas.sm[i]] + ctas.row[i]] * rowHeight() + 5;
          const pixels = canvas.getContext("2d").getImageData((LEFT + 40) * scale, y * scale, 200 * scale, 1).data;
          return new Set(new Uint32Array(pixels.buffer)).size;
        };
        return [shades([...ctas.open.keys()][0]), shades(0)]""")
    assert changes[0] > 1 == changes[1]
    browser.execute_script("const [i] = ctas.open.keys(); select(ctas.task[i], i)")
    browser.save_screenshot(str(PICTURES / "still-run.png"))
    assert " of hold (tag " in text(browser, "selected") and ", not over at its end, after " in text(browser, "selected")
    browser.execute_script("select(1)")
    assert f"not over, {ctas} CTAs on 2 SMs (still running at the end of the trace)" in text(browser, "selected")
    browser.execute_script("select(0, 0)")
    assert "still" not in text(browser, "selected") and " long." in text(browser, "selected")
    assert errors(chromium) == []


def test_passes(chromium, unfinished):
    """Passes of a graph are bars in a panel of their own, and rows of a table; both show and select them."""
    browser = opened(chromium, unfinished)
    cells = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")][:4]
             for row in browser.find_elements(By.CSS_SELECTOR, "#passes-table tbody tr")]
    assert cells == [["chain", "first", "0", "OK"], ["chain", "second", "1", "OK"], ["chain", "third", "2", "ERR_FAULT_ACCESS"]]
    spans = browser.execute_script("return passes.map(pass => [pass.start, pass.end])")
    assert all(one[1] <= two[0] for one, two in zip(spans, spans[1:]))
    browser.find_elements(By.CSS_SELECTOR, "#passes-table tbody tr")[1].click()
    assert text(browser, "selected").startswith("Pass 1, second, of chain: OK")
    near = view(browser)
    assert near[0] <= spans[1][0] and near[1] >= spans[1][1] and near[1] - near[0] < browser.execute_script("return data.span") / 4
    left = browser.execute_script("return x((passes[1].start + passes[1].end) / 2, at('passes').clientWidth)")
    press(browser, Keys.ESCAPE)
    assert text(browser, "selected").startswith("Nothing is selected")
    over(browser, "passes", left, 8).perform()
    assert "chain is in its pass second" in text(browser, "why")
    browser.save_screenshot(str(PICTURES / "passes.png"))
    over(browser, "passes", left, 8).click().perform()
    assert text(browser, "selected").startswith("Pass 1, second, of chain: OK")
    press(browser, "/", "hold")
    assert not browser.find_elements(By.CSS_SELECTOR, "#passes-table tbody tr")
    assert errors(chromium) == []


def test_no_passes(browser):
    """Without graphs there is no panel of passes, and no table."""
    for name in ("passes", "passes-table", "stages-table"):  # Nothing was counted in that run.
        assert not browser.find_element(By.ID, name).is_displayed()


def test_stages(chromium, tmp_path):
    """What the control processor executed is a table with parts of all that it did; the words of the stages are there."""
    trace = Trace([Event("CTA", 0, 0, 1, 0, 0, 1000, 2000)], 0, 1, {})
    trace.stages = [ganger.Stage("host", "commands in", 3000), ganger.Stage("launch", "packets out", 1000)]
    trace.save(tmp_path / "stages.html")
    browser = opened(chromium, tmp_path / "stages.html")
    rows = [[cell.text for cell in row.find_elements(By.TAG_NAME, "td")] for row in browser.find_elements(By.CSS_SELECTOR, "#stages-table tbody tr")]
    assert rows == [["host", "commands in", "3,000", "75.0 %", ""], ["launch", "packets out", "1,000", "25.0 %", ""]]
    wide, narrow = (bar.size["width"] for bar in browser.find_elements(By.CSS_SELECTOR, "#stages-table tbody div"))
    assert wide == pytest.approx(3 * narrow, abs=2)
    assert errors(chromium) == []


def test_one_scale(browser):
    """An instant is at the same place in all panels, also where one has a scroll bar, and the line that marks it is there."""
    widths = browser.execute_script("at('sms-box').style.maxHeight = '100px'; return ['axis', 'tasks', 'charts', 'sms'].map(name => at(name).clientWidth)")
    assert len(set(widths)) == 1
    over(browser, "charts", 400, 20).perform()
    mark, canvas = (browser.find_element(By.ID, name).rect["x"] for name in ("mark", "charts"))
    assert abs(mark - canvas - 400) <= 1


def test_many_records(chromium, tmp_path):
    """A long run is whole: every record arrives, and only what has room is drawn."""
    events = [Event("CTA", number % 64, 0, 1 + number // 10000, number, 0, 1000 + 40 * number, 1000 + 40 * number + 2500)
              for number in range(200000)]
    html = tmp_path / "many.html"
    Trace(events, 7, 64, {}).save(html)
    browser = opened(chromium, html)
    assert browser.execute_script("return [ctas.count, tasks.length]") == [200000, 20]
    assert browser.execute_script("return tasks.map(task => task.ctas)") == [10000] * 20
    assert 64 <= browser.execute_script("return state.drawn") < 64 * 1300
    assert "7 records were overwritten" in text(browser, "warning")
    assert errors(chromium) == []


def test_the_work_of_many_records(chromium, tmp_path):
    """What a long trace costs is bounded: bytes for each record in the file, elements of the page, rectangles that are drawn."""
    events = [Event("CTA", number % 8, 0, 1 + number // 20, number % 20, 0, 1000 + 500 * number, 1000 + 500 * number + 3000 + number % 7)
              for number in range(40000)]
    html = tmp_path / "many.html"
    Trace([], 0, 8, {}).save(html)
    empty = html.stat().st_size
    Trace(events, 0, 8, {}).save(html)
    browser = opened(chromium, html)
    nodes = browser.execute_script("return document.querySelectorAll('*').length")
    assert browser.execute_script("return tasks.length") == 2000 and nodes < 3200
    assert html.stat().st_size - empty < 5 * len(events)  # 3.9, of which 3 are the tasks.
    assert 8 <= browser.execute_script("return state.drawn") < 8 * 8 * 1300
    assert "The first 200 of 2000 tasks" in text(browser, "more")
    assert errors(chromium) == []


@pytest.mark.parametrize("most", [1, 2047, 2048, 1 << 22, (1 << 32) - 1, 1 << 32, 1 << 52])
def test_order_of_ends(browser, most):
    """Numbers are put in order as the browser's own sort() does it, whatever their size, and the given ones stay."""
    assert browser.execute_script("""
        const most = arguments[0], given = Float64Array.from({ length: 5000 }, (_, i) => i % 17 ? Math.floor(Math.abs(Math.sin(i)) * most) : most);
        const before = given.slice(), found = inOrder(given, most), right = given.slice().sort();
        return [found.length === right.length && right.every((one, i) => one === found[i]), before.every((one, i) => one === given[i])]""",
        most) == [True, True]
