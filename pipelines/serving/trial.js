"use strict";
// The page at `/`. All text from questions and entries goes into the page as text, never as HTML.
(() => {
  const TRY = "/page/try", LABELS = "/page/labels", QUESTIONS = "/page/questions";
  const TOKEN = "answer-selection-token";
  const SHOWN = 5, TO_LABEL = 9;
  // Nobody has read a question in less: what is pressed then was meant for the one before.
  const UNREAD_MS = 400;
  const at = (id) => document.getElementById(id);
  const state = { about: null, asking: 0, question: "", label: null, tasks: [], task: 0, past: [], ahead: new Map() };

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value != null) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child != null && child !== false && child !== ""));
    return element;
  }

  class Refused extends Error {
    constructor(status, text) { super(text); this.status = status; }
  }

  async function send(path, method = "GET", body = undefined) {
    const headers = {};
    const token = sessionStorage.getItem(TOKEN);
    // A header is bytes: those of the token's UTF-8.
    if (token) headers.Authorization = "Bearer " + String.fromCharCode(...new TextEncoder().encode(token));
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: "omit" });
    } catch {
      throw new Refused(0, "The service does not answer. It may have been stopped, or the network is away.");
    }
    const result = await response.json().catch(() => ({}));
    if (response.ok) return result;
    const detail = result.detail;
    const told = Array.isArray(detail) ? detail.map((each) => each.msg).join("; ") : detail;
    throw new Refused(response.status, told || `The service answered with status ${response.status}.`);
  }

  // Run something that asks the service; say what went wrong, and offer to do it again.
  async function guarded(action) {
    at("error").hidden = true;
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      at("status").className = "small muted";
      at("status").textContent = "";
      if (error.status === 401) return askForToken(() => guarded(action));
      const again = make("button", { type: "button", onclick: () => guarded(action) }, "Try again");
      at("error").replaceChildren(make("p", { dir: "auto" }, error.message), again);
      at("error").hidden = false;
    }
  }

  function askForToken(then) {
    const form = at("token-form");
    sessionStorage.removeItem(TOKEN);
    form.hidden = false;
    at("ask").hidden = true;
    at("token").value = "";
    at("token").focus();
    form.onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem(TOKEN, at("token").value.trim());
      form.hidden = true;
      at("ask").hidden = false;
      then();
    };
  }

  // --- asking -------------------------------------------------------------------------------------------------------

  async function ask(question) {
    const turn = ++state.asking;
    at("status").textContent = "Asking";
    at("status").className = "small muted busy";
    if (state.about.labelling) takeChoices(false);
    const asked = await find(question);
    if (turn !== state.asking) return;  // another question was asked meanwhile
    state.question = question;
    state.label = asked.label;
    show(asked);
    if (state.about.labelling) {
      const back = make("button", { type: "button", onclick: comeBack }, make("kbd", {}, "Esc"), " Back");
      at("results").prepend(make("p", { class: "row found small" }, make("span", {}, "Found by your search."), back));
      takeChoices(true);
    }
  }

  function find(question) {
    const top_k = state.about.labelling ? TO_LABEL : SHOWN;
    return send(TRY, "POST", { question, top_k });
  }

  const SIGNALS = {
    model: "the model", bm25: "BM25", cosine: "likeness of meaning", words: "what its words mean",
    coverage: "words of the question", length: "its length", retriever: "the retriever's score",
    question: "its question, word for word",
  };
  const milliseconds = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

  function show(asked) {
    const two = asked.runs.length > 1;
    const places = asked.runs.map((run) => new Map(run.result.answers.map((answer, place) => [answer.entry_id, place + 1])));
    at("status").className = "small muted number";
    at("status").textContent = asked.runs.map((run) => {
      const time = `${milliseconds(run.result.retrieval_ms)} to find, ${milliseconds(run.result.ranking_ms)} to rank`;
      return two ? `${run.name}: ${time}` : time;
    }).join(" · ");
    const lists = asked.runs.map((run, side) => {
      const other = two ? { name: asked.runs[1 - side].name, places: places[1 - side] } : null;
      return list(run, other, side);
    });
    at("results").replaceChildren(make("div", { class: two ? "lists two" : "lists" }, ...lists));
  }

  function list(run, other, side) {
    const { answers } = run.result;
    const none = run.result.abstained && answers.length > 0;
    const largest = (name) => Math.max(...answers.map((answer) => Math.abs(signal(answer, name) ?? 0)), 1e-9);
    const scales = { bm25_score: largest("bm25_score"), retriever_score: largest("retriever_score") };
    return make("section", { "aria-label": run.name },
      other && make("header", {}, make("h2", { dir: "auto" }, run.name)),
      run.result.searched && make("p", { class: "searched small muted" }, "Searched for: ", make("b", { dir: "auto" }, run.result.searched)),
      none && make("p", { class: "none" }, make("b", {}, "No answer here."), "These are the closest entries."),
      answers.length === 0
        ? make("p", { class: "empty muted" }, "Nothing was found. No entry has a word of the question.")
        : make("ol", { class: "answers" }, ...answers.map((answer, place) => card(run, place, other, scales, side))));
  }

  function pieces(parts) {
    return parts.map(([text, kind]) => kind ? make("mark", { class: kind }, text) : text);
  }

  const signal = (answer, name) => name === "retriever_score" ? answer.retriever_score : answer.meta[name];
  const rounded = (value) => Number(value).toLocaleString("en", { maximumSignificantDigits: 3 });

  function card(run, place, other, scales, side) {
    const answer = run.result.answers[place];
    const probability = answer.meta.ranker_probability;
    const item = make("li", { class: "answer", tabindex: "-1", "data-entry": answer.entry_id },
      make("div", { class: "place number" }, state.about.labelling && side === 0 ? make("kbd", {}, place + 1) : place + 1));
    const body = make("div");
    const long = answer.answer.length > (state.about.labelling ? 160 : 420);
    const text = make("p", { class: long ? "text long" : "text", dir: "auto" }, ...pieces(run.answers[place]));
    body.append(
      make("h2", { dir: "auto" }, ...(answer.question ? pieces(run.questions[place]) : [answer.entry_id])), text);
    if (long) body.append(more(text));
    const from = source(answer.source);
    if (from && !state.about.labelling) body.append(from);
    const facts = make("div", { class: "facts small" },
      // There is room for it beside the button.
      state.about.labelling && from,
      // Who labels is to judge the entry, not the ranker's opinion of it.
      !state.about.labelling && probability != null && chance(probability),
      !state.about.labelling && moved(answer, place), other && beside(answer, place, other), make("span", { class: "grow" }));
    if (side === 0 && state.about.labelling) {
      facts.append(make("button", { type: "button", onclick: () => choose(answer.entry_id) }, "This one"));
    } else if (state.about.labels && !state.about.labelling) {
      facts.append(thumbs(answer.entry_id));
    }
    body.append(facts);
    if (!state.about.labelling) body.append(why(run, place, scales));
    item.append(body);
    for (const [event, on] of [["focusin", true], ["focusout", false], ["mouseenter", true], ["mouseleave", false]]) {
      if (other) item.addEventListener(event, () => pair(answer.entry_id, on));
    }
    return item;
  }

  function more(text) {
    const button = make("button", { type: "button", class: "more small", "aria-expanded": "false" }, "Show all");
    button.addEventListener("click", () => {
      const open = text.classList.toggle("long");
      button.setAttribute("aria-expanded", String(!open));
      button.textContent = open ? "Show all" : "Show less";
    });
    return button;
  }

  function pair(entry, on) {
    for (const one of document.querySelectorAll(".answer")) one.classList.toggle("same", on && one.dataset.entry === entry);
  }

  function source(from) {
    if (!from) return null;
    // Nothing but pages may be a link: an entry's text must not become a script.
    const link = /^https?:\/\//i.test(from);
    return make("p", { class: "source small" },
      link ? make("a", { href: from, rel: "noreferrer noopener", target: "_blank" }, from) : make("span", { class: "muted" }, from));
  }

  function chance(probability) {
    const fill = make("b");
    fill.style.width = `${100 * probability}%`;
    const percent = probability > 0 && probability < .01 ? "below 1" : probability < 1 && probability > .99 ? "above 99" : Math.round(100 * probability);
    return make("span", { class: "chance", title: "The ranker's probability that this answer is right" },
      make("i", { "aria-hidden": "true" }, fill), make("span", { class: "number" }, `${percent} % likely`));
  }

  function moved(answer, place) {
    const before = answer.retriever_rank;
    if (before == null) return null;
    const up = before - (place + 1);
    if (!up) return make("span", { class: "muted" }, "same place as found");
    return make("span", { class: up > 0 ? "up" : "down" },
      `${up > 0 ? "▲" : "▼"} ${Math.abs(up)}`, make("span", { class: "muted" }, ` found at ${before}`));
  }

  function beside(answer, place, other) {
    const there = other.places.get(answer.entry_id);
    if (!there) return make("span", { class: "muted" }, `not shown by ${other.name}`);
    return make("span", { class: "muted" }, there === place + 1 ? `also ${there} with ${other.name}` : `${there} with ${other.name}`);
  }

  function why(run, place, scales) {
    const answer = run.result.answers[place], meta = answer.meta;
    const words = [...new Set([...run.questions[place], ...run.answers[place]].filter(([, kind]) => kind === "shared")
      .map(([text]) => text.toLowerCase()))];
    const rows = [];
    const row = (name, value, part = null) => {
      const bar = part == null ? null : make("i", { "aria-hidden": "true" });
      if (bar) bar.style.width = `${100 * Math.min(1, Math.max(0, part))}%`;
      rows.push(make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "number" }, value, bar)));
    };
    row("words shared", words.length ? words.join(", ") : "none that tell it from the others");
    const hybrid = meta.vector_score != null;
    if (meta.bm25_score != null) row("BM25", rounded(meta.bm25_score), meta.bm25_score / scales.bm25_score);
    if (hybrid) row("likeness of meaning", `${rounded(meta.vector_score)} (cosine)`, meta.vector_score);
    if (answer.retriever_score != null) {
      row(hybrid ? "BM25 and meaning" : "BM25", rounded(answer.retriever_score), answer.retriever_score / scales.retriever_score);
    }
    if (answer.retriever_rank != null) row("found at place", answer.retriever_rank);
    // By how much each signal that the ranker weighs puts this candidate above the mean of all, in log-odds.
    const leads = Object.entries(meta.ranker_signals ?? {}).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
      .map(([name, value]) => `${SIGNALS[name] ?? name} ${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`);
    if (leads.length) row("ahead of the others by", `${leads.join(", ")} (log-odds)`);
    if (meta.ranker_probability != null) row("ranker's probability", rounded(meta.ranker_probability), meta.ranker_probability);
    if (answer.score != null && answer.score !== meta.ranker_probability) row("final score", rounded(answer.score));
    row("entry", answer.entry_id);
    const shown = new Set(["bm25_score", "vector_score", "ranker_probability", "source", "anchor"]);
    for (const [name, value] of Object.entries(meta)) {
      if (!shown.has(name) && value != null && typeof value !== "object") row(name, String(value));
    }
    return make("details", { class: "why small" }, make("summary", {}, "Why this answer"),
      make("table", {}, make("tbody", {}, ...rows)));
  }

  // --- thumbs -------------------------------------------------------------------------------------------------------

  function thumbs(entry) {
    const group = make("span", { class: "thumbs", role: "group", "aria-label": "Is this the answer?" });
    const draw = () => {
      const said = state.label?.relevant.includes(entry) ? true : state.label?.irrelevant.includes(entry) ? false : null;
      group.replaceChildren(...[[true, "yes", "✓ Right"], [false, "no", "✕ Wrong"]].map(([right, name, word]) =>
        make("button", {
          type: "button", class: name, "aria-pressed": String(said === right),
          onclick: () => guarded(async () => {
            const question = state.question;
            const judged = await send(LABELS, "POST", { question, entry_id: entry, right: said === right ? null : right });
            if (state.question !== question) return;
            state.label = judged.label;
            for (const one of document.querySelectorAll(".thumbs")) one.dispatchEvent(new Event("redraw"));
            at("status").textContent = said === right ? `Taken back from ${state.about.labels}` : `Kept in ${state.about.labels}`;
          }),
        }, word)));
    };
    group.addEventListener("redraw", () => {
      const focused = group.contains(document.activeElement) ? document.activeElement.className : null;
      draw();
      if (focused) group.querySelector("." + focused)?.focus();
    });
    draw();
    return group;
  }

  // --- labelling ----------------------------------------------------------------------------------------------------

  async function startLabelling() {
    state.tasks = await send(QUESTIONS);
    at("task").hidden = false;
    document.body.classList.add("labelling");
    at("question").placeholder = "Search for another entry";
    at("ask").querySelector("button").textContent = "Search";
    at("keys").replaceChildren(make("kbd", {}, "1"), "–", make("kbd", {}, "9"), " choose an entry, ",
      make("kbd", {}, "a"), " show whole answers, ", make("kbd", {}, "/"), " search for another entry, ",
      make("kbd", {}, "Esc"), " back");
    await goTo(next(-1));
  }

  // The first question without a label after a place, or before it where none is left behind it.
  function next(place) {
    const order = state.tasks.map((_, step) => (place + 1 + step) % state.tasks.length);
    return order.find((each) => !state.tasks[each].label && !state.tasks[each].skipped) ?? -1;
  }

  // A choice is of the list that is shown: none is taken while another one is on its way.
  function takeChoices(taken) {
    clearTimeout(state.unread);
    at("results").inert = !taken;
    at("none").disabled = !taken;
  }

  // What goes wrong on the way can be tried again without what was done before it.
  const move = (place) => guarded(() => goTo(place));

  function comeBack() {
    if (state.task >= 0) move(state.task);
  }

  async function goTo(place) {
    const turn = ++state.asking;
    takeChoices(false);
    scrollTo(0, 0);
    state.task = place;
    const known = state.tasks.filter((task) => task.label).length;
    const skipped = state.tasks.filter((task) => task.skipped && !task.label).length;
    at("progress").textContent = `${known} of ${state.tasks.length} labelled` + (skipped ? `, ${skipped} skipped` : "");
    at("done").value = known / state.tasks.length;
    at("undo").disabled = state.past.length === 0;
    const over = place < 0;
    at("skip").disabled = over;
    at("ask").hidden = over;
    at("skipped").hidden = !over || !skipped;
    at("question").value = "";
    if (over) {
      at("to-label").textContent = skipped
        ? `All others are labelled, in ${state.about.labels}.` : `All done. The labels are in ${state.about.labels}.`;
      at("status").textContent = "";
      at("results").replaceChildren();
      return;
    }
    const { question } = state.tasks[place];
    at("to-label").textContent = question;
    const asked = await ahead(question);
    if (turn !== state.asking) return;
    show(asked);
    state.unread = setTimeout(() => takeChoices(true), UNREAD_MS);
    const coming = next(place);
    if (coming >= 0 && coming !== place) ahead(state.tasks[coming].question).catch(() => {});
  }

  // Ask before it is wanted, so that nobody waits between two questions.
  function ahead(question) {
    if (!state.ahead.has(question)) {
      const asked = find(question);
      asked.catch(() => state.ahead.delete(question));
      state.ahead.set(question, asked);
    }
    return state.ahead.get(question);
  }

  const choose = (entry) => decide({ relevant: [entry], irrelevant: [] });

  function decide(label) {
    const place = state.task, task = state.tasks[place];
    if (place < 0 || state.saving || at("results").inert) return;
    return guarded(async () => {
      state.saving = true;
      try {
        await send(LABELS, "PUT", { question: task.question, label });
      } finally {
        state.saving = false;
      }
      state.past.push({ place, label: task.label });
      task.label = label;
      await move(next(place));
    });
  }

  function skip() {
    const place = state.task;
    if (place < 0) return;
    state.tasks[place].skipped = true;
    state.past.push({ place, skipped: true });
    return move(next(place));
  }

  function undo() {
    const last = state.past.at(-1);
    if (!last || state.saving) return;
    const task = state.tasks[last.place];
    return guarded(async () => {
      if (!last.skipped) await send(LABELS, "PUT", { question: task.question, label: last.label });
      state.past.pop();
      if (last.skipped) task.skipped = false;
      else task.label = last.label;
      await move(last.place);
    });
  }

  // --- keys and start -----------------------------------------------------------------------------------------------

  function step(by) {
    const cards = [...document.querySelectorAll(".answer")];
    const here = cards.indexOf(document.activeElement?.closest(".answer"));
    const to = here < 0 ? (by > 0 ? 0 : -1) : here + by;
    if (to < 0) at("question").focus();
    else cards[to]?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("input");
    if (event.key === "Escape") {
      if (state.about?.labelling) comeBack();
      if (typing) event.target.blur();
    } else if (event.key === "ArrowDown" || (event.key === "ArrowUp" && !typing)) {
      if (!document.querySelector(".answer") || event.target.matches("summary, select")) return;
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (typing) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      at("question").focus();
      at("question").select();
    } else if (event.key === "Enter" && event.target.matches(".answer")) {
      const details = event.target.querySelector(".why");
      details.open = !details.open;
    } else if (state.about?.labelling && !event.repeat) {
      const chosen = /^[1-9]$/.test(event.key) && document.querySelectorAll(".lists > section:first-child .answer")[event.key - 1];
      if (chosen) choose(chosen.dataset.entry);
      else if (event.key === "0" && state.task >= 0) decide({ relevant: [], irrelevant: [] });
      else if (event.key === "a") document.body.classList.toggle("whole");
      else if (event.key === "s") skip();
      else if (event.key === "u") undo();
    }
  });

  at("none").addEventListener("click", () => decide({ relevant: [], irrelevant: [] }));
  at("skip").addEventListener("click", skip);
  at("undo").addEventListener("click", undo);
  at("skipped").addEventListener("click", () => {
    for (const task of state.tasks) task.skipped = false;
    move(next(-1));
  });
  at("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    const question = at("question").value.trim();
    if (!question) return at("question").focus();
    if (state.about?.labelling) {
      // So that the next key chooses an entry.
      at("question").blur();
    } else {
      // What follows # is never sent, so no log has it.
      history.replaceState(null, "", "#" + encodeURIComponent(question));
    }
    guarded(async () => {
      state.about ??= await send(TRY);
      await ask(question);
    });
  });

  guarded(async () => {
    const about = state.about = await send(TRY);
    at("about").textContent = about.pipelines.join(" beside ");
    if (about.labelling) {
      document.title = "Label: answer-selection";
      await startLabelling();
      return;
    }
    at("results").replaceChildren(make("p", { class: "empty muted narrow" },
      "Ask as your users would. Each answer shows where it comes from, how likely it is, and what it rests on."));
    let question = "";
    try { question = decodeURIComponent(location.hash.slice(1)); } catch { /* not ours */ }
    at("question").focus();
    if (question) {
      at("question").value = question;
      await ask(question);
    }
  });
})();
