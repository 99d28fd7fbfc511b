// The order of what the search of the site finds: pages of tasks and pages whose title has the words that were typed
// come first, and the pages of single definitions last. Sphinx reads this object; the numbers are its own otherwise.
const TASKS = /^(wer|characters|meetings|named-entities|transcripts|diarization|verification|term-detection|term-discovery|articulation)$/;

var Scorer = {  // Sphinx declares one before, which this replaces
  score: ([page, title, , , score]) => {
    const typed = (new URLSearchParams(location.search).get("q") || "").trim().toLowerCase();
    const words = typed.split(/\s+/).filter((word) => word && title.toLowerCase().includes(word));
    const named = 15 * words.length + (typed && title.toLowerCase().includes(typed) ? 40 : 0);
    return score + named + (TASKS.test(page) ? 30 : 0) - (page.startsWith("reference/") ? 10 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
