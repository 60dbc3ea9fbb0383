# SPDX-License-Identifier: Apache-2.0
"""`ganger web` in a browser: the device as it is, what changes, buttons, and who is refused."""
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By

import ganger
import ganger.web
from conftest import PICTURES, SECONDS, errors, press, text, until
from ganger.places import root

SOURCE = """
/** Does not end by itself. */
kernel void hold(global volatile uint *go) { while (go[0] == 0) { } }
kernel void small(global uint *out) { }
"""
# Another program: its kernel launches two children that do not end, of TMDs that have the same tag and generation.
CHILDREN = """
#include "ganger_kernel.h"
struct own { global volatile uint *go; } __attribute__((aligned(16)));
kernel void child(global volatile uint *go) { while (go[0] == 0) { } }
kernel void parent(global const struct gg_tmd *pattern, global struct gg_tmd *tmds, global struct own *own, global uint *go)
{
	for (uint i = 0; i < 2; i++) {
		own[i].go = go + 4 * i;
		tmds[i] = *pattern;
		ganger_tmd_args(&tmds[i], &own[i], sizeof(own[i]));
		ganger_launch(&tmds[i]);
	}
	if (go[1]) {
		tmds[0].generation = 7; /* nobody can tell what it was launched as */
	}
}
"""
PARENT = """
import sys, ganger
with ganger.Device.attach(sys.argv[1]) as dev:
    module, go = dev.load(sys.argv[2]), dev.buffer(bytes([0, 0, 0, 0, int(sys.argv[3])]) + bytes(27))
    with dev.template(module["child"], grid=1, block=1, args=[go]) as pattern:
        task = dev.submit(module["parent"], grid=1, block=1, args=[pattern, dev.buffer(bytes(512), align=256), dev.buffer(bytes(64)), go])
        try:
            print(task.wait(600).status)
        except ganger.Error as error:
            print(error.status)
"""
AT_ONCE = 16  # Requests that the server answers at once.
SAID = "document.getElementById('said').textContent"


