// SPDX-License-Identifier: Apache-2.0
// The page of a report. Times are nanoseconds since the first record; `view` is the span that is shown.

const LEFT = 110, TASK_ROW = 17, STRIP = 33, ROWS_MOST = 200;
const TYPES = { B: Uint8Array, H: Uint16Array, I: Uint32Array, d: Float64Array };
const data = JSON.parse(at("data").textContent);
const tasks = data.tasks;
const view = { a: 0, b: data.span };
const state = { task: -1, cta: -1, pass: -1, found: null, instant: null, sort: "start", falling: false, ready: false, opened_ms: 0 };
const names = [...new Set(tasks.map(task => task.name))];
const colourOf = new Map(names.map((name, index) => [name, COLOURS[index % COLOURS.length]]));
const passes = data.passes.map(([task, row, number, name, start, end, status]) => ({ task, row, number, name, start, end, status }));
let ctas, cp, rowOfSm, rows, latest, lineOfSm, tops, flights, waits;

// ---- what was recorded

async function unpack([type, rising, text]) {
  const packed = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const found = new TYPES[type](await new Response(stream).arrayBuffer());
  if (!rising) return found;
  const sums = new Float64Array(found.length);
  for (let i = 0, sum = 0; i < sums.length; i++) sums[i] = sum += found[i];
  return sums;
}

async function load() {
  const columns = async from => Object.fromEntries(await Promise.all(
    Object.entries(from).map(async ([name, column]) => [name, await unpack(column)])));
  [ctas, cp] = await Promise.all([columns(data.ctas), columns(data.cp)]);
  ctas.count = ctas.sm.length;
  ctas.end = new Float64Array(ctas.count);
  for (let i = 0; i < ctas.count; i++) ctas.end[i] = ctas.start[i] + ctas.span[i];
  ctas.open = new Map(data.open);
  for (const i of ctas.open.keys()) ctas.end[i] = data.span + 1;  // It runs at the last instant, too.
  cp.count = cp.kind.length;
}

// Whole numbers from 0 to `most` in rising order. Below 2^32 they are laid out by 11 bits at a time, from the lowest: a million
// take a tenth of the time of sort().
function inOrder(numbers, most) {
  if (most >= 2 ** 32) return numbers.slice().sort();
  let from = new Uint32Array(numbers), to = new Uint32Array(numbers.length);
  for (let shift = 0; shift < 32 && most >= 2 ** shift; shift += 11) {
    const next = new Uint32Array(2049);
    for (let i = 0; i < from.length; i++) next[(from[i] >>> shift & 2047) + 1]++;
    for (let i = 1; i < 2048; i++) next[i] += next[i - 1];
    for (let i = 0; i < from.length; i++) to[next[from[i] >>> shift & 2047]++] = from[i];
    [from, to] = [to, from];
  }
  return from;
}

// Rows of the SMs' panel; figures of each task; and for each CTA the latest end of those up to it, to search by time.
function prepare() {
  const most = new Uint32Array(data.sms), before = new Int32Array(data.sms).fill(-1);
  latest = new Float64Array(ctas.count);
  for (const task of tasks) Object.assign(task, { first: null, ctas: 0, open: 0, on: new Set(), waited: 0, waits: [] });
  for (let i = 0, end = 0; i < ctas.count; i++) {
    const task = tasks[ctas.task[i]], sm = ctas.sm[i];
    if (ctas.row[i] >= most[sm]) most[sm] = ctas.row[i] + 1;
    latest[i] = end = Math.max(end, ctas.end[i]);
    task.first ??= ctas.start[i];
    task.ctas++;
    if (before[sm] !== ctas.task[i]) task.on.add(sm);
    before[sm] = ctas.task[i];
  }
  for (const i of ctas.open.keys()) tasks[ctas.task[i]].open++;
  [rowOfSm, lineOfSm, tops, rows] = [[], [], [], 0];
  for (let sm = 0; sm < data.sms; sm++) {
    rowOfSm.push(rows);
    lineOfSm.push(tops.length);
    for (let row = 0; row < Math.max(1, most[sm]); row++) tops.push(rows++);
    rows += 0.5;
  }
  flights = { starts: ctas.start, ends: inOrder(ctas.end, data.span + 1) };
  waits = { starts: Float64Array.from(data.waits, wait => wait[2]).sort(), ends: Float64Array.from(data.waits, wait => wait[3]).sort() };
  for (const [task, reason, start, end, open] of data.waits) {
    tasks[task].waits.push({ reason, start, end, open });
    tasks[task].waited += end - start;
  }
}

