// SPDX-License-Identifier: Apache-2.0
// The page of a report. Times are nanoseconds since the first record; `view` is the span that is shown.

const LEFT = 110, TASK_ROW = 17, STRIP = 33, ROWS_MOST = 2000;
const data = JSON.parse(document.getElementById("data").textContent);
const tasks = data.tasks;
const view = { a: 0, b: data.span };
const state = { task: -1, cta: -1, found: null, instant: null, sort: "start", falling: false, ready: false, opened_ms: 0 };
const names = [...new Set(tasks.map(task => task.name))];
const colourOf = new Map(names.map((name, index) => [name, COLOURS[index % COLOURS.length]]));
let ctas, cp, rowOfSm, rows, latest;

// ---- what was recorded

async function unpack(text, Type) {
  const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Type(await new Response(stream).arrayBuffer());
}

async function load() {
  const types = { sm: Uint32Array, row: Uint32Array, task: Uint32Array, cta: Uint32Array, start: Float64Array, end: Float64Array,
    kind: Uint32Array, at: Float64Array };
  const columns = async from => {
    const found = { count: from.count };
    for (const name of Object.keys(from).filter(name => name in types)) found[name] = await unpack(from[name], types[name]);
    return found;
  };
  ctas = await columns(data.ctas);
  cp = await columns(data.cp);
}

// Rows of the SMs' panel; figures of each task; and for each CTA the latest end of those up to it, to search by time.
function prepare() {
  const most = new Array(data.sms).fill(0);
  latest = new Float64Array(ctas.count);
  for (const task of tasks) Object.assign(task, { first: null, ctas: 0, on: new Set(), waited: 0, waits: [] });
  for (let i = 0, end = 0; i < ctas.count; i++) {
    const task = tasks[ctas.task[i]];
    most[ctas.sm[i]] = Math.max(most[ctas.sm[i]], ctas.row[i] + 1);
    latest[i] = end = Math.max(end, ctas.end[i]);
    task.first ??= ctas.start[i];
    task.ctas++;
    task.on.add(ctas.sm[i]);
  }
  rowOfSm = [];
  rows = 0;
  for (let sm = 0; sm < data.sms; sm++) { rowOfSm.push(rows); rows += Math.max(1, most[sm]) + 0.5; }
  for (const [task, reason, start, end] of data.waits) {
    tasks[task].waits.push({ reason, start, end });
    tasks[task].waited += end - start;
  }
}

// The CTAs that may touch a span: [first, behind the last).
function spanOf(a, b) {
  const search = (column, value) => {
    let low = 0, high = ctas.count;
    while (low < high) { const middle = low + high >> 1; if (column[middle] > value) high = middle; else low = middle + 1; }
    return low;
  };
  return [search(latest, a), search(ctas.start, b)];
}

// ---- words

function time(ns) {
  const [unit, size] = data.span >= 1e9 ? ["s", 1e9] : data.span >= 1e6 ? ["ms", 1e6] : ["µs", 1e3];
  const digits = Math.max(0, Math.min(6, Math.ceil(Math.log10(size / Math.max(1, view.b - view.a)) + 3)));
  return `${(ns / size).toFixed(digits)} ${unit}`;
}

