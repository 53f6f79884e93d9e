// Takes down the rounds of a session on a phone at the table: large number keys, places and sums while typing, warnings
// before storing, undo, and all of it without a network too. The page's own form is the same without a script.
// Terms: the *entry* is what the page brings along (league/web/table_entry.py); the *draft* is what is typed for one
// round and not stored yet.
(() => {
  "use strict";
  const { tischliga } = window;
  const source = document.getElementById("entry-data");
  const root = document.getElementById("table-entry");
  if (!source || !root || !window.fetch || !window.indexedDB) return;
  const { el, say, judge } = tischliga;
  let entry = JSON.parse(source.textContent);
  const { words } = entry;
  const touch = matchMedia("(pointer: coarse)").matches;
  const draftName = `entry ${entry.session}`;

  // --- What is to be entered ------------------------------------------------------------------------------------------

  const queue = new tischliga.Queue(entry.session, entry.addresses.store, () => show(), () => send());
  // By number of the round: {game, note, kind, texts: {player: what was typed}}.
  let drafts = {};
  let number = 0;
  let asked = false;
  let busy = false;
  let keepsPage = false;

  const known = () => {
    const found = new Map(entry.rounds.map((one) => [one.number, one]));
    for (const one of queue.rounds) if (!found.has(one.number)) found.set(one.number, one);
    return found;
  };
  const following = () => {
    const found = known();
    let next = 1;
    while (found.has(next)) next += 1;
    return next;
  };
  const sitting = () => {
    const found = new Map();
    for (const seat of entry.seats) {
      if (seat.from <= number && (seat.until === null || number <= seat.until)) found.set(seat.player, seat.name);
    }
    return found;
  };
  const nameOf = (player) => entry.seats.find((seat) => seat.player === player)?.name || `#${player}`;

  const proposed = () => {
    const before = known().get(number - 1);
    const game = entry.choices[(number - 1) % entry.choices.length];
    let kind = entry.kind;
    if (before) kind = before.scores.every((one) => one.points === null || one.points === undefined) ? "place" : "points";
    return { game, note: "", kind, texts: {} };
  };
  const draft = () => {
    drafts[number] ||= proposed();
    const own = drafts[number];
    const game = entry.games[own.game];
    if (game.places) own.kind = "place";
    if (game.together) own.kind = "points";
    if (!game.notes.includes(own.note)) own.note = "";
    return own;
  };
  const game = () => entry.games[draft().game];
  const keepDrafts = () => {
    try { sessionStorage.setItem(draftName, JSON.stringify(drafts)); } catch { /* then a reload loses what is typed */ }
  };

  // One field a player; a game of the whole table has one for all.
  const fields = () => (game().together ? [["table", game().unit]] : [...sitting()]);
  const textOf = (id) => draft().texts[id] ?? "";
  const numberOf = (id) => (/^[-−]?\d+$/.test(textOf(id)) ? Number(textOf(id).replace("−", "-")) : null);
  const typed = () => Object.values(drafts[number]?.texts || {}).some((text) => text !== "");

  // Of each player {sum, even}: the places of all rounds before this one, and whether every round was played.
  const sumsBefore = () => {
    const sums = new Map();
    for (const [player] of sitting()) {
      const total = entry.totals[player] || { sum: 0, missed: 0 };
      sums.set(player, { sum: total.sum, even: total.missed === 0 });
    }
    const after = entry.rounds.length;
    for (const one of known().values()) {
      if (one.number <= after || one.number >= number) continue;
      const got = placesOf(one);
      for (const [player, total] of sums) {
        const index = one.scores.findIndex((score) => score.player === player);
        if (index < 0) total.even = false;
        else total.sum += got[index] || 0;
      }
    }
    return sums;
  };
  const placesOf = (round) => {
    const points = round.scores.map((one) => one.points);
    const its = entry.games[round.game];
    if (its?.together) return round.scores.map(() => null);
    if (its && points.every((one) => one !== null && one !== undefined)) return tischliga.places(points, its.high);
    return round.scores.map((one) => one.place);
  };

  // The judgement on what is typed so far: places of those that are typed, all problems once every field is filled.
  const verdict = () => {
    const own = draft();
    const players = [...sitting().keys()];
    const given = players.map((player) => numberOf(game().together ? "table" : player));
    const whole = given.every((one) => one !== null);
    const got = new Map();
    if (own.kind === "place") players.forEach((player, index) => got.set(player, given[index]));
    else if (!game().together) {
      const some = players.filter((_player, index) => given[index] !== null);
      const found = tischliga.places(given.filter((one) => one !== null), game().high);
      some.forEach((player, index) => got.set(player, found[index]));
    }
    const judged = whole && players.length ? judge(game(), own.note, own.kind, given) : { errors: [], warnings: [] };
    const outside = players.filter((_player, index) => given[index] !== null && Math.abs(given[index]) > entry.limit);
    return { players, given, whole, got, outside, ...judged };
  };

  // --- What is on the screen ------------------------------------------------------------------------------------------

  const parts = {};
  const inputs = new Map();
  // Where the number keys write.
  let at = null;
  // The first digit after a field was chosen takes the place of what stands there.
  let fresh = true;
  // The row changed by itself a moment ago: who did not see that still taps "Next", which would skip somebody.
  let led = false;

  const build = () => {
    parts.net = el("p", { class: "entry-net", role: "status" });
    parts.last = el("div", { class: "entry-last" });
    parts.panel = el("div", {});
    parts.game = el("select", { id: "entry-game", onchange: () => choose({ game: parts.game.value }) });
    parts.note = el("select", { id: "entry-note", onchange: () => choose({ note: parts.note.value }) });
    parts.noteLabel = el("label", { class: "unseen", for: "entry-note" }, words.note);
    parts.kind = el("div", { class: "entry-kind", role: "group", "aria-label": words.kind });
    for (const [value, text] of [["points", words.points], ["place", words.places]]) {
      parts.kind.append(el("button", { type: "button", class: "second", "data-kind": value, onclick: () => choose({ kind: value, texts: {} }) }, text));
    }
    parts.seats = el("ol", { class: "entry-seats" });
    parts.said = el("div", { class: "entry-said", "aria-live": "polite", tabindex: "-1" });
    parts.pad = pad();
    parts.form = el(
      "form",
      { class: "card entry-form", novalidate: true, onsubmit: (event) => { event.preventDefault(); step(); } },
      el("div", { class: "entry-what" }, el("label", { class: "unseen", for: "entry-game" }, words.game), parts.game, parts.kind, parts.noteLabel, parts.note),
      parts.seats,
      parts.said,
      parts.pad,
    );
    parts.over = el("div", { class: "card entry-over", hidden: true });
    parts.title = document.getElementById("round-title");
    root.append(el("div", { class: "entry-head" }, parts.title, parts.last, parts.net), parts.panel, parts.form, parts.over);
  };

  const pad = () => {
    const key = (text, act, attributes = {}) => el(
      "button",
      { type: "button", tabindex: "-1", class: "key", onpointerdown: (event) => event.preventDefault(), onclick: act, ...attributes },
      text,
    );
    const digit = (value) => key(value, () => press(value), { "data-key": value });
    parts.minus = key("−", () => press("−"), { "aria-label": words.minus });
    parts.go = el("button", { class: "key go", onpointerdown: (event) => event.preventDefault() }, words.next);
    const [one, two, three, four, five, six, seven, eight, nine] = "123456789".split("").map(digit);
    return el(
      "div",
      { class: "entry-pad", role: "group", "aria-label": words.keys },
      one, two, three, key("⌫", () => press("delete"), { "aria-label": words.delete }),
      four, five, six, key("↑", () => move(-1), { "aria-label": words.up }),
      seven, eight, nine, parts.go,
      parts.minus, digit("0"), key("C", () => press("clear"), { "aria-label": words.clear }),
    );
  };

  const rows = () => {
    const wanted = fields().map((one) => one.join(" ")).join();
    if (parts.seats.dataset.for !== wanted) {
      inputs.clear();
      parts.seats.dataset.for = wanted;
      parts.seats.replaceChildren(...fields().map(([id, name]) => row(id, name)));
    }
    const negative = mayBeNegative();
    for (const [id, own] of inputs) {
      own.input.inputMode = touch ? "none" : (negative ? "text" : "numeric");
      if (own.input.value !== textOf(id)) own.input.value = textOf(id);
    }
    parts.minus.disabled = !negative;
  };
  const mayBeNegative = () => {
    const bounds = game().bounds[draft().note]?.[sitting().size];
    return draft().kind === "points" && (!bounds || bounds.minimum === null || bounds.minimum < 0);
  };
  const row = (id, name) => {
    const input = el("input", {
      id: `entry-${id}`, type: "text", autocomplete: "off", enterkeyhint: "next", "aria-describedby": `entry-of-${id}`,
      oninput: () => { draft().texts[id] = input.value.trim(); touched(); },
      onfocus: () => { at = id; fresh = true; led = false; if (!touch) input.select(); mark(); },
      onkeydown: (event) => {
        if (event.key === "ArrowUp" || event.key === "ArrowDown") {
          event.preventDefault();
          move(event.key === "ArrowUp" ? -1 : 1);
        }
      },
    });
    const before = el("small", {}, id === "table" ? words.whole : "");
    const place = el("span", { class: "rank none" }, "–");
    const after = el("b", {});
    const told = el("span", { class: "entry-told", id: `entry-of-${id}` }, place, after);
    inputs.set(id, { input, before, place, after });
    return el(
      "li",
      { onclick: () => { input.focus(); fresh = true; led = false; } },
      el("span", { class: "entry-name" }, el("label", { for: `entry-${id}` }, name), before),
      input,
      told,
    );
  };

  const figures = () => {
    const { got, players } = verdict();
    const sums = sumsBefore();
    const even = [...sums.values()].every((one) => one.even);
    const start = [...sums.values()].map((one) => one.sum);
    const totals = players.map((player) => sums.get(player).sum + (got.get(player) || 0));
    const all = players.length > 0 && players.every((player) => got.get(player));
    const standing = tischliga.places(totals, false);
    const earlier = tischliga.places(start, false);
    players.forEach((player, index) => {
      const own = inputs.get(player);
      if (!own) return;
      const place = got.get(player);
      const shared = place && [...got.values()].filter((one) => one === place).length > 1;
      own.place.className = `rank${place ? "" : " none"}${place === 1 ? " first" : ""}`;
      own.place.replaceChildren(...(place
        ? [el("span", { class: "unseen" }, `${words.place} `), String(place), ...(shared
          ? [el("i", { "aria-hidden": "true" }, "="), el("span", { class: "unseen" }, ` ${words.shared}`)] : [])]
        : [el("span", { "aria-hidden": "true" }, "–")]));
      const sofar = number > 1 ? `Σ ${sums.get(player).sum}${even ? ` · ${earlier[index]}.` : ""}` : "";
      own.before.textContent = sofar;
      own.after.replaceChildren(...(place
        ? [el("span", { class: "unseen" }, ` ${words.sum} `), el("span", { "aria-hidden": "true" }, "Σ "), String(totals[index]),
          ...(all && even ? [el("small", {}, ` ${standing[index]}.`)] : [])]
        : []));
    });
  };

  const sentence = (problem) => {
    const who = problem.index === null || game().together ? "" : `${sitting().get(verdict().players[problem.index])}: `;
    return who + say(entry.sentences[problem.code], problem.params);
  };
  const remarks = () => {
    const { errors, warnings, outside, players } = verdict();
    const wrong = new Set(errors.map((one) => (one.index === null ? null : players[one.index])));
    const lines = errors.map(sentence);
    if (outside.length) lines.push(say(words.tooLarge, { minimum: -entry.limit, maximum: entry.limit }));
    for (const [id, own] of inputs) {
      const unreadable = textOf(id) !== "" && numberOf(id) === null;
      own.input.setAttribute("aria-invalid", String(wrong.has(id) || unreadable || outside.includes(id)));
      if (unreadable && !/^[-−]$/.test(textOf(id))) lines.push(say(words.missing, { player: nameOrTable(id) }));
    }
    const odd = lines.length ? [] : warnings.map(sentence);
    parts.said.className = `entry-said${lines.length ? " note error" : odd.length ? " note warning" : ""}`;
    parts.said.replaceChildren(...[...new Set([...lines, ...odd])].map((line) => el("p", {}, line)));
    if (asked && odd.length) {
      parts.said.prepend(el("h2", {}, words.odd));
      parts.said.append(el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", onclick: () => store(true) }, words.isRight),
        el("button", { type: "button", class: "second", onclick: () => { touched(); focus(at ?? first()); } }, words.change),
      ));
    }
    // The answer is another tap at another place: nobody confirms by tapping twice.
    parts.pad.hidden = asked && odd.length > 0;
  };
  const nameOrTable = (id) => (id === "table" ? game().unit : nameOf(id));

  const options = () => {
    const own = draft();
    const list = (select, values, chosen) => {
      select.replaceChildren(...values.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
    };
    list(parts.game, entry.choices.map((one) => [one, entry.games[one].title]), own.game);
    const notes = game().notes;
    list(parts.note, [["", `${words.note}: ${words.noNote}`], ...notes.map((one) => [one, entry.notes[one]])], own.note);
    parts.note.hidden = parts.noteLabel.hidden = notes.length === 0;
    parts.kind.hidden = game().places || game().together;
    for (const one of parts.kind.children) one.setAttribute("aria-pressed", String(one.dataset.kind === own.kind));
  };

  // The row that the number keys write to, and what the large key does.
  const mark = () => {
    for (const [id, own] of inputs) own.input.closest("li").classList.toggle("now", id === at);
    const last = nextEmpty(at) === null;
    parts.go.textContent = last ? words.store : words.next;
    parts.go.classList.toggle("last", last);
  };

  const net = () => {
    const count = queue.waiting.length;
    const links = [];
    let text = words.allStored;
    let bad = true;
    if (queue.trouble === "login") {
      text = words.loggedOut;
      links.push(el("a", { class: "button second", href: `${entry.addresses.login}?next=${encodeURIComponent(entry.addresses.page)}` }, words.logIn));
    } else if (queue.trouble === "gone") text = words.linkOver;
    else if (queue.held) text = say(words.held, { count: count + 1 });
    else if (count && (queue.trouble || !navigator.onLine)) {
      text = say(words.waiting, { count });
      if (queue.trouble === "failed") text += ` · ${words.failed}`;
    } else if (count) { text = words.sending; bad = false; }
    else if (!navigator.onLine || queue.trouble === "offline") text = words.offline;
    else bad = false;
    parts.net.className = `entry-net${bad ? " tag odd" : " tag live"}`;
    const stay = !queue.lasting ? words.memoryOnly : words.stayOpen;
    const lines = [text];
    if (bad && (!keepsPage || !queue.lasting)) lines.push(stay);
    const told = lines.join(" · ");
    if (parts.net.dataset.told !== told) {
      parts.net.dataset.told = told;
      parts.net.replaceChildren(el("span", {}, text), ...(lines[1] ? [el("small", {}, lines[1])] : []), ...links);
    }
  };

  const lastRound = () => {
    const last = known().get(number - 1) && number === following() ? number - 1 : 0;
    const disabled = busy || queue.sending !== "";
    const told = last && !queue.held ? `${last} ${disabled}` : "";
    // As it stands while nothing has changed: a tap on a button that is replaced under it does nothing.
    if (parts.last.dataset.told === told) return;
    parts.last.dataset.told = told;
    if (!told) { parts.last.replaceChildren(); return; }
    parts.last.replaceChildren(el(
      "button",
      { type: "button", class: "second", disabled, onclick: () => undo(last) },
      el("span", { "aria-hidden": "true" }, "↶ "),
      say(words.undoRound, { number: last }),
    ));
  };

  const show = () => {
    const over = number > entry.planned;
    const heading = over ? say(queue.unsent.length ? words.over : words.overSent, { count: entry.planned })
      : say(words.round, { number, planned: entry.planned });
    if (parts.title.textContent !== heading) parts.title.textContent = heading;
    net();
    lastRound();
    panels();
    parts.form.hidden = over || Boolean(parts.panel.firstChild);
    parts.over.hidden = !over;
    // The page has no sheet with the last round: the whole one stands behind the link.
    for (const id of ["entry-sheet", "entry-more"]) document.getElementById(id)?.toggleAttribute("hidden", over);
    if (over) { finish(); return; }
    options();
    rows();
    figures();
    remarks();
    mark();
  };

  const panels = () => {
    const { held } = queue;
    const told = held ? `${held.key} ${held.state} ${held.answer.revision}` : "";
    if (parts.panel.dataset.told === told) return;
    parts.panel.dataset.told = told;
    parts.panel.replaceChildren(...(held ? [tischliga.panel(held, entry, nameOf, decide)] : []));
    parts.panel.firstChild?.focus();
  };

  // What became of the evening, by the places of all its rounds; the score sheet has the last word.
  const finish = () => {
    const sums = [...sumsBefore()];
    const cooperative = entry.rounds.every((one) => entry.games[one.game]?.together)
      && queue.rounds.every((one) => entry.games[one.game]?.together);
    const standing = tischliga.places(sums.map(([, one]) => one.sum), false);
    const final = cooperative || !sums.every(([, one]) => one.even) ? [] : sums
      .map(([player, one], index) => [standing[index], nameOf(player), one.sum])
      .sort((a, b) => a[0] - b[0]);
    const told = JSON.stringify(final);
    if (parts.over.dataset.told === told) return;
    parts.over.dataset.told = told;
    const lines = final
      .map(([place, name, sum]) => el("li", {}, el("span", { class: `rank${place === 1 ? " first" : ""}` }, String(place)), el("span", {}, name), el("b", {}, `Σ ${sum}`)));
    parts.over.replaceChildren(
      el("ol", { class: "entry-final" }, ...lines),
      el("a", { class: "button", href: entry.addresses.sheet }, words.sheet),
    );
  };

  const announce = (text) => {
    parts.spoken.textContent = "";
    setTimeout(() => { parts.spoken.textContent = text; }, 50);
  };

  // --- What people do -------------------------------------------------------------------------------------------------

  const touched = () => {
    asked = false;
    led = false;
    keepDrafts();
    figures();
    remarks();
    mark();
  };

  const choose = (values) => {
    Object.assign(draft(), values);
    touched();
    show();
    if (values.kind || values.game) focus(first());
  };

  const first = () => nextEmpty(null) ?? fields()[0]?.[0];
  const focus = (id) => {
    const own = inputs.get(id);
    if (!own) return;
    own.input.focus({ preventScroll: true });
    own.input.closest("li").scrollIntoView({ block: "nearest" });
  };

  // The next field without a number, behind this one and then from the start; null where all others have one.
  const nextEmpty = (id) => {
    const ids = fields().map(([one]) => one);
    const start = ids.indexOf(id);
    return [...ids.slice(start + 1), ...ids.slice(0, Math.max(start, 0))].find((one) => textOf(one) === "") ?? null;
  };
  const move = (by) => {
    const ids = fields().map(([one]) => one);
    focus(ids[Math.min(Math.max(ids.indexOf(at) + by, 0), ids.length - 1)]);
  };

  // A place at a table of fewer than ten has one digit.
  const oneDigit = () => draft().kind === "place" && sitting().size < 10;

  const press = (key) => {
    const id = at ?? first();
    if (id === undefined) return;
    if (id !== at) focus(id);
    let text = textOf(id);
    if (key === "clear") text = "";
    else if (key === "delete") text = text.slice(0, -1);
    else if (key === "−") text = text.startsWith("−") ? text.slice(1) : `−${text}`;
    else if (oneDigit()) text = key;
    else text = ((fresh && text !== "−" ? "" : text) + key).slice(0, 7);
    fresh = false;
    draft().texts[id] = text;
    inputs.get(id).input.value = text;
    touched();
    // No number goes on behind a leading 0.
    const complete = text === "0" || (oneDigit() && text.length === 1);
    const next = nextEmpty(id);
    if (/\d/.test(key) && complete && next !== null) { focus(next); led = true; }
  };

  // The large key and Enter: to the next empty field, and once there is none to the store.
  const step = () => {
    if (led) { led = false; return; }
    const ids = fields().map(([one]) => one);
    const here = ids.includes(at) ? at : null;
    if (here !== null && textOf(here) !== "" && numberOf(here) === null) { remarks(); focus(here); return; }
    if (here !== null && textOf(here) === "") {
      const other = nextEmpty(here);
      if (other !== null) focus(other);
      else { parts.said.className = "entry-said note error"; parts.said.replaceChildren(el("p", {}, say(words.missing, { player: nameOrTable(here) }))); }
      return;
    }
    const next = nextEmpty(here);
    if (next !== null) focus(next);
    else store(false);
  };

  const store = async (confirmed) => {
    const judged = verdict();
    if (!judged.whole || judged.errors.length || judged.outside.length || busy) {
      const wrong = judged.players.find((player, index) => judged.given[index] === null
        || judged.outside.includes(player) || judged.errors.some((one) => one.index === index));
      remarks();
      if (wrong !== undefined) focus(game().together ? "table" : wrong);
      return;
    }
    if (judged.warnings.length && !confirmed) {
      asked = true;
      remarks();
      parts.said.focus({ preventScroll: true });
      parts.said.scrollIntoView({ block: "nearest" });
      return;
    }
    busy = true;
    const own = draft();
    const stored = number;
    const scores = judged.players.map((player, index) => (own.kind === "place"
      ? { player, place: judged.given[index] } : { player, points: judged.given[index] }));
    try {
      await queue.add({
        number, game: own.game, note: own.note, kind: own.kind, scores, confirm: [...new Set(judged.warnings.map((one) => one.code))],
      });
    } finally { busy = false; }
    delete drafts[stored];
    keepDrafts();
    go();
    announce(say(navigator.onLine && !queue.trouble ? words.stored : words.kept, { number: stored }));
    await send();
  };

  // On to the first round that nobody has entered.
  const go = () => {
    asked = false;
    number = following();
    show();
    if (number <= entry.planned && !parts.panel.firstChild) focus(first());
  };

  const intoDraft = (round) => {
    const texts = {};
    const its = entry.games[round.game];
    for (const score of round.scores) {
      const value = score.points ?? score.place;
      const text = String(value).replace("-", "−");
      if (its?.together) texts.table = text;
      else texts[score.player] = text;
    }
    const kind = round.scores.some((one) => one.points !== null && one.points !== undefined) ? "points" : "place";
    drafts[round.number] = { game: round.game, note: round.note, kind, texts };
    keepDrafts();
  };

  const undo = async (last) => {
    const queued = queue.rounds.find((one) => one.number === last);
    const round = queued || entry.rounds.find((one) => one.number === last);
    if (queued && queued.state !== "stored") await queue.drop(queued);
    else {
      busy = true;
      show();
      const revision = Math.max(entry.revision, queued?.answer?.revision || 0);
      const body = new URLSearchParams({ round: String(last), revision: String(revision) });
      const { status, answer } = await tischliga.post(entry.addresses.back, body);
      busy = false;
      if (status !== 200) {
        queue.trouble = queue.troubleOf(status, answer);
        show();
        parts.said.className = "entry-said note error";
        parts.said.replaceChildren(el("p", {}, status === 0 ? words.notOnline : answer.message || words.failed));
        await refresh();
        return;
      }
      if (queued) await queue.drop(queued);
      entry.revision = answer.revision;
      entry.rounds = entry.rounds.filter((one) => one.number < last);
      await refresh();
    }
    intoDraft(round);
    go();
    focus(fields()[0]?.[0]);
    announce(say(words.undone, { number: last }));
  };

  const decide = {
    keepTheirs: async (round) => { await queue.drop(round); await refresh(); go(); await send(); },
    toMine: async (round) => {
      await queue.change(round, { state: "waits", replaces: round.answer.revision, key: round.key });
      await send();
      go();
    },
    another: async (round) => {
      // Those behind it move along, in their order.
      let next = round.answer.following;
      const behind = queue.rounds.filter((one) => one.state !== "stored" && one.number >= round.number);
      for (const one of behind) { await queue.change(one, { number: next, state: "waits", replaces: null }); next += 1; }
      await send();
      go();
    },
    confirm: async (round) => {
      const codes = round.answer.warnings.map((one) => one.code);
      await queue.change(round, { state: "waits", confirm: [...new Set([...round.confirm, ...codes])] });
      await send();
      go();
    },
    edit: async (round) => { intoDraft(round); await queue.drop(round); await refresh(); go(); },
    drop: async (round) => { await queue.drop(round); await refresh(); go(); await send(); },
  };

  // --- With the server ------------------------------------------------------------------------------------------------

  const send = async () => {
    const stored = await queue.send();
    // What is held was answered by what another phone entered: its sheet belongs below the question.
    if (stored || queue.held) await refresh();
    show();
  };

  // Asks for the page anew: what the other phone entered, and the score sheet with all rounds.
  const refresh = async () => {
    let html;
    try {
      const answer = await fetch(entry.addresses.page, { cache: "no-store", credentials: "same-origin" });
      if (new URL(answer.url).pathname.startsWith(entry.addresses.login)) { queue.trouble = "login"; show(); return; }
      if (answer.status === 404) { queue.trouble = "gone"; show(); return; }
      if (!answer.ok) return;
      html = await answer.text();
    } catch {
      return;
    }
    const next = new DOMParser().parseFromString(html, "text/html");
    const data = next.getElementById("entry-data");
    if (data) {
      const found = JSON.parse(data.textContent);
      // One that was overtaken on its way is no news.
      if (found.revision < entry.revision) return;
      entry = found;
      await queue.settle(entry.rounds.length + 1);
      swap(next);
    } else if (!queue.unsent.length && number <= entry.planned) {
      // The session is over, or another one than this phone knows: the page that came says so.
      location.assign(entry.addresses.sheet);
      return;
    }
    if (["login", "gone", "offline"].includes(queue.trouble) && !queue.waiting.length) queue.trouble = "";
    if (!typed()) number = following();
    show();
  };

  const swap = (next) => {
    for (const id of ["entry-sheet", "entry-more"]) {
      const shown = next.getElementById(id);
      const here = document.getElementById(id);
      if (!shown || !here || here.contains(document.activeElement)) continue;
      const made = document.importNode(shown, true);
      for (const one of made.querySelectorAll("[data-plain]")) one.remove();
      here.replaceWith(made);
    }
  };

  // The screen stays on while the page is looked at, where the browser lets it.
  let lock = null;
  const stayAwake = async () => {
    if (!navigator.wakeLock || document.hidden || (lock && !lock.released)) return;
    try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; }
    root.dataset.awake = lock ? "yes" : "no";
  };

  const keepPage = async () => {
    if (!window.isSecureContext || !navigator.serviceWorker) return;
    try {
      await navigator.serviceWorker.register(entry.addresses.worker, { scope: entry.addresses.page });
      navigator.storage?.persist?.();
    } catch {
      return;
    }
    // Settled once everything is kept; never where that fails.
    await navigator.serviceWorker.ready;
    keepsPage = true;
    root.dataset.ready = "offline";
    show();
  };

  const logout = document.querySelector("form[data-logout]");
  logout?.addEventListener("submit", (event) => {
    const count = queue.unsent.length;
    if (count && !confirm(say(words.leave, { count }))) event.preventDefault();
  }, { capture: true });

  const start = async () => {
    await queue.load();
    try { drafts = JSON.parse(sessionStorage.getItem(draftName)) || {}; } catch { drafts = {}; }
    await queue.settle(entry.rounds.length + 1);
    for (const one of document.querySelectorAll("[data-plain]")) one.remove();
    number = following();
    build();
    parts.spoken = el("p", { class: "unseen", role: "status" });
    root.append(parts.spoken);
    root.hidden = false;
    document.body.classList.add("at-table");
    go();
    root.dataset.ready = "open";
    keepPage();
    stayAwake();
    await send();
    // With a slow network the page may be the one that was kept.
    if (navigator.serviceWorker?.controller) await refresh();
  };

  addEventListener("online", () => { queue.trouble = queue.trouble === "offline" ? "" : queue.trouble; show(); send().then(refresh); });
  addEventListener("offline", () => show());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    stayAwake();
    send().then(refresh);
  });
  addEventListener("pageshow", (event) => { if (event.persisted) send().then(refresh); });
  addEventListener("beforeunload", (event) => {
    if (!keepsPage && queue.unsent.length) event.preventDefault();
  });
  // What the other phone entered shows by itself while nothing is being typed here.
  setInterval(() => { if (!document.hidden && !typed() && navigator.onLine) refresh(); }, 20_000);
  start();
})();
