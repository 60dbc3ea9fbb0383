// SPDX-License-Identifier: Apache-2.0
// The live page: it asks for a picture of the device, shows it, and asks again. Buttons post actions. Text of the device goes
// into the page as text, never as HTML.

const EVERY_MS = 500, KEPT = 240, STRIP = 45, LEFT = 130;
const token = new URLSearchParams(location.search).get("token") ?? "";
const state = { pictures: 0, latest: null, history: [], paused: false };

// Asks the server; an answer that says no is an Error with the server's words.
async function ask(path, body) {
  const headers = { "X-Ganger-Token": token };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

async function act(action) {
  at("said").textContent = `${action.verb} …`;
  try {
    at("said").textContent = (await ask("/action", action)).done;
  } catch (error) {
    at("said").textContent = `${action.verb}: ${error.message}`;
  }
  await look();
}

// Rows are kept while they stand for the same thing, so that a button is not replaced under the mouse.
function fill(name, columns, records, key, actions) {
  const table = at(name), body = table.tBodies[0];
  if (!table.tHead.rows.length) table.tHead.insertRow().append(...[...columns, ...(actions ? [""] : [])].map(column => make("th", column)));
  const kept = new Map([...body.rows].map(row => [row.dataset.key, row]));
  const rows = records.map(record => {
    const own = String(key(record));
    let row = kept.get(own);
    if (!row) {
      row = make("tr");
      row.dataset.key = own;
      for (const _ of columns) row.insertCell();
      if (actions) row.insertCell().append(...actions(record).map(action => typeof action === "string" ? action
        : make("button", action.verb, { onclick: () => act(action) })));
    }
    columns.forEach((column, i) => { if (row.cells[i].textContent !== String(record[column])) row.cells[i].textContent = record[column]; });
    return row;
  });
  if (rows.length !== body.rows.length || rows.some((row, i) => row !== body.rows[i])) body.replaceChildren(...rows);
}

// A task whose name the server does not know has no buttons, and says why.
const taskActions = ({ unnamed, tag, generation, print }) => unnamed ? [unnamed]
  : ["cancel", "suspend", "resume"].map(verb => ({ verb, what: "task", tag, generation, print }));
const channelActions = ({ channel }) => ["cancel", "suspend", "resume", "reset"].map(verb => ({ verb, what: "channel", number: channel }));
const smActions = ({ sm }) => [{ verb: "reset", what: "sm", number: sm }];

function chart() {
  const { pen, width } = begin(at("chart"), 2 * STRIP), step = (width - LEFT) / KEPT;
  [["CTAs resident", "resident", COLOURS[0]], ["SMs busy", "busy", COLOURS[2]]].forEach(([text, name, colour], row) => {
    const most = Math.max(1, ...state.history.map(one => one[name])), base = (row + 1) * STRIP - 4;
    pen.fillStyle = colour;
    state.history.forEach((one, i) => pen.fillRect(LEFT + i * step, base - one[name] / most * 36, Math.max(1, step), one[name] / most * 36));
    pen.fillStyle = styleOf("--text");
    pen.fillText(text, 6, base - 27);
    pen.fillStyle = styleOf("--dim");
    pen.fillText(`${state.history.at(-1)?.[name] ?? 0}, most ${most}`, 6, base - 10);
  });
}

function show(picture) {
  state.latest = picture;
  state.history.push({ resident: picture.sms.reduce((sum, sm) => sum + sm.resident, 0), busy: picture.sms.filter(sm => sm.resident).length });
  state.history.splice(0, state.history.length - KEPT);
  at("facts").textContent = Object.entries(picture.facts).map(([name, value]) => `${name} ${value}`).join(" · ");
  fill("tasks", ["slot", "tag", "state", "priority", "left", "in_flight", "next", "status", "reason"], picture.tasks,
    one => `${one.slot === "-" ? "" : one.slot} ${one.tag} ${one.generation} ${one.print} ${one.unnamed}`, taskActions);
  fill("channels", ["channel", "state", "priority", "put", "get", "accepted"], picture.channels, one => one.channel, channelActions);
  fill("sms", ["sm", "hart", "task", "resident", "done", "faults", "free_ctas", "health"], picture.sms, one => one.sm, smActions);
  fill("counters", ["counter", "value"], Object.entries(picture.counters).map(([counter, value]) => ({ counter, value })), one => one.counter);
  chart();
  state.pictures++;
  at("range").textContent = `picture ${state.pictures}`;
}

async function look() {
  try {
    show(await ask("/picture"));
    at("warning").hidden = true;
  } catch (error) {
    at("warning").hidden = false;
    at("warning").textContent = `This is not how it is now: ${error.message}`;
  }
}

function pause() {
  state.paused = !state.paused;
  at("pause").textContent = state.paused ? "go on" : "pause";
}

function theme() {
  otherTheme();
  chart();
}

async function main() {
  at("report").href = `/report?token=${encodeURIComponent(token)}`;
  at("pause").onclick = pause;
  at("theme").onclick = theme;
  at("trace-on").onclick = () => act({ verb: "on", what: "trace" });
  at("trace-off").onclick = () => act({ verb: "off", what: "trace" });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "BUTTON") return;
    if (event.key === " ") { event.preventDefault(); pause(); } else if (event.key === "t") theme();
  });
  for (;;) {
    if (!state.paused && !document.hidden) await look();
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
}

main();