const plain = ns => ns === null ? "–" : ns >= 1e9 ? `${(ns / 1e9).toFixed(3)} s` : ns >= 1e6 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e3).toFixed(1)} µs`;
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function ranges(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), parts = [];
  for (let i = 0, j; i < sorted.length; i = j) {
    for (j = i + 1; j < sorted.length && sorted[j] === sorted[j - 1] + 1;) j++;
    parts.push(j - i > 1 ? `${sorted[i]}–${sorted[j - 1]}` : `${sorted[i]}`);
  }
  return parts.join(", ");
}

function running(instant) {
  const by = new Map(), [first, last] = spanOf(instant, instant);
  for (let i = first; i < last; i++) if (ctas.end[i] > instant) {
    const one = by.get(ctas.task[i]) ?? { ctas: 0, sms: new Set() };
    one.ctas++;
    one.sms.add(ctas.sm[i]);
    by.set(ctas.task[i], one);
  }
  return by;
}

// Why tasks waited at an instant: one sentence for each, those that wait first.
function why(instant) {
  const by = running(instant), lines = [];
  const on = sms => `SM${sms.size === 1 ? "" : "s"} ${ranges(sms)}`;
  tasks.forEach((task, number) => {
    const wait = task.waits.find(wait => wait.start <= instant && instant < wait.end);
    if (!wait) return;
    const others = [...by].filter(([other]) => other !== number).map(([other, one]) => `${tasks[other].name} holds ${on(one.sms)}`);
    const held = data.reasons[wait.reason].includes("room") && others.length ? `: ${others.join(", ")}` : "";
    const own = by.get(number)?.ctas, begun = own ? `; ${plural(own, "CTA")} of it ${own === 1 ? "runs" : "run"}` : "";
    lines.push(`${task.name} ${data.reasons[wait.reason]}${held}${begun}`);
  });
  const waiting = lines.length;
  for (const [task, one] of by) lines.push(`${tasks[task].name} runs ${plural(one.ctas, "CTA")} on ${on(one.sms)}`);
  if (!lines.length) lines.push("no task waits, and no CTA runs");
  const shown = lines.slice(0, 6).map(line => `• ${line}`);
  if (lines.length > 6) shown.push(`… and ${lines.length - 6} more`);
  return { text: `At ${time(instant)}:\n${shown.join("\n")}`, waiting, lines };
}

function about(task) {
  const reasons = new Map();
  for (const wait of task.waits) reasons.set(wait.reason, (reasons.get(wait.reason) ?? 0) + wait.end - wait.start);
  return [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, ns]) => `${data.reasons[reason]} ${plain(ns)}`).join("; ");
}

// ---- drawing

const x = (ns, width) => LEFT + (ns - view.a) * (width - LEFT) / (view.b - view.a);
const nsAt = (pixel, width) => view.a + (pixel - LEFT) * (view.b - view.a) / (width - LEFT);

// Height of a row of the SMs' panel, in pixels.
const rowHeight = () => Math.max(3, Math.min(13, 480 / rows));

function marks(drawing) {
  const { pen, width, height } = drawing;
  if (state.instant === null || state.instant < view.a) return;
  pen.fillStyle = styleOf("--bad");
  pen.fillRect(x(state.instant, width), 0, 1, height);
}

// As many steps of 1, 2 or 5 times a power of ten as have room.
function ticks(width) {
  const least = (view.b - view.a) * 90 / (width - LEFT), power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least);
  const found = [];
  for (let ns = Math.ceil(view.a / step) * step; ns <= view.b; ns += step) found.push(ns);
  return found;
}

function drawAxis() {
  const drawing = begin(at("axis"), 22), { pen, width } = drawing;
  pen.fillStyle = styleOf("--dim");
  for (const ns of ticks(width)) { pen.fillText(time(ns), x(ns, width) + 4, 11); pen.fillRect(x(ns, width), 0, 1, 22); }
  marks(drawing);
}

// Whether a task is one of those that are looked for.
const bright = task => (state.task < 0 || state.task === task) && (!state.found || state.found.has(task));

function label(pen, text, y) {
  pen.fillStyle = styleOf("--text");
  pen.fillText(text, 6, y, LEFT - 14);
}

function drawTasks() {
  const box = at("tasks-box"), full = tasks.length * TASK_ROW + 4;
  box.firstElementChild.style.height = `${full}px`;
  const drawing = begin(at("tasks"), Math.min(250, full)), { pen, width, height } = drawing;
  const first = Math.floor(box.scrollTop / TASK_ROW), last = Math.min(tasks.length, first + Math.ceil(height / TASK_ROW) + 1);
  const waiting = styleOf("--wait"), bad = styleOf("--bad");
  for (let i = first; i < last; i++) {
    const task = tasks[i], y = i * TASK_ROW - box.scrollTop + 3, bar = (a, b, colour, top, high) => {
      const from = Math.max(LEFT, x(a, width)), to = Math.min(width, x(b, width));
      if (to < LEFT || from > width) return;
      pen.fillStyle = colour;
      pen.fillRect(from, y + top, Math.max(1, to - from), high);
    };
    pen.globalAlpha = bright(i) ? 1 : 0.2;
    bar(task.start, task.end, colourOf.get(task.name), 0, TASK_ROW - 4);
    for (const wait of task.waits) bar(wait.start, wait.end, waiting, TASK_ROW - 8, 4);
    if (task.status && task.status !== "OK") bar(task.start, task.end, bad, 0, 3);
    label(pen, task.name, y + TASK_ROW / 2 - 2);
  }
  pen.globalAlpha = 1;
  marks(drawing);
}

// Draws bars of rows. Narrow ones that touch and have one colour become one, and those on taken pixels are left out, so a
// million cost no more than the panel has pixels.
class Rows {
  constructor(pen, high) { Object.assign(this, { pen, high, of: new Map(), drawn: 0 }); }

  flush(bar) {
    this.pen.globalAlpha = bar.alpha;
    this.pen.fillStyle = bar.colour;
    this.pen.fillRect(bar.from, bar.y, bar.to - bar.from - (bar.wide ? 0.7 : 0), this.high);
    this.drawn++;
  }

  add(row, from, to, y, colour, alpha) {
    const last = this.of.get(row), wide = to - from > 3;
    from = Math.max(from, last?.to ?? LEFT);
    to = Math.max(to, from + (last && last.to >= to ? 0 : 1));
    if (last && to <= last.to) return;
    if (last && !wide && !last.wide && from - last.to < 0.5 && last.colour === colour && last.alpha === alpha) { last.to = to; return; }
    if (last) this.flush(last);
    this.of.set(row, { from, to, y, colour, alpha, wide });
  }

  end() {
    for (const bar of this.of.values()) this.flush(bar);
    this.pen.globalAlpha = 1;
    return this.drawn;
  }
}

function drawSms() {
  const box = at("sms-box"), high = rowHeight(), full = rows * high + 4;
  box.firstElementChild.style.height = `${full}px`;
  const drawing = begin(at("sms"), Math.min(518, full)), { pen, width, height } = drawing, top = box.scrollTop;
  const [first, last] = spanOf(view.a, view.b), bars = new Rows(pen, high - (high > 5 ? 1 : 0));
  const colours = tasks.map(task => colourOf.get(task.name)), alphas = tasks.map((_, i) => bright(i) ? 1 : 0.15);
  for (let i = first; i < last; i++) {
    const row = rowOfSm[ctas.sm[i]] + ctas.row[i], y = row * high - top + 2, task = ctas.task[i];
    if (y < -high || y > height || ctas.end[i] < view.a) continue;
    bars.add(row, x(ctas.start[i], width), Math.min(width, x(ctas.end[i], width)), y, colours[task], alphas[task]);
  }
  const drawn = bars.end();
  if (state.cta >= 0) {
    const from = x(ctas.start[state.cta], width), row = rowOfSm[ctas.sm[state.cta]] + ctas.row[state.cta];
    pen.strokeStyle = styleOf("--select");
    pen.lineWidth = 2;
    pen.strokeRect(from, row * high - top + 2, Math.max(2, x(ctas.end[state.cta], width) - from), high - 1);
  }
  for (let sm = 0; sm < data.sms; sm++) {
    const y = rowOfSm[sm] * high - top, tall = (sm + 1 < data.sms ? rowOfSm[sm + 1] : rows) * high - top - y;
    if (y < height && y + tall > 0 && (tall > 10 || sm % Math.ceil(11 / tall) === 0)) label(pen, `SM ${sm}`, y + Math.max(7, Math.min(tall, 14) / 2));
  }
  marks(drawing);
  return drawn;
}

// SMs that are busy, CTAs in flight, tasks that wait, and records of the control processor, for each pixel.
function curves(count) {
  const busy = new Float64Array(count + 2), flight = new Float64Array(count + 2), waiting = new Float64Array(count + 2);
  const kinds = data.kinds.map(() => new Float64Array(count + 2)), seen = new Int32Array(data.sms).fill(-1);
  const bin = ns => Math.max(0, Math.min(count, Math.floor((ns - view.a) * count / (view.b - view.a))));
  const [first, last] = spanOf(view.a, view.b);
  for (let i = first; i < last; i++) {
    if (ctas.end[i] < view.a) continue;
    const from = bin(ctas.start[i]), to = bin(ctas.end[i]), sm = ctas.sm[i], fresh = Math.max(from, seen[sm] + 1);
    flight[from]++; flight[to + 1]--;
    if (to >= fresh) { busy[fresh]++; busy[to + 1]--; seen[sm] = to; }
  }
  for (const [, , start, end] of data.waits) if (end > view.a && start < view.b) { waiting[bin(start)]++; waiting[bin(end) + 1]--; }
  for (let i = 0; i < cp.count; i++) if (cp.at[i] >= view.a && cp.at[i] <= view.b) kinds[cp.kind[i]][bin(cp.at[i])]++;
  for (const curve of [busy, flight, waiting]) for (let i = 1; i <= count; i++) curve[i] += curve[i - 1];
  return { busy, flight, waiting, kinds };
}

function drawCharts() {
  const drawing = begin(at("charts"), 4 * STRIP), { pen, width } = drawing, count = Math.max(1, Math.floor(width - LEFT));
  const { busy, flight, waiting, kinds } = curves(count);
  const strip = (row, text, stack, colours) => {
    let most = 1e-9;
    for (let i = 0; i < count; i++) most = Math.max(most, stack.reduce((sum, curve) => sum + curve[i], 0));
    for (let i = 0; i < count; i++) {
      let y = (row + 1) * STRIP - 2;
      stack.forEach((curve, number) => {
        const tall = curve[i] / most * (STRIP - 7);
        pen.fillStyle = colours[number];
        pen.fillRect(LEFT + i, y - tall, 1, tall);
        y -= tall;
      });
    }
    label(pen, text, row * STRIP + 11);
    pen.fillStyle = styleOf("--dim");
    pen.fillText(`most ${Math.round(most)}`, 6, row * STRIP + 25);
  };
  strip(0, "SMs busy", [busy], [COLOURS[2]]);
  strip(1, "CTAs in flight", [flight], [COLOURS[0]]);
  strip(2, "tasks waiting", [waiting], [styleOf("--wait")]);
  strip(3, "CP records", kinds, COLOURS.slice(4));
  marks(drawing);
}

let due = false;
function draw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; drawNow(); });
}

function drawNow() {
  drawAxis(); drawTasks(); drawCharts();
  state.drawn = drawSms();
  at("range").textContent = `${time(view.a)} to ${time(view.b)}`;
}

// ---- the table

const COLUMNS = [["#", (task, i) => i], ["name", task => task.name], ["tag", task => task.tag], ["status", task => task.status ?? "not over"],
  ["accepted", task => task.start, plain], ["first CTA", task => task.first, plain], ["end", task => task.end, plain],
  ["span", task => task.end - task.start, plain], ["waited", task => task.waited, plain], ["CTAs", task => task.ctas],
  ["SMs", task => task.on.size], ["why", about]];

function fillTable() {
  const head = at("table").tHead, body = at("table").tBodies[0], by = COLUMNS.find(([name]) => name === state.sort) ?? COLUMNS[0];
  const order = tasks.map((_, i) => i).filter(i => !state.found || state.found.has(i)), keys = tasks.map((task, i) => by[1](task, i));
  order.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b) * (state.falling ? -1 : 1));
  head.replaceChildren(document.createElement("tr"));
  for (const [name] of COLUMNS) {
    const cell = document.createElement("th");
    cell.textContent = name + (name === state.sort ? (state.falling ? " ▾" : " ▴") : "");
    cell.onclick = () => { state.falling = state.sort === name && !state.falling; state.sort = name; fillTable(); };
    head.rows[0].append(cell);
  }
  body.replaceChildren(...order.slice(0, ROWS_MOST).map(i => {
    const row = document.createElement("tr");
    row.dataset.task = i;
    row.className = (i === state.task ? "chosen " : "") + (tasks[i].status && tasks[i].status !== "OK" ? "bad" : "");
    row.onclick = () => { select(i); zoomTo(i); };
    row.append(...COLUMNS.map(([, value, words]) => make("td", (words ?? String)(value(tasks[i], i)))));
    return row;
  }));
  at("more").hidden = order.length <= ROWS_MOST;
  at("more").textContent = `The first ${ROWS_MOST} of ${order.length} tasks: search to see the others.`;
}

// ---- what the user does

function show(a, b) {
  const least = 50, wide = Math.max(least, Math.min(data.span, b - a));
  view.a = Math.max(0, Math.min(data.span - wide, a));
  view.b = view.a + wide;
  draw();
}

const zoom = (factor, around = (view.a + view.b) / 2) => show(around - (around - view.a) * factor, around + (view.b - around) * factor);
const move = part => show(view.a + part * (view.b - view.a), view.b + part * (view.b - view.a));

function zoomTo(number) {
  const { start, end } = tasks[number], edge = Math.max(50, (end - start) * 0.1);
  show(start - edge, end + edge);
}

function select(task, cta = -1) {
  state.task = task;
  state.cta = cta;
  const one = tasks[task];
  at("selected").textContent = task < 0 ? "Nothing is selected: click on a task or a CTA."
    : cta >= 0 ? `CTA ${ctas.cta[cta]} of ${one.name} (tag ${one.tag}) on SM ${ctas.sm[cta]}: from ${plain(ctas.start[cta])}, ${plain(ctas.end[cta] - ctas.start[cta])} long.`
      : `${one.name} (tag ${one.tag}): ${one.status ?? "not over"}, ${plural(one.ctas, "CTA")} on ${plural(one.on.size, "SM")}, from ${plain(one.start)}, ${plain(one.end - one.start)} long. ${about(one)}`;
  for (const row of at("table").tBodies[0].rows) row.classList.toggle("chosen", Number(row.dataset.task) === task);
  draw();
}

function search(text) {
  const words = text.toLowerCase().trim();
  state.found = words ? new Set(tasks.flatMap((task, i) => `${task.name} ${task.tag} ${task.status}`.toLowerCase().includes(words) ? [i] : [])) : null;
  fillTable();
  draw();
}

function point(instant) {
  state.instant = Math.max(0, Math.min(data.span, instant));
  at("why").textContent = why(state.instant).text;
  draw();
}

// The CTA at a point of the SMs' panel; -1: none.
function ctaAt(left, y, width) {
  const high = rowHeight(), row = (y + at("sms-box").scrollTop - 2) / high, ns = nsAt(left, width);
  const slack = (view.b - view.a) / (width - LEFT), [first, last] = spanOf(ns - slack, ns + slack);
  for (let i = first; i < last; i++) {
    const own = rowOfSm[ctas.sm[i]] + ctas.row[i];
    if (own <= row && row < own + 1 && ctas.end[i] + slack >= ns) return i;
  }
  return -1;
}

function follow(canvas, click) {
  let drag = null;
  canvas.addEventListener("pointermove", event => {
    if (!drag) { if (event.offsetX >= LEFT) point(nsAt(event.offsetX, canvas.clientWidth)); return; }
    drag.moved ||= Math.abs(event.offsetX - drag.x) > 3;
    const by = (drag.x - event.offsetX) * (drag.b - drag.a) / (canvas.clientWidth - LEFT);
    if (drag.moved && !drag.shift) show(drag.a + by, drag.b + by);
  });
  canvas.addEventListener("pointerdown", event => {
    drag = { x: event.offsetX, a: view.a, b: view.b, shift: event.shiftKey, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", event => {
    const was = drag, width = canvas.clientWidth;
    drag = null;
    if (was?.shift && was.moved) show(...[was.x, event.offsetX].sort((a, b) => a - b).map(pixel => nsAt(pixel, width)));
    else if (was && !was.moved) click(event.offsetX, event.offsetY, width);
  });
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, nsAt(event.offsetX, canvas.clientWidth));
  }, { passive: false });
}

function step(by) {
  const listed = [...at("table").tBodies[0].rows].map(row => Number(row.dataset.task));
  if (listed.length) select(listed[(listed.indexOf(state.task) + by + listed.length) % listed.length]);
}

const KEYS = {
  w: () => zoom(0.7), "+": () => zoom(0.7), s: () => zoom(1.4), "-": () => zoom(1.4), a: () => move(-0.2), ArrowLeft: () => move(-0.2),
  d: () => move(0.2), ArrowRight: () => move(0.2), 0: () => show(0, data.span), n: () => step(1), p: () => step(-1),
  Enter: () => state.task >= 0 && zoomTo(state.task), Escape: () => select(-1),
  t: () => { otherTheme(); draw(); },
};

function listen() {
  follow(at("tasks"), (left, y) => { const i = Math.floor((y + at("tasks-box").scrollTop - 3) / TASK_ROW); select(tasks[i] ? i : -1); });
  follow(at("sms"), (left, y, width) => { const i = ctaAt(left, y, width); select(i < 0 ? -1 : ctas.task[i], i); });
  follow(at("charts"), () => {});
  follow(at("axis"), () => {});
  for (const box of ["tasks-box", "sms-box"]) at(box).addEventListener("scroll", draw);
  at("in").onclick = KEYS.w; at("out").onclick = KEYS.s; at("fit").onclick = KEYS[0]; at("theme").onclick = KEYS.t;
  at("search").addEventListener("input", event => search(event.target.value));
  at("search").addEventListener("keydown", event => {
    event.stopPropagation();
    if (event.key === "Escape") { event.target.value = ""; search(""); event.target.blur(); }
    if (event.key === "Enter" && state.found?.size) { const [first] = state.found; select(first); zoomTo(first); }
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); at("search").focus(); } else if (event.key in KEYS) KEYS[event.key]();
  });
  window.addEventListener("resize", draw);
}

function tell() {
  const facts = { ...data.facts, span: plain(data.span), SMs: data.sms, tasks: tasks.length, CTAs: ctas.count };
  at("facts").textContent = Object.entries(facts).map(([name, value]) => `${name} ${value}`).join(" · ");
  at("warning").hidden = !data.note;
  at("warning").textContent = data.note;
  at("faults").hidden = !data.faults.length;
  at("faults").querySelector("ul").replaceChildren(...data.faults.map(text => make("li", text)));
}

async function main() {
  await load();
  prepare();
  tell();
  fillTable();
  listen();
  drawNow();
  state.opened_ms = performance.now();
  state.ready = true;
}

main();
