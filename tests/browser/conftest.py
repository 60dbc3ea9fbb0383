# SPDX-License-Identifier: Apache-2.0
"""The browser of these tests."""
import os
import signal
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BUILD = Path(os.environ["GANGER_BUILD"])
PICTURES = BUILD / "browser"
SECONDS = 120

# As in tests/system: started in the background of a shell, what these tests start would have ^C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


def started():
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1300,1500"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(SECONDS)
    return driver


@pytest.fixture(scope="session")
def chromium():
    """The browser of all tests."""
    driver = started()
    yield driver
    driver.quit()


def opened(chromium, file):
    """Opens a page and waits until it is ready. What other pages have logged is forgotten."""
    errors(chromium)
    chromium.get(Path(file).as_uri())
    until(chromium, "state.ready")
    return chromium


def processor_seconds(chromium):
    """What the browser's processes of pages have taken of this machine's processors until now, user and system, by process. It does
    not depend on what else the machine does, as time does."""
    found, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            kind = (folder / "cmdline").read_bytes()
        except OSError:  # It has just ended.
            continue
        parents[int(folder.name)] = int(words[1])
        if b"--type=renderer" in kind:
            found[int(folder.name)] = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def ours(process):
        while process and process != chromium.service.process.pid:
            process = parents.get(process, 0)
        return bool(process)

    return {process: seconds for process, seconds in found.items() if ours(process)}


def errors(chromium):
    """What the browser has found wrong in the page since this was last asked."""
    return [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]


def text(browser, name):
    """What an element says."""
    return browser.find_element(By.ID, name).text


def press(browser, *keys):
    """Presses keys on the page."""
    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def until(browser, script):
    """Waits until an expression of the page is true."""
    WebDriverWait(browser, SECONDS).until(lambda driver: driver.execute_script(f"return {script}"))
