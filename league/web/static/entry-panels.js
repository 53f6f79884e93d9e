// What people decide on: a round that was entered on two phones, one that looks odd, one that was refused.
// Each panel is made anew from the round of the queue; its buttons call back with what was decided.
(() => {
  "use strict";
  const { tischliga } = window;
  const { say } = tischliga;

  // An element with attributes, listeners (on…) and children; null children are left out.
  const el = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.filter((one) => one !== null && one !== undefined));
    return made;
  };

  const button = (text, act, kind = "") => el("button", { type: "button", class: kind || null, onclick: act }, text);

  const frame = (title, ...children) => el(
    "section",
    { class: "card entry-panel", role: "alert", tabindex: "-1" },
    el("h2", {}, title),
    ...children,
  );

  // "14 · 2." or "2." for the version of one phone.
  const cell = (score, place) => {
    if (!score) return "–";
    if (score.points === null || score.points === undefined) return `${place}.`;
    return place ? `${score.points} · ${place}.` : String(score.points);
  };

  const placesOf = (version, entry) => {
    const game = entry.games[version.game];
    const points = version.scores.map((one) => one.points);
    if (!game || game.together || points.some((one) => one === null || one === undefined)) {
      return version.scores.map((one) => one.place);
    }
    return tischliga.places(points, game.high);
  };

  const about = (version, entry) => {
    const note = version.note ? ` (${entry.notes[version.note] || version.note})` : "";
    return `${entry.games[version.game]?.title || version.game}${note}`;
  };

  // Both versions side by side; what differs is marked by a sign too, not by colour alone.
  const versions = (round, entry, nameOf) => {
    const { words } = entry;
    const { theirs } = round.answer;
    const when = new Date(theirs.at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
    const columns = [theirs, round].map((version) => {
      const got = placesOf(version, entry);
      return new Map(version.scores.map((score, index) => [score.player, cell(score, got[index])]));
    });
    const players = [...new Set([...round.scores, ...theirs.scores].map((one) => one.player))];
    const line = (name, left, right) => el(
      "tr",
      { class: left === right ? null : "differs" },
      el("th", { scope: "row" }, name),
      el("td", {}, left),
      el("td", {}, left === right ? right : `≠ ${right}`),
    );
    const games = [theirs, round].map((version) => about(version, entry));
    return el(
      "table",
      { class: "versions" },
      el("thead", {}, el(
        "tr",
        {},
        el("td", {}),
        el("th", { scope: "col" }, words.theirs, el("small", {}, ` ${say(words.at, { time: when })}`)),
        el("th", { scope: "col" }, words.mine),
      )),
      el(
        "tbody",
        {},
        games[0] === games[1] ? null : line(words.game, ...games),
        ...players.map((player) => line(nameOf(player), columns[0].get(player) || "–", columns[1].get(player) || "–")),
      ),
    );
  };

  // `act` has keepTheirs, toMine, another, confirm, edit, drop: each a function of the round.
  const panel = (round, entry, nameOf, act) => {
    const { words } = entry;
    const { answer, number } = round;
    const call = (name) => () => act[name](round);
    if (round.state === "taken") {
      return frame(
        say(words.twoPhones, { number }),
        // It was decided already, and something else came between.
        round.replaces === null ? null : el("p", {}, answer.message),
        versions(round, entry, nameOf),
        answer.maySettle ? null : el("p", {}, words.askKeeper),
        el(
          "div",
          { class: "buttons" },
          button(words.keepTheirs, call("keepTheirs")),
          answer.maySettle ? button(words.correctToMine, call("toMine"), "second") : null,
          answer.following ? button(words.anotherRound, call("another"), "second") : null,
        ),
      );
    }
    if (round.state === "odd") {
      return frame(
        say(words.question, { number }),
        ...[...new Set(answer.warnings.map((one) => one.message))].map((message) => el("p", {}, message)),
        el(
          "div",
          { class: "buttons" },
          button(words.isRight, call("confirm")),
          button(words.change, call("edit"), "second"),
        ),
      );
    }
    return frame(
      say(words.refused, { number }),
      el("p", {}, answer.message || words.failed),
      el(
        "div",
        { class: "buttons" },
        round.state === "ahead" && answer.following
          ? button(say(words.addAs, { number: answer.following }), call("another")) : null,
        button(words.change, call("edit"), "second"),
        button(words.drop, call("drop"), "danger"),
      ),
    );
  };

  Object.assign(tischliga, { el, panel });
})();
