"use strict";
// It sorts and filters tables, shows aligned texts and spans, and makes one line stand out. All else can be read without it.

const FEW_ROWS = 8, FIRST_ROWS = 12, MOST_ROWS = 20; // of a table
const CARDS = 20; // that are drawn at a time
const LETTERS = 18; // of a name beside a text or a lane

function value(row, column) {
  const cell = row.cells[column];
  const text = cell.textContent.trim();
  if (!cell.classList.contains("n")) return text;
  const number = parseFloat(text.replaceAll(",", "").replace("−", "-").replace(/∞|inf/, "Infinity"));
  return Number.isNaN(number) ? -Infinity : number;
}

function sortBy(table, column, heading) {
  const descending = heading.getAttribute("aria-sort") !== "descending";
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, other) => {
    const a = value(one, column), b = value(other, column);
    const order = typeof a === "number" && typeof b === "number" ? a - b || 0 : String(a).localeCompare(String(b));
    return descending ? -order : order;
  });
  table.tBodies[0].append(...rows);
  table.dispatchEvent(new Event("sorted"));
}

function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// A name with its whole text where the mouse points at it. Long names that begin alike differ at their ends.
function named(name, properties = {}) {
  const most = LETTERS / 2;
  const textContent = name.length > LETTERS ? `${name.slice(0, most)}…${name.slice(1 - most)}` : name;
  return made("span", { ...properties, textContent, title: name });
}

// A search field above a table; of more rows than are read at a glance, the first ones, and a button for all.
function filtered(table) {
  const rows = table.tBodies[0].rows, more = made("button", { type: "button", className: "more" });
  let most = rows.length > MOST_ROWS ? FIRST_ROWS : Infinity;
  const input = made("input", { type: "search" });
  const show = () => {
    const wanted = input.value.toLowerCase();
    let found = 0;
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted) || ++found > most;
    more.textContent = `Show all ${found.toLocaleString("en")} rows`;
    more.hidden = found <= most;
  };
  more.addEventListener("click", () => { most = Infinity; show(); });
  input.addEventListener("input", show);
  table.addEventListener("sorted", show);
  table.parentElement.before(made("label", { className: "filter" }, "Filter ", input));
  table.parentElement.after(more);
  show();
}

// -- aligned texts: a card for each text, with the words of all systems in columns --------------------

const wordsOf = (text) => (text ? text.split(" ").length : 0);
const errorsOf = (pairs) => (pairs || []).reduce((sum, [, above, below, wrong]) => sum + wrong * Math.max(above, wordsOf(below)), 0);
const styleOf = ([, above, below, wrong]) => (wrong ? (above ? (below ? "S" : "D") : "I") : "");

function columnsOf(words, systems) {
  // Before each upper word, and after the last one, is a place for words that only a system has.
  const columns = [];
  for (let at = 0; at <= words.length; at++) {
    const inserted = systems.map((pairs) => (pairs || []).filter((pair) => pair[0] === at && pair[1] === 0));
    if (inserted.some((pairs) => pairs.length)) {
      columns.push(["", inserted.map((pairs) => [pairs.map((pair) => pair[2]).join(" "), pairs.length ? styleOf(pairs[0]) : ""])]);
    }
    if (at === words.length) break;
    const below = systems.map((pairs) => {
      if (!pairs) return ["", ""];
      const pair = pairs.find((each) => each[1] > 0 && each[0] <= at && at < each[0] + each[1]);
      if (!pair) return [words[at], ""];
      return [pair[0] === at ? pair[2] || "–" : pair[2] ? "" : "–", styleOf(pair)];
    });
    columns.push([words[at], below]);
  }
  return columns;
}

function card(data, [names, words, systems]) {
  const counts = data.systems.map((name, at) => `${name} ${systems[at] ? errorsOf(systems[at]) : "–"}`).join(", ");
  const pairs = columnsOf(words, systems).map(([above, below]) => made("span", { className: "pair" },
    made("span", { textContent: above }),
    ...below.map(([text, style]) => made("span", { textContent: text, className: style }))));
  return made("article", { className: "card" },
    made("h4", {}, [...new Set(names.filter(Boolean))].join(" · "), made("small", { textContent: `errors: ${counts}` })),
    made("div", { className: "systems" }, ...[data.above, ...data.systems].map((name) => named(name))),
    made("div", { className: "words", dir: "auto" }, ...pairs));
}

function orders(data) {
  const found = [["most errors", (a, b) => b.total - a.total]];
  data.systems.forEach((name, at) => {
    if (data.systems.length > 1) found.push([`most errors of ${name}`, (a, b) => b.errors[at] - a.errors[at]]);
  });
  data.systems.forEach((name, at) => data.systems.forEach((other, against) => {
    if (at === against || data.systems.length > 4) return;
    found.push([`${name} better than ${other}`, (a, b) => (b.errors[against] - b.errors[at]) - (a.errors[against] - a.errors[at])]);
  }));
  return [...found, ["order of the texts", (a, b) => a.at - b.at]];
}