// Where the first number of a rising column is that is above a value.
function behind(column, value) {
  let low = 0, high = column.length;
  while (low < high) { const middle = low + high >> 1; if (column[middle] > value) high = middle; else low = middle + 1; }
  return low;
}

// The CTAs that may touch a span: [first, behind the last).
const spanOf = (a, b) => [behind(latest, a), behind(ctas.start, b)];

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
    const one = by.get(ctas.task[i]) ?? { ctas: 0, open: 0, sms: new Set() };
    one.ctas++;
    if (ctas.open.has(i)) one.open++;
    one.sms.add(ctas.sm[i]);
    by.set(ctas.task[i], one);
  }
  return by;
}

// Why tasks waited at an instant: one sentence for each, those that wait first.
function why(instant) {
  const by = running(instant), lines = [];
  const on = sms => `SM${sms.size === 1 ? "" : "s"} ${ranges(sms)}`;
  const still = ({ ctas, open }, some) => open ? `${open < ctas ? `, ${open} of ${some}` : ","} to the end of the trace and on` : "";
  tasks.forEach((task, number) => {
    const wait = task.waits.find(wait => wait.start <= instant && (instant < wait.end || wait.open));
    if (!wait) return;
    const others = [...by].filter(([other]) => other !== number).map(([other, one]) => `${tasks[other].name} holds ${on(one.sms)}${still(one, "its CTAs")}`);
    const held = data.reasons[wait.reason].includes("room") && others.length ? `: ${others.join(", ")}` : "";
    const own = by.get(number)?.ctas, begun = own ? `; ${plural(own, "CTA")} of it ${own === 1 ? "runs" : "run"}` : "";
    const open = wait.open ? `; that is not over at the end of the trace, after ${plain(wait.end - wait.start)}` : "";
    lines.push(`${task.name} ${data.reasons[wait.reason]}${held}${begun}${open}`);
  });
  const waiting = lines.length;
  for (const [task, one] of by) lines.push(`${tasks[task].name} runs ${plural(one.ctas, "CTA")} on ${on(one.sms)}${still(one, "them")}`);
  for (const pass of passes) if (pass.start <= instant && instant < pass.end) lines.push(`${tasks[pass.task].name} is in its pass ${pass.name}`);
  if (!lines.length) lines.push("no task waits, and no CTA runs");
  const shown = lines.slice(0, 6).map(line => `• ${line}`);
  if (lines.length > 6) shown.push(`… and ${lines.length - 6} more`);
  return { text: `At ${time(instant)}:\n${shown.join("\n")}`, waiting, lines };
}

function about(task) {
  const reasons = new Map();
  for (const wait of task.waits) reasons.set(wait.reason, (reasons.get(wait.reason) ?? 0) + wait.end - wait.start);
  const open = new Set(task.waits.filter(wait => wait.open).map(wait => wait.reason));
  return [...reasons].sort((a, b) => b[1] - a[1])
    .map(([reason, ns]) => `${data.reasons[reason]} ${plain(ns)}${open.has(reason) ? " so far" : ""}`).join("; ");
}

// ---- drawing

const x = (ns, width) => LEFT + (ns - view.a) * (width - LEFT) / (view.b - view.a);
const nsAt = (pixel, width) => view.a + (pixel - LEFT) * (view.b - view.a) / (width - LEFT);

// Height of a row of the SMs' panel, in pixels.
const rowHeight = () => Math.max(3, Math.min(13, 480 / rows));

// Where the mouse points, as a line over all panels, so that it costs no drawing.
function mark() {
  const width = at("axis").clientWidth, left = state.instant === null ? -1 : x(state.instant, width);
  at("mark").hidden = left < LEFT || left > width;
  at("mark").style.left = `${left + 1}px`;
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
  const { pen, width } = begin(at("axis"), 22);
  pen.fillStyle = styleOf("--dim");
  for (const ns of ticks(width)) { pen.fillText(time(ns), x(ns, width) + 4, 11); pen.fillRect(x(ns, width), 0, 1, 22); }
}

// Whether a task is one of those that are looked for.
const bright = task => (state.task < 0 || state.task === task) && (!state.found || state.found.has(task));