class Up:
    """A device that is up with a page: its commands, and the server's process and address."""

    def __init__(self, folder, hosts):
        self.folder, self.hosts = folder, hosts
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
        (folder / "hold.c").write_text(SOURCE)
        subprocess.run([root() / "firmware" / "kernel" / "ganger-cc", "-g", "-o", folder / "hold.elf", folder / "hold.c"], check=True)
        self.json("up", "--sms", 4, "--hosts", hosts)
        self.server = subprocess.Popen([root() / "host" / "ganger", "web"], env=self.environment, stdout=subprocess.PIPE, text=True)
        self.url = self.server.stdout.readline().strip()

    def run(self, *words):
        """A command, done."""
        return subprocess.run([root() / "host" / "ganger", *map(str, words)], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=SECONDS, check=False)

    def json(self, *words):
        """What a command says."""
        done = self.run(*words, "--json")
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def start_children(self, changed):
        """Begins a task with two children in a process of its own, which stays with it; a function that waits for its end."""
        (self.folder / "children.c").write_text(CHILDREN)
        subprocess.run([root() / "firmware" / "kernel" / "ganger-cc", "-o", self.folder / "children.elf", self.folder / "children.c"], check=True)
        process = subprocess.Popen([sys.executable, "-c", PARENT, self.folder / "ganger.sock", self.folder / "children.elf", str(changed)],
                                   stdout=subprocess.PIPE, text=True, env=self.environment)
        return lambda: process.communicate(timeout=SECONDS)[0]

    def start(self, kernel, grid, stays=False, mode="device"):
        """Begins a task, in a process of its own, which stays with it if it must; a function that waits for its end, and
        tells of it."""
        words = ("hold.elf", "--kernel", kernel, "--grid", str(grid), "--block", "1", "--mode", mode,
                 "--arg", "out:4:o.bin")
        if self.hosts == 1 and not stays:
            tag = self.json("submit", *words)["tag"]
            return lambda: self.run("wait", tag, "--json").stdout
        process = subprocess.Popen([root() / "host" / "ganger", "run", *words, "--device", self.folder / "ganger.sock", "--json"],
                                   env=self.environment, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        return lambda: process.communicate(timeout=SECONDS)[0]

    @property
    def port(self):
        """The server's."""
        return urlsplit(self.url).port

    @property
    def token(self):
        """That of the address."""
        return urlsplit(self.url).query.removeprefix("token=")

    def ask(self, path, method="GET", body=None, **headers):
        """Status and text of an answer; the Host header is the right one unless it is given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.request(method, path, body, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def end(self):
        """Ends the server and the device."""
        self.server.kill()
        self.server.wait()
        self.run("down")


@pytest.fixture(params=[1, 3], ids=["one host", "three hosts"], scope="module")
def up(request, tmp_path_factory):
    """A device for one process at a time, and one for three."""
    found = Up(tmp_path_factory.mktemp("web"), request.param)
    yield found
    found.end()


@pytest.fixture
def one(tmp_path):
    """A device for one process, for one test."""
    found = Up(tmp_path, 1)
    yield found
    found.end()


def opened(browser, found):
    """Opens the page, and waits for its first picture. The page of a test before may ask its server, which has gone, until it is
    closed."""
    browser.get("about:blank")
    errors(browser)
    browser.get(found.url)
    until(browser, "state.pictures")
    return browser


@pytest.fixture
def live(up, chromium):
    """The page, with a first picture. It must not have said anything wrong at the end."""
    yield opened(chromium, up)
    assert errors(chromium) == []


def button(browser, table, row, verb):
    """A button in a row of a table."""
    return browser.find_element(By.XPATH, f"//table[@id='{table}']/tbody/tr[{row}]//button[text()='{verb}']")


# A page can act while another program has a share of the device, not while that has all of it.
THREE = pytest.mark.parametrize("up", [3], ids=["three hosts"], indirect=True)


def test_cancel(up, live):
    """A task that was submitted meanwhile appears, and the button ends it."""
    assert "SMs 4" in text(live, "facts") and live.execute_script("return state.latest.tasks.length") == 0
    end = up.start("hold", 2)
    # CTAs are in flight before they are on SMs, and the page may look in between.
    until(live, "state.latest.tasks.length === 1 && state.latest.tasks[0].in_flight === 2 && state.history.at(-1).resident === 2")
    live.save_screenshot(str(PICTURES / "web.png"))
    press(live, "t")
    live.save_screenshot(str(PICTURES / "web-other-theme.png"))
    button(live, "tasks", 1, "cancel").click()
    until(live, "state.latest.tasks.length === 0")
    assert text(live, "said").startswith("cancel task ") and text(live, "said").endswith(": OK")
    assert "ERR_CANCELLED" in end()


@pytest.mark.parametrize("up", [3], indirect=True, ids=["three hosts"])
def test_the_right_one_is_cancelled(up, live):
    """Of two tasks that look alike the button ends the one of its row."""
    ends = [up.start("hold", 1)]
    until(live, "state.latest.tasks.length === 1")
    ends.append(up.start("hold", 1))
    until(live, "state.latest.tasks.length === 2")
    first, second = live.execute_script("return state.latest.tasks.map(task => task.tag)")
    button(live, "tasks", 2, "cancel").click()
    until(live, "state.latest.tasks.length === 1")
    assert live.execute_script("return state.latest.tasks[0].tag") == first
    assert text(live, "said") == f"cancel task {second}: OK"
    button(live, "tasks", 1, "cancel").click()
    assert all("ERR_CANCELLED" in end() for end in ends)


def test_suspend_and_resume_a_task(up, live):
    """A suspended task gets no more CTAs and keeps its row, although it has left the task table; then it goes on."""
    end = up.start("small", 2000000000, mode="balance")
    until(live, "state.latest.tasks.length === 1 && state.latest.counters.ctas > 0")
    tag = live.execute_script("return state.latest.tasks[0].tag")
    button(live, "tasks", 1, "suspend").click()
    until(live, "state.latest.tasks[0]?.state === 'SUSPENDED'")
    assert live.execute_script("return [state.latest.tasks[0].tag, state.latest.tasks[0].slot]") == [tag, "-"]
    assert "SUSPENDED" in text(live, "tasks") and up.json("ps") == []
    ctas, seen = live.execute_script("return [state.latest.counters.ctas, state.pictures]")
    until(live, f"state.pictures > {seen + 2}")
    assert live.execute_script("return state.latest.counters.ctas") == ctas
    button(live, "tasks", 1, "resume").click()
    until(live, f"state.latest.tasks[0]?.state === 'READY' && state.latest.counters.ctas > {ctas}")
    button(live, "tasks", 1, "suspend").click()
    until(live, "state.latest.tasks[0]?.state === 'SUSPENDED'")
    button(live, "tasks", 1, "cancel").click()
    until(live, "state.latest.tasks.length === 0")
    assert "ERR_CANCELLED" in end()


def test_suspend_and_resume_a_channel(up, live):
    """A channel's state follows the buttons. Where several hosts have channels of their own, the page says whose it is."""
    if up.hosts > 1:
        end = up.start("hold", 1)
        until(live, "state.latest.tasks.length === 1")
        process = next(one["pid"] for one in up.json("hosts") if one["first_channel"] == 0)
        for verb in ("suspend", "resume", "reset"):
            button(live, "channels", 1, verb).click()
            until(live, f"{SAID}.startsWith('{verb}: ') && {SAID}.includes('ERR_UNSUPPORTED')")
            assert f"share 0: process {process} has it" in text(live, "said")
        button(live, "channels", 5, "cancel").click()
        until(live, f"{SAID}.includes('share 2: nobody has it')")
        button(live, "channels", 8, "cancel").click()
        until(live, f"{SAID}.includes('No host has a channel of this number')")
        assert live.execute_script("return state.latest.channels.every(one => one.state === 'OPEN') && state.latest.tasks.length") == 1
        button(live, "channels", 1, "cancel").click()
        assert "ERR_CANCELLED" in end()
        live.get_log("browser")  # The browser notes the refusals.
        return
    button(live, "channels", 1, "suspend").click()
    until(live, "state.latest.channels.some(one => one.state === 'SUSPENDED')")
    assert up.json("regs", "channel")[0]["state"] == ganger.abi.ENUMS["channel_state"]["SUSPENDED"]
    button(live, "channels", 1, "resume").click()
    until(live, "state.latest.channels.every(one => one.state === 'OPEN')")


def test_cancel_a_channel(up, live):
    """The button of a channel ends the tasks in it, and those alone; where several hosts share the device, those of its process."""
    ends = [up.start("hold", 1)]
    until(live, "state.latest.tasks.length === 1")
    if up.hosts > 1:
        ends.append(up.start("hold", 1))
        until(live, "state.latest.tasks.length === 2")
        button(live, "channels", 3, "cancel").click()
        until(live, f"{SAID}.startsWith('cancel channel 2: OK, 1 tasks of process ')")
        until(live, "state.latest.tasks.length === 1")
        assert "ERR_CANCELLED" in ends.pop()()
    button(live, "channels", 1, "cancel").click()
    until(live, f"{SAID}.startsWith('cancel channel 0: OK')")
    until(live, "state.latest.tasks.length === 0")
    assert "ERR_CANCELLED" in ends.pop()()


@THREE
def test_children(up, live):
    """Tasks that a kernel has launched have buttons of their own, although they have the tag and generation of each other."""
    end = up.start_children(changed=0)
    until(live, "state.latest.tasks.filter(task => task.in_flight === 1).length === 2")
    first, second = live.execute_script("return state.latest.tasks.map(task => [task.tag, task.generation, task.print])")
    assert first[:2] == second[:2] and first[2] != second[2]
    until(live, "state.latest.tasks.every(task => !task.unnamed)")
    button(live, "tasks", 2, "suspend").click()
    until(live, f"{SAID} === 'suspend task {first[0]}: OK'")
    button(live, "tasks", 1, "cancel").click()
    assert end() == "ERR_CANCELLED\n"


@THREE
def test_a_child_without_a_name(up, live):
    """Where its TMD was changed after its launch, a child has no buttons, but the reason."""
    end = up.start_children(changed=1)
    until(live, "state.latest.tasks.length === 2 && state.latest.tasks.filter(task => task.unnamed).length === 1")
    row = 1 + live.execute_script("return state.latest.tasks.findIndex(task => task.unnamed)")
    until(live, f"document.querySelector('#tasks tbody tr:nth-child({row})').textContent.includes('its TMD is, is not known here')")
    assert not live.find_elements(By.CSS_SELECTOR, f"#tasks tbody tr:nth-child({row}) button")
    button(live, "tasks", 3 - row, "cancel").click()
    assert end() == "ERR_CANCELLED\n"


def test_reset_of_an_sm(up, live):
    """The button resets the SM of its row, and the page's counters show it."""
    before = live.execute_script("return state.latest.counters.sms_back")
    button(live, "sms", 3, "reset").click()
    until(live, f"{SAID} === 'reset SM 2: OK'")
    until(live, f"state.latest.counters.sms_back === {before + 1}")
    assert f"sms_back {before + 1}" in text(live, "counters") and up.json("stat")["sms_back"] == before + 1


def test_time_line(up, live):
    """What was traced is a report, with the same token."""
    live.find_element(By.ID, "trace-on").click()
    until(live, f"{SAID} === 'trace on'")
    end = up.start("hold", 2)
    until(live, "state.latest.tasks.length === 1")
    tag = live.execute_script("return state.latest.tasks[0].tag")
    button(live, "tasks", 1, "cancel").click()
    assert "ERR_CANCELLED" in end()
    live.find_element(By.ID, "trace-off").click()
    until(live, f"{SAID} === 'trace off'")
    live.get(live.find_element(By.ID, "report").get_attribute("href"))
    until(live, "state.ready")
    assert tag in live.execute_script("return tasks.map(task => task.tag)")


def test_keys(live):
    """Space stops and goes on; t changes the colours."""
    def colour():
        return live.execute_script("return getComputedStyle(document.body).backgroundColor")
    first = colour()
    press(live, "t")
    assert colour() != first
    press(live, " ")
    assert text(live, "pause") == "go on"
    press(live, " ", "t")
    assert text(live, "pause") == "pause" and colour() == first


@pytest.mark.parametrize("path", ["/", "/picture", "/report"])
def test_refused(up, path):
    """Without the token, with a wrong one, under another name of this machine, or from another site's page, nothing is told."""
    good = f"{path}?token={up.token}"
    assert up.ask(good)[0] == 200 and up.ask(good, Origin=f"http://127.0.0.1:{up.port}")[0] == 200
    for bad in (path, f"{path}?token=", good[:-1], f"{good}x", f"{path}?token=%C3%A4"):
        assert up.ask(bad)[0] == 403, bad
    for host in ("ganger.example", f"ganger.example:{up.port}", "127.0.0.1", f"127.0.0.1:{up.port + 1}", ""):
        assert up.ask(good, Host=host)[0] == 403, host
    for origin in ("http://ganger.example", "null", f"https://127.0.0.1:{up.port}"):
        assert up.ask(good, Origin=origin)[0] == 403, origin
    assert up.token not in up.ask(path)[1]


def test_refused_actions(up):
    """An action needs the token in its header, and says what it is about; a GET does nothing."""
    reset = json.dumps({"what": "sm", "verb": "reset", "number": 1})
    good = {"X_Ganger_Token": up.token}
    before = up.json("stat")["sms_back"]
    assert up.ask(f"/action?token={up.token}", "POST", reset)[0] == 403
    assert up.ask("/action", "POST", reset, X_Ganger_Token="x" * 32)[0] == 403
    assert up.ask("/action", "POST", reset, **good, Host="ganger.example")[0] == 403
    assert up.ask("/action", "POST", reset, **good, Origin="http://ganger.example")[0] == 403
    assert up.ask("/action", "GET", reset, **good)[0] == 404
    assert up.ask(f"/?{'a=1&' * 20}", **good)[0] == 400
    assert up.ask("/picture", "PUT", reset, **good)[0] == 501
    assert up.json("stat")["sms_back"] == before
    for bad, status in (("[", 400), ("[]", 400), ("[" * 4000, 400), ("x" * 5000, 400), ("{}", 409), ('{"what": "sm", "verb": "cancel"}', 409),
                        ('{"what": "sm", "verb": "reset", "number": 99}', 409), ('{"what": "sm", "verb": "reset", "number": -1}', 409),
                        ('{"what": "sm", "verb": "reset", "number": true}', 409), ('{"what": ["sm"], "verb": {}}', 409),
                        ('{"what": "channel", "verb": "reset", "number": 60000}', 409), ('{"what": "task", "verb": "cancel"}', 409),
                        ('{"what": "task", "verb": "cancel", "tag": 1, "generation": 4000000000}', 409),
                        ('{"what": "task", "verb": "cancel", "tag": 1, "generation": 1, "print": 4000000000}', 409)):
        found = up.ask("/action", "POST", bad, **good)
        assert found[0] == status and json.loads(found[1])["error"], (bad, found)
    assert up.ask("/action", "POST", **good, Content_Length="9" * 6000)[0] == 400
    assert up.json("stat")["sms_back"] == before
    assert up.ask("/action", "POST", reset, **good, Origin=f"http://localhost:{up.port}") == (200, '{"done": "reset SM 1: OK"}')
    assert up.json("stat")["sms_back"] == before + 1


def test_only_this_machine(one):
    """The server listens on the loopback address only."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    places = [row[1] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == one.port]
    assert places == [f"0100007F:{one.port:04X}"]
    rows = [line.split() for line in Path("/proc/net/tcp6").read_text(encoding="ascii").splitlines()[1:]]
    assert not [row for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == one.port]


@pytest.fixture
def patient(monkeypatch):
    """A server without a device, in this process, which waits for requests for ever."""
    monkeypatch.setattr(ganger.web, "_SECONDS", 1e6)
    monkeypatch.setattr(ganger.web._Handler, "timeout", 1e6)
    with ganger.web.Server(0, dict, str, str) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()
        server.stop()


def connected(server):
    """A connection to a server."""
    return socket.create_connection(("127.0.0.1", server.server_port), SECONDS)


def test_too_many_at_once(patient):
    """More connections than the server answers at once are closed, until one of these has ended."""
    silent = [connected(patient) for _ in range(AT_ONCE)]
    assert connected(patient).recv(1) == b""
    silent[3].close()
    answer = b""
    while not answer:  # The server closes it, too, until it has seen that the other one has gone.
        with connected(patient) as connection, contextlib.suppress(ConnectionError):
            connection.sendall(f"GET /picture?token={patient.token} HTTP/1.0\r\nHost: 127.0.0.1:{patient.server_port}\r\n\r\n".encode())
            answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.0 200 ")
    for connection in silent:
        connection.close()


def test_too_slow(patient, monkeypatch):
    """A request that does not come to its end is not waited for, although each of its bytes may take its time."""
    monkeypatch.setattr(ganger.web, "_SECONDS", 0)
    with connected(patient) as connection:
        connection.sendall(b"GET ")
        while connection.recv(4096):  # It may say that this is no request.
            pass


def test_down_and_up(one, chromium):
    """The page says that the device is gone, and goes on when it is there again; the buttons, too."""
    live = opened(chromium, one)
    one.json("down")
    until(live, "!document.getElementById('warning').hidden")
    assert "ERR_NO_DEVICE" in text(live, "warning")
    button(live, "sms", 1, "reset").click()
    until(live, f"{SAID}.includes('ERR_NO_DEVICE')")
    one.json("up", "--sms", 3)
    until(live, "document.getElementById('warning').hidden && state.latest.sms.length === 3")
    button(live, "sms", 1, "reset").click()
    until(live, f"{SAID} === 'reset SM 0: OK'")
    live.get_log("browser")  # The browser notes what was refused.


def test_busy(one, chromium):
    """While another process has the device, the page shows what it does, and says that it cannot interfere."""
    live = opened(chromium, one)
    end = one.start("hold", 1, stays=True)
    until(live, "state.latest.tasks.length === 1")
    button(live, "tasks", 1, "cancel").click()
    until(live, f"{SAID}.includes('ERR_BUSY')")
    os.kill(one.json("hosts")[0]["pid"], signal.SIGINT)
    end()
    until(live, "state.latest.tasks.length === 0")
    live.get_log("browser")  # The browser notes the refusal.


def test_interrupt(one):
    """^C ends the server with the exit code of all commands, and the device stays."""
    assert one.ask(f"/?token={one.token}")[0] == 200
    one.server.send_signal(signal.SIGINT)
    assert one.server.wait(SECONDS) == 130
    with pytest.raises(ConnectionRefusedError):
        one.ask("/")
    assert len(one.json("top", "--once")["sms"]) == 4


def test_refused_starts(one):
    """A port that is taken or is none, and a device that is not up, are told."""
    for words, told in ((("--port", one.port), "ERR_ARGUMENT"), (("--port", 65536), "ERR_ARGUMENT"),
                        (("--device", one.folder / "none.sock"), "ERR_NO_DEVICE")):
        done = one.run("web", *words)
        assert done.returncode == 1 and told in done.stderr and str(words[1]) in done.stderr, done
