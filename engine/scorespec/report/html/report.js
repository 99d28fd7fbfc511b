"use strict";
// The page can be read without this script: it only sorts and filters tables, and makes one line stand out.

const FEW_ROWS = 8;

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
}

function filtered(table) {
  const label = document.createElement("label");
  label.className = "filter";
  label.textContent = "Filter ";
  const input = document.createElement("input");
  input.type = "search";
  label.append(input);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(label);
}

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