function label(pen, text, y) {
  pen.fillStyle = styleOf("--text");
  pen.fillText(text, 6, y, LEFT - 14);
}

// Stripes over the bar of what was not over at the end of the trace.
function notOver(pen, from, to, top, high) {
  [from, to] = [Math.max(LEFT, from), Math.min(pen.canvas.clientWidth, Math.max(to, from + 1))];
  if (to <= from) return;
  pen.save();
  pen.beginPath();
  pen.rect(from, top, to - from, high);
  pen.clip();
  pen.strokeStyle = "rgba(255, 255, 255, 0.55)";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let left = from - high; left < to; left += 7) { pen.moveTo(left, top + high); pen.lineTo(left + high, top); }
  pen.stroke();
  pen.restore();
}

function drawTasks() {
  const box = at("tasks-box"), full = tasks.length * TASK_ROW + 4;
  box.firstElementChild.style.height = `${full}px`;
  const { pen, width, height } = begin(at("tasks"), Math.min(250, full));
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
    if (!task.status) notOver(pen, x(task.start, width), x(task.end, width), y, TASK_ROW - 4);
    for (const wait of task.waits) bar(wait.start, wait.end, waiting, TASK_ROW - 8, 4);
    if (task.status && task.status !== "OK") bar(task.start, task.end, bad, 0, 3);
    label(pen, task.name, y + TASK_ROW / 2 - 2);
  }
  pen.globalAlpha = 1;
}

// Bars of passes, with their names where there is room.
function drawPasses() {
  if (!passes.length) return;
  const box = at("passes-box"), full = (1 + Math.max(...passes.map(pass => pass.row))) * TASK_ROW + 4;
  box.firstElementChild.style.height = `${full}px`;
  const { pen, width, height } = begin(at("passes"), Math.min(128, full));
  passes.forEach((pass, i) => {
    const y = pass.row * TASK_ROW - box.scrollTop + 3, from = Math.max(LEFT, x(pass.start, width)), to = Math.min(width, x(pass.end, width));
    if (y < -TASK_ROW || y > height || to < LEFT || from > width) return;
    const wide = Math.max(1, to - from - 0.7);
    pen.globalAlpha = bright(pass.task) ? 1 : 0.2;
    pen.fillStyle = pass.status === "OK" ? COLOURS[pass.number % COLOURS.length] : styleOf("--bad");
    pen.fillRect(from, y, wide, TASK_ROW - 4);
    pen.fillStyle = "#ffffff";
    if (pen.measureText(pass.name).width + 8 < wide) pen.fillText(pass.name, from + 4, y + TASK_ROW / 2 - 1.5);
    pen.strokeStyle = styleOf("--select");
    pen.lineWidth = 2;
    if (i === state.pass) pen.strokeRect(from, y, wide, TASK_ROW - 4);
  });
  pen.globalAlpha = 1;
  label(pen, "passes", TASK_ROW / 2 + 2 - box.scrollTop);
}

// Draws bars of rows. Narrow ones that touch and have one colour become one, and those on taken pixels are left out, so a
// million cost no more than the panel has pixels. A shade is a number of `shades`: a colour and how bright it is.
class Rows {
  constructor(pen, count, shades, topOf, high) {
    Object.assign(this, { pen, shades, topOf, high, drawn: 0, last: -1 });
    this.from = new Float64Array(count);
    this.to = new Float64Array(count).fill(LEFT);
    this.shade = new Int32Array(count).fill(-1);
    this.wide = new Uint8Array(count);
  }

  flush(line) {
    const shade = this.shade[line], wide = this.wide[line];
    if (shade !== this.last) [this.pen.fillStyle, this.pen.globalAlpha] = this.shades[shade];
    this.last = shade;
    this.pen.fillRect(this.from[line], this.topOf[line], this.to[line] - this.from[line] - (wide ? 0.7 : 0), this.high);
    this.drawn++;
  }

  add(line, from, to, shade) {
    const taken = this.to[line], some = this.shade[line] >= 0, wide = to - from > 3;
    if (some && to <= taken) return;
    if (from < taken) from = taken;
    if (to < from + 1) to = from + 1;
    if (some && !wide && !this.wide[line] && from - taken < 0.5 && this.shade[line] === shade) { this.to[line] = to; return; }
    if (some) this.flush(line);
    this.from[line] = from;
    this.to[line] = to;
    this.shade[line] = shade;
    this.wide[line] = wide ? 1 : 0;
  }

