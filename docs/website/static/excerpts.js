// Shows below each result of the search the section with the words, and the text around them.
"use strict";
(() => {
  const BEFORE = 80; // characters of the excerpt before the word
  const LENGTH = 240;
  const query = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase();
  const words = query.match(/[\p{Letter}\p{Number}_]+/gu) ?? [];
  const stemmer = new Stemmer(); // of Sphinx, whose index has stems
  const forms = words.map((word) => [word, stemmer.stemWord(word)]);

  // Where each word, or else its stem, is in a text; words that are not there are left out.
  const places = (text) =>
    forms.map((each) => each.map((form) => text.indexOf(form)).find((at) => at >= 0)).filter((at) => at >= 0);

  const best = (sections) => {
    const found = sections.map((section) => places(section.slice(1).join(" ").toLowerCase()).length);
    return sections[found.indexOf(Math.max(...found))];
  };

  const excerpt = (text) => {
    const at = Math.min(...places(text.toLowerCase()), text.length);
    const begin = at > BEFORE && at < text.length ? text.lastIndexOf(" ", at - BEFORE) + 1 : 0;
    const end = begin + LENGTH < text.length ? text.lastIndexOf(" ", begin + LENGTH) : text.length;
    return (begin ? "… " : "") + text.slice(begin, end) + (end < text.length ? " …" : "");
  };

  const marked = (text) => {
    const pattern = forms.flat().map((form) => `\\b${form}\\w*`).join("|");
    return text.split(new RegExp(`(${pattern})`, "giu")).map((part, index) => {
      const node = document.createElement(index % 2 ? "mark" : "span");
      node.textContent = part;
      return node;
    });
  };

  const complete = (item) => {
    const link = item.querySelector("a");
    const [page, id] = link.getAttribute("href").split("#");
    const sections = PAGE_TEXTS[page.replace(/\.html$/, "")];
    if (!sections || !words.length) return;
    const [anchor, title, text] = sections.find((section) => section[0] === id) ?? best(sections);
    const line = item.appendChild(document.createElement("p"));
    line.className = "context";
    if (!id && anchor !== sections[0][0]) {
      const place = line.appendChild(document.createElement("a"));
      place.href = `${page}#${anchor}`;
      place.textContent = title;
      line.append(": ");
    }
    line.append(...marked(excerpt(text)));
  };

  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node.nodeName === "LI") complete(node);
  }).observe(document.getElementById("search-results"), { childList: true, subtree: true });
})();
