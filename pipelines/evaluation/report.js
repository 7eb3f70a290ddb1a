"use strict";
// The list of questions in a report. All text goes into the page as text, never as HTML.
(() => {
  const PAGE = 50;
  const at = (id) => document.getElementById(id);
  const { stages, depths, questions, entries } = JSON.parse(at("data").textContent);
  let shown = PAGE;

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const one = () => Number(at("baseline").value), other = () => Number(at("stage").value);
  // A rank's worth is that of MRR: to win the first place counts more than to win the tenth. What one of the two cuts
  // off is lost by neither.
  const worth = (rank) => (rank && rank <= Math.min(depths[one()], depths[other()]) ? 1 / rank : 0);
  const gain = (question) => worth(question.stages[other()].rank) - worth(question.stages[one()].rank);
  const filters = {
    all: () => true,
    won: (question) => gain(question) > 0,
    lost: (question) => gain(question) < 0,
    moved: (question) => gain(question) !== 0,
    right: (question) => [one(), other()].every((stage) => question.stages[stage].rank === 1),
    wrong: (question) => [one(), other()].every((stage) => question.stages[stage].rank !== 1),
    missing: (question) => !question.stages[other()].rank,
  };
  const orders = {
    file: null,
    gain: (a, b) => gain(b) - gain(a),
    loss: (a, b) => gain(a) - gain(b),
    text: (a, b) => a.text.localeCompare(b.text),
  };

  function chosen() {
    const wanted = at("search").value.trim().toLowerCase();
    const found = questions.filter(filters[at("filter").value])
      .filter((question) => question.text.toLowerCase().includes(wanted) || question.id.toLowerCase() === wanted);
    const order = orders[at("sort").value];
    return order ? found.sort(order) : found;
  }

  const rank = (question, place) => String(question.stages[place].rank || "–");
  const title = (entry) => entries[entry].title || entries[entry].id;

  function line(question) {
    const won = gain(question);
    const sign = won > 0 ? "▲ " : won < 0 ? "▼ " : "";
    const ranks = make("span", { class: "ranks number " + (won > 0 ? "up" : won < 0 ? "down" : "muted") },
      `${sign}${rank(question, one())} → ${rank(question, other())}`);
    const details = make("details", { class: "question" },
      make("summary", {}, make("span", { dir: "auto" }, question.text), ranks));
    // Built when it is opened: there may be thousands.
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        const sought = question.right.map((entry) => title(entry)).join("; ") || "no entry";
        details.append(
          make("p", { class: "sought small muted", dir: "auto" }, `${question.id}; right: ${sought}`),
          make("div", { class: "sides" }, side(question, one()), side(question, other())));
      }
    });
    return details;
  }

  function side(question, place) {
    const stage = question.stages[place];
    const items = stage.ids.map((entry, position) => {
      const score = stage.scores[position];
      const right = question.right.includes(entry);
      return make("li", { class: right ? "right" : "", title: entries[entry].id },
        ...(right ? [make("b", {}, "✓ ")] : []), make("span", { dir: "auto" }, title(entry)),
        make("span", { class: "muted small number" }, score == null ? "" : ` ${score}`));
    });
    const below = stage.rank > stage.ids.length ? [make("p", { class: "muted small" }, `The first right entry is at ${stage.rank}.`)] : [];
    const none = items.length ? [make("ol", {}, ...items)] : [make("p", { class: "muted small" }, "Nothing was found.")];
    return make("div", {}, make("h3", {}, stages[place]), ...none, ...below);
  }

  function draw() {
    const found = chosen();
    at("questions").replaceChildren(...found.slice(0, shown).map(line));
    const won = questions.filter(filters.won).length, lost = questions.filter(filters.lost).length;
    const depth = Math.min(depths[one()], depths[other()]);
    at("count").textContent = `${found.length} of ${questions.length} questions. ${stages[other()]} wins ${won} and loses ${lost} ` +
      `against ${stages[one()]}, by the rank of the first right entry among the first ${depth}.`;
    at("more").hidden = found.length <= shown;
  }

  for (const id of ["baseline", "stage"]) at(id).append(...stages.map((name, place) => make("option", { value: place }, name)));
  // The newest against the kept run, or the last stage against the one that it reorders.
  const last = stages.length - 1, kept = stages[last] === "kept run";
  at("baseline").value = kept ? last : Math.max(0, last - 1);
  at("stage").value = kept ? last - 1 : last;
  for (const id of ["baseline", "stage", "filter", "sort"]) at(id).addEventListener("change", () => { shown = PAGE; draw(); });
  at("search").addEventListener("input", () => { shown = PAGE; draw(); });
  at("more").addEventListener("click", () => { shown += PAGE; draw(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("input")) { event.preventDefault(); at("search").focus(); }
  });
  draw();
})();