  end() {
    for (let line = 0; line < this.shade.length; line++) if (this.shade[line] >= 0) this.flush(line);
    this.pen.globalAlpha = 1;
    return this.drawn;
  }
}

function drawSms() {
  const box = at("sms-box"), high = rowHeight(), full = rows * high + 4;
  box.firstElementChild.style.height = `${full}px`;
  const { pen, width, height } = begin(at("sms"), Math.min(518, full)), top = box.scrollTop;
  const [first, last] = spanOf(view.a, view.b), scale = (width - LEFT) / (view.b - view.a), shift = LEFT - view.a * scale;
  const topOf = tops.map(row => row * high - top + 2), seen = Uint8Array.from(topOf, y => y >= -high && y <= height);
  const shades = COLOURS.flatMap(colour => [[colour, 1], [colour, 0.15]]);
  const shadeOf = Int32Array.from(tasks, (task, i) => 2 * COLOURS.indexOf(colourOf.get(task.name)) + (bright(i) ? 0 : 1));
  const bars = new Rows(pen, tops.length, shades, topOf, high - (high > 5 ? 1 : 0)), { sm, row, task, start, end } = ctas;
  for (let i = first; i < last; i++) {
    const line = lineOfSm[sm[i]] + row[i];
    if (seen[line] && end[i] >= view.a) bars.add(line, start[i] * scale + shift, Math.min(width, end[i] * scale + shift), shadeOf[task[i]]);
  }
  const drawn = bars.end();
  for (const i of ctas.open.keys()) {
    const line = lineOfSm[sm[i]] + row[i];
    if (seen[line]) notOver(pen, x(start[i], width), Math.min(width, x(end[i], width)), topOf[line], high - (high > 5 ? 1 : 0));
  }
  if (state.cta >= 0) {
    const from = x(start[state.cta], width), y = topOf[lineOfSm[sm[state.cta]] + row[state.cta]];
    pen.strokeStyle = styleOf("--select");
    pen.lineWidth = 2;
    pen.strokeRect(from, y, Math.max(2, Math.min(width + 2, x(end[state.cta], width)) - from), high - 1);
  }
  for (let sm = 0; sm < data.sms; sm++) {
    const y = rowOfSm[sm] * high - top, tall = (sm + 1 < data.sms ? rowOfSm[sm + 1] : rows) * high - top - y;
    if (y < height && y + tall > 0 && (tall > 10 || sm % Math.ceil(11 / tall) === 0)) label(pen, `SM ${sm}`, y + Math.max(7, Math.min(tall, 14) / 2));
  }
  return drawn;
}

// The most spans that are open at once, for each of some pixels. starts and ends: of all spans, each in rising order.
function levels({ starts, ends }, count) {
  const most = new Float64Array(count), scale = count / (view.b - view.a);
  let begun = behind(starts, view.a), over = behind(ends, view.a);
  for (let i = 0; i < count; i++) {
    const until = view.a + (i + 1) / scale;
    most[i] = begun - over;
    while (begun < starts.length && starts[begun] < until) {
      while (over < ends.length && ends[over] <= starts[begun]) over++;
      begun++;
      if (begun - over > most[i]) most[i] = begun - over;
    }
    while (over < ends.length && ends[over] < until) over++;
  }
  return most;
}

// SMs that are busy, CTAs in flight, tasks that wait, and records of the control processor, for each pixel.
function curves(count) {
  const busy = new Float64Array(count + 2), seen = new Int32Array(data.sms).fill(-1), { sm, start, end } = ctas;
  const kinds = data.kinds.map(() => new Float64Array(count + 1)), scale = count / (view.b - view.a), [first, last] = spanOf(view.a, view.b);
  for (let i = first; i < last; i++) {
    if (end[i] < view.a) continue;
    const from = Math.max(0, (start[i] - view.a) * scale | 0, seen[sm[i]] + 1), to = Math.min(count, (end[i] - view.a) * scale | 0);
    if (to >= from) { busy[from]++; busy[to + 1]--; seen[sm[i]] = to; }
  }
  for (let i = 0; i < cp.count; i++) if (cp.at[i] >= view.a && cp.at[i] <= view.b) kinds[cp.kind[i]][(cp.at[i] - view.a) * scale | 0]++;
  for (let i = 1; i <= count; i++) busy[i] += busy[i - 1];
  return { busy, flight: levels(flights, count), waiting: levels(waits, count), kinds };
}

