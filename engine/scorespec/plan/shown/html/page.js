"use strict";
{
  const svg = document.querySelector(".graph svg");
  const nodes = new Map([...svg.querySelectorAll("a")].map((a) => [a.getAttribute("href").slice(1), a]));
  const lines = [...svg.querySelectorAll("path")];
  const into = Map.groupBy ? Map.groupBy(lines, (line) => line.dataset.to) : lines.reduce(
    (found, line) => found.set(line.dataset.to, [...(found.get(line.dataset.to) || []), line]), new Map());

  // Shows a step with everything that it is made from, at any distance; without a step, everything.
  function highlight(id) {
    const on = new Set();
    const waiting = nodes.has(id) ? [id] : [];
    for (const line of lines) line.classList.remove("on");
    while (waiting.length) {
      const next = waiting.pop();
      if (on.has(next)) continue;
      on.add(next);
      for (const line of into.get(next) || []) {
        line.classList.add("on");
        line.parentNode.append(line);  // above the other lines
        waiting.push(line.dataset.from);
      }
    }
    svg.classList.toggle("chosen", on.size > 0);
    for (const [name, node] of nodes) node.classList.toggle("on", on.has(name));
  }

  const chosen = () => location.hash.slice(1);
  const id = (event) => event.target.closest("a")?.getAttribute("href").slice(1);
  svg.addEventListener("pointerover", (event) => highlight(id(event) || chosen()));
  svg.addEventListener("pointerleave", () => highlight(chosen()));
  svg.addEventListener("focusin", (event) => highlight(id(event)));
  svg.addEventListener("focusout", () => highlight(chosen()));
  addEventListener("hashchange", () => { highlight(chosen()); mark(chosen(), "center"); });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    history.replaceState(null, "", location.pathname + location.search);
    highlight("");
  });

  // Marks the step that is read in the graph, and keeps it in view.
  function mark(id, block) {
    for (const [name, node] of nodes) name === id ? node.setAttribute("aria-current", "true") : node.removeAttribute("aria-current");
    if (nodes.has(id) && !svg.matches(":hover")) nodes.get(id).scrollIntoView({ block });
  }
  const article = document.querySelector("article");
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) mark(entry.target.id, "nearest");
  }, { root: article, rootMargin: "-10% 0px -80% 0px" });
  for (const section of article.querySelectorAll("section")) seen.observe(section);
  highlight(chosen());
  mark(chosen(), "center");
  addEventListener("beforeprint", () => { highlight(""); for (const each of document.querySelectorAll("#plan details, .columns")) each.open = true; });
}