function browse(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const texts = data.texts.map((text, at) => {
    const errors = text[2].map(errorsOf);
    const all = [text[0].join(" "), text[1].join(" "), ...text[2].map((pairs) => (pairs || []).map((pair) => pair[2]).join(" "))];
    return { text, at, errors, total: errors.reduce((a, b) => a + b, 0), words: all.join("\n").toLowerCase() };
  });
  const controls = made("div", { className: "controls" }), cards = made("div"), said = made("span", { role: "status" });
  const more = made("button", { type: "button", className: "more" });
  const search = made("input", { type: "search" });
  const sorted = made("select", {}, ...orders(data).map(([name], value) => made("option", { value, textContent: name })));
  const chosen = data.columns.map((name, at) => {
    const values = [...new Set(data.texts.map((text) => text[0][at]))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (values.length < 2 || (values.length === data.texts.length && values.length > 1)) return null;
    return made("select", {}, made("option", { value: "", textContent: "all" }), ...values.filter(Boolean).map((value) => made("option", { value, textContent: value })));
  });
  let found = [], drawn = 0;
  const draw = () => {
    cards.append(...found.slice(drawn, drawn += CARDS).map((each) => card(data, each.text)));
    more.hidden = drawn >= found.length;
    more.textContent = `Show ${Math.min(CARDS, found.length - drawn)} more of ${found.length.toLocaleString("en")}`;
  };
  const show = () => {
    const wanted = search.value.toLowerCase();
    found = texts.filter((each) => each.words.includes(wanted)
      && chosen.every((select, at) => !select || !select.value || each.text[0][at] === select.value));
    found.sort((a, b) => orders(data)[sorted.value][1](a, b) || a.at - b.at);
    said.textContent = `${found.length.toLocaleString("en")} of ${texts.length.toLocaleString("en")} texts`;
    cards.replaceChildren();
    drawn = 0;
    draw();
  };
  controls.append(made("label", {}, "Search ", search), made("label", {}, "Sort by ", sorted),
    ...data.columns.flatMap((name, at) => (chosen[at] ? [made("label", {}, `${name} `, chosen[at])] : [])), said);
  for (const each of [search, sorted, ...chosen.filter(Boolean)]) each.addEventListener("input", show);
  more.addEventListener("click", draw);
  const legend = made("p", { className: "legend" }, ...[["S", "substituted"], ["D", "– deleted"], ["I", "inserted"]]
    .map(([className, textContent]) => made("span", { className, textContent })));
  root.append(controls, legend, cards, more);
  show();
}

for (const root of document.querySelectorAll(".texts")) browse(root);

// -- spans in panels: a picker of the panel, and a strip that can be made longer ------------------------

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];

function strip(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const picker = made("select", {}, ...data.panels.map(([name], value) => made("option", { value, textContent: name })));
  const [wider, narrower] = [["+", 2], ["−", 0.5]].map(([textContent, factor]) => {
    const button = made("button", { type: "button", className: "more", textContent });
    button.addEventListener("click", () => zoom(factor));
    return button;
  });
  const inner = made("div"), outer = made("div", { className: "scroll", tabIndex: 0 }, inner);
  let longer = 1;
  const draw = () => {
    const lanes = data.panels[picker.value][1], spans = lanes.flatMap((lane) => lane[2]);
    const begin = spans.reduce((least, span) => Math.min(least, span[1]), Infinity);
    const length = spans.reduce((most, span) => Math.max(most, span[2]), -Infinity) - begin || 1;
    const share = (value) => `${(100 * value) / length}%`;
    let of = "";
    inner.replaceChildren(...lanes.flatMap(([run, name, bars]) => {
      const heading = run === of ? [] : [made("p", { className: "run", textContent: run })];
      of = run;
      const drawn = bars.map(([colour, from, to]) => {
        const bar = made("i", { title: `${name}: ${from} to ${to} ${data.unit}` });
        Object.assign(bar.style, { left: share(from - begin), width: share(to - from), background: colour === "n" ? "" : `var(--c${colour})` });
        return bar;
      });
      return [...heading, made("div", { className: "lane" }, named(name, { className: "name" }), made("div", { className: "bars" }, ...drawn))];
    }));
    const step = STEPS.find((each) => each * 8 * longer >= length) || length / 8, marks = made("div", { className: "bars" });
    for (let at = Math.ceil(begin / step) * step; at <= begin + length; at += step) {
      const mark = made("span", { textContent: at.toLocaleString("en") });
      mark.style.left = share(at - begin);
      marks.append(mark);
    }
    inner.append(made("div", { className: "ticks" }, made("span", { className: "name", textContent: data.unit ? `${data.axis} (${data.unit})` : data.axis }), marks));
    inner.style.width = `${100 * longer}%`;
  };
  const zoom = (factor) => {
    const middle = (outer.scrollLeft + outer.clientWidth / 2) / outer.scrollWidth;
    longer = Math.min(Math.max(longer * factor, 1), 256);
    draw();
    outer.scrollLeft = middle * outer.scrollWidth - outer.clientWidth / 2;
  };
  picker.addEventListener("input", () => { longer = 1; draw(); });
  root.append(made("div", { className: "controls" }, made("label", {}, `${data.panel} `, picker), made("span", {}, "Zoom ", narrower, " ", wider)), outer);
  draw();
}

for (const root of document.querySelectorAll(".spans")) strip(root);

for (const table of document.querySelectorAll("table.data")) {
  if (table.tBodies[0].rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, column, heading));
    heading.append(button);
  });
  if (table.tBodies[0].rows.length >= FEW_ROWS) filtered(table);
}

for (const picture of document.querySelectorAll("svg")) {
  const lines = picture.querySelectorAll("[data-series]");
  if (lines.length < 2) continue;
  for (const line of lines) {
    line.addEventListener("pointerenter", () => {
      for (const other of lines) other.classList.toggle("dim", other.dataset.series !== line.dataset.series);
    });
    line.addEventListener("pointerleave", () => lines.forEach((other) => other.classList.remove("dim")));
  }
}