function drawCharts() {
  const { pen, width } = begin(at("charts"), 4 * STRIP), count = Math.max(1, Math.floor(width - LEFT));
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
}

let due = false;
function draw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => { due = false; drawNow(); });
}

function drawNow() {
  drawAxis(); drawTasks(); drawPasses(); drawCharts(); mark();
  state.drawn = drawSms();
  at("range").textContent = `${time(view.a)} to ${time(view.b)}`;
}

// ---- the table

const COLUMNS = [["#", (task, i) => i], ["name", task => task.name], ["tag", task => task.tag], ["status", task => task.status ?? "not over"],
  ["accepted", task => task.start, plain], ["first CTA", task => task.first, plain], ["end", task => task.end, plain],
  ["span", task => task.end - task.start, plain], ["waited", task => task.waited, plain], ["CTAs", task => task.ctas], ["still run", task => task.open],
  ["SMs", task => task.on.size], ["why", about]];

// What the control processor executed, if that was counted: each stage with its part of all instructions.
function fillStages() {
  const all = data.stages.reduce((sum, [, , count]) => sum + count, 0), table = at("stages-table");
  at("stages-list").hidden = !all;
  table.tHead.replaceChildren(make("tr"));
  table.tHead.rows[0].append(...["stage", "what it does", "instructions", "of all", ""].map(name => make("th", name)));
  table.tBodies[0].replaceChildren(...data.stages.map(([stage, text, count]) => {
    const row = make("tr"), bar = make("div");
    row.append(...[stage, text, count.toLocaleString("en"), `${(100 * count / all).toFixed(1)} %`].map(cell => make("td", cell)), make("td"));
    bar.style.width = `${100 * count / data.stages[0][2]}%`;
    row.lastElementChild.append(bar);
    return row;
  }));
}

// The table of passes is in the order of the time line.
function fillPasses() {
  const columns = [["graph", pass => tasks[pass.task].name], ["pass", pass => pass.name], ["#", pass => pass.number], ["status", pass => pass.status],
    ["start", pass => plain(pass.start)], ["end", pass => plain(pass.end)], ["span", pass => plain(pass.end - pass.start)]];
  const table = at("passes-table"), shown = passes.map((_, i) => i).filter(i => !state.found || state.found.has(passes[i].task));
  at("passes-box").hidden = at("passes-list").hidden = !passes.length;
  table.tHead.replaceChildren(make("tr"));
  table.tHead.rows[0].append(...columns.map(([name]) => make("th", name)));
  table.tBodies[0].replaceChildren(...shown.slice(0, ROWS_MOST).map(i => {
    const row = make("tr", "", { className: passes[i].status === "OK" ? "" : "bad", onclick: () => { selectPass(i); zoomTo(passes[i]); } });
    row.append(...columns.map(([, value]) => make("td", value(passes[i]))));
    return row;
  }));
  at("passes-list").lastElementChild.hidden = shown.length <= ROWS_MOST;
  at("passes-list").lastElementChild.textContent = `The first ${ROWS_MOST} of ${shown.length} passes: search for a graph to see others.`;
}

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
    row.onclick = () => { select(i); zoomTo(tasks[i]); };
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

function zoomTo({ start, end }) {
  const edge = Math.max(50, (end - start) * 0.1);
  show(start - edge, end + edge);
}

// When a CTA ran, in words.
function spanOfCta(i) {
  const long = plain(Math.min(data.span, ctas.end[i]) - ctas.start[i]);
  if (!ctas.open.has(i)) return `from ${plain(ctas.start[i])}, ${long} long`;
  return `${ctas.open.get(i) ? "from before the trace began" : `from ${plain(ctas.start[i])}`}, not over at its end, after ${long}`;
}

const stillOf = ({ ctas, open }) => open ? ` (${open === ctas ? "" : `${open} of them `}still running at the end of the trace)` : "";

function select(task, cta = -1) {
  state.task = task;
  state.cta = cta;
  state.pass = -1;
  const one = tasks[task];
  at("selected").textContent = task < 0 ? "Nothing is selected: click on a task or a CTA."
    : cta >= 0 ? `CTA ${ctas.cta[cta]} of ${one.name} (tag ${one.tag}) on SM ${ctas.sm[cta]}: ${spanOfCta(cta)}.`
      : `${one.name} (tag ${one.tag}): ${one.status ?? "not over"}, ${plural(one.ctas, "CTA")} on ${plural(one.on.size, "SM")}${stillOf(one)}, from ${plain(one.start)}, ${plain(one.end - one.start)} long. ${about(one)}`;
  for (const row of at("table").tBodies[0].rows) row.classList.toggle("chosen", Number(row.dataset.task) === task);
  draw();
}

function selectPass(number) {
  const pass = passes[number];
  select(pass.task);
  state.pass = number;
  at("selected").textContent = `Pass ${pass.number}, ${pass.name}, of ${tasks[pass.task].name}: ${pass.status}, from ${plain(pass.start)}, ${plain(pass.end - pass.start)} long.`;
}

// The pass at a point of its panel; -1: none.
function passAt(left, y, width) {
  const row = Math.floor((y + at("passes-box").scrollTop - 3) / TASK_ROW), ns = nsAt(left, width), slack = (view.b - view.a) / (width - LEFT);
  return passes.findIndex(pass => pass.row === row && pass.start - slack <= ns && ns <= pass.end + slack);
}

function search(text) {
  const words = text.toLowerCase().trim();
  state.found = words ? new Set(tasks.flatMap((task, i) => `${task.name} ${task.tag} ${task.status}`.toLowerCase().includes(words) ? [i] : [])) : null;
  fillTable();
  fillPasses();
  draw();
}

function point(instant) {
  state.instant = Math.max(0, Math.min(data.span, instant));
  at("why").textContent = why(state.instant).text;
  mark();
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
  Enter: () => state.task >= 0 && zoomTo(passes[state.pass] ?? tasks[state.task]), Escape: () => select(-1),
  t: () => { otherTheme(); draw(); },
};

function listen() {
  follow(at("tasks"), (left, y) => { const i = Math.floor((y + at("tasks-box").scrollTop - 3) / TASK_ROW); select(tasks[i] ? i : -1); });
  follow(at("sms"), (left, y, width) => { const i = ctaAt(left, y, width); select(i < 0 ? -1 : ctas.task[i], i); });
  follow(at("passes"), (left, y, width) => { const i = passAt(left, y, width); if (i < 0) select(-1); else selectPass(i); });
  follow(at("charts"), () => {});
  follow(at("axis"), () => {});
  for (const box of ["tasks-box", "passes-box", "sms-box"]) at(box).addEventListener("scroll", draw);
  at("in").onclick = KEYS.w; at("out").onclick = KEYS.s; at("fit").onclick = KEYS[0]; at("theme").onclick = KEYS.t;
  at("search").addEventListener("input", event => search(event.target.value));
  at("search").addEventListener("keydown", event => {
    event.stopPropagation();
    if (event.key === "Escape") { event.target.value = ""; search(""); event.target.blur(); }
    if (event.key === "Enter" && state.found?.size) { const [first] = state.found; select(first); zoomTo(tasks[first]); }
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") { event.preventDefault(); at("search").focus(); } else if (event.key in KEYS) KEYS[event.key]();
  });
  window.addEventListener("resize", draw);
}

function tell() {
  const facts = { ...data.facts, span: plain(data.span), SMs: data.sms, tasks: tasks.length, CTAs: `${ctas.count}${ctas.open.size ? ` (${ctas.open.size} still run)` : ""}` };
  at("facts").textContent = Object.entries(facts).map(([name, value]) => `${name} ${value}`).join(" · ");
  at("warning").hidden = !data.note;
  at("warning").textContent = data.note;
  at("stages").replaceChildren(make("b", "Control processor: "), ...data.kinds.flatMap((kind, i) => {
    const part = make("span", "■ ");
    part.style.color = COLOURS[4 + i];
    return [part, `${kind} ${cp.kind.reduce((sum, one) => sum + (one === i), 0)}  `];
  }), make("span", "(records, in the colours of the curve)"));
  at("faults").hidden = !data.faults.length;
  at("faults").querySelector("ul").replaceChildren(...data.faults.map(text => make("li", text)));
}

async function main() {
  await load();
  prepare();
  tell();
  fillTable();
  fillPasses();
  fillStages();
  listen();
  drawNow();
  requestAnimationFrame(() => setTimeout(() => { state.opened_ms = performance.now(); }));  // The frame was painted.
  state.ready = true;
}

main();
