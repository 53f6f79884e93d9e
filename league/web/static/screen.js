// Turns through a leaderboard or a tournament on a projector, where nobody scrolls.
// Terms: a *list* is a [data-rows] section; a *part* of it are the rows that fit the window at once. Promises: every row
// of a page is shown in some turn, none below the edge, before the next page takes its place. Letters grow smaller first,
// down to LEAST of their size or READABLE pixels, so that a usual page fits at once; further down only where not even one
// row would fit.
// A page that has not changed since it was shown last is not sent again: it is asked for with the tag of the one that is
// kept. One that can't be had is asked for again; the old one stays. Without JavaScript the browser goes there by itself.
(() => {
  "use strict";
  const LEAST = 0.7;
  const READABLE = 14;
  const SMALLEST = 0.35;
  const STEP = 0.05;
  const shown = () => document.querySelector("[data-turn]");
  const kept = new Map();
  // What this page shows in turn: one {list: its rows} each, and which of these is on.
  let turns = [];
  let at = 0;

  const lists = () => [...document.querySelectorAll("[data-rows]")];
  const rowsOf = (list) => [...list.querySelectorAll("li, tbody tr")];
  const overflows = (box) => box.scrollHeight > box.clientHeight + 1;
  const sideBySide = () => getComputedStyle(document.querySelector(".columns")).gridTemplateColumns.split(" ").length > 1;

  const show = (list, rows) => {
    list.hidden = rows === null;
    for (const row of rowsOf(list)) row.hidden = rows !== null && !rows.includes(row);
    for (const table of list.querySelectorAll("table")) table.hidden = !table.querySelector("tbody tr:not([hidden])");
  };

  // The rows of a list in as few parts as fit; null where a row alone does not.
  const parted = (list) => {
    const rows = rowsOf(list);
    const parts = [];
    let from = 0;
    do {
      let end = rows.length;
      show(list, rows.slice(from, end));
      while (overflows(list) && end > from + 1) {
        end -= 1;
        show(list, rows.slice(from, end));
      }
      if (overflows(list)) return null;
      parts.push(rows.slice(from, end));
      from = end;
    } while (from < rows.length);
    return parts;
  };

  const tried = (size) => {
    shown().style.fontSize = `${size}em`;
    const all = lists();
    const beside = sideBySide();
    const found = all.map((list) => {
      // One above the other, each has the window for itself.
      for (const other of all) show(other, beside || other === list ? rowsOf(other) : null);
      return parted(list);
    });
    if (found.includes(null) || overflows(shown())) return null;
    if (!beside) return found.flatMap((parts, index) => parts.map((rows) => new Map([[all[index], rows]])));
    const count = Math.max(...found.map((parts) => parts.length));
    return Array.from({ length: count }, (_none, turn) => new Map(
      all.map((list, index) => [list, found[index][turn % found[index].length]]),
    ));
  };

  const fit = () => {
    const fewest = sideBySide() ? 1 : lists().length;
    const least = Math.max(LEAST, READABLE / parseFloat(getComputedStyle(document.body).fontSize));
    let best = null;
    for (let size = 1; size > SMALLEST && (!best || size > least - STEP / 2); size -= STEP) {
      const count = tried(size)?.length;
      if (count && (!best || count < best.count)) best = { size, count };
      if (best && best.count <= fewest) break;
    }
    turns = best ? tried(best.size) : [];
    if (!best) for (const list of lists()) show(list, rowsOf(list));
    shown().classList.toggle("overfull", !best);
    at = Math.min(at, Math.max(0, turns.length - 1));
    put();
  };

  const put = () => {
    if (turns.length) for (const list of lists()) show(list, turns[at].get(list) ?? null);
    const told = document.querySelector("[data-part]");
    if (told) told.textContent = turns.length > 1 ? ` · ${at + 1}/${turns.length}` : "";
  };

  const turn = async () => {
    if (at + 1 < turns.length) {
      at += 1;
      put();
      plan();
      return;
    }
    try {
      const address = new URL(shown().dataset.following, location.href).href;
      const known = kept.get(address);
      const headers = known ? { "If-None-Match": known.etag } : {};
      const answer = await fetch(address, { headers, cache: "no-store", credentials: "same-origin" });
      let html = "";
      if (answer.status === 304 && known) html = known.html;
      else if (answer.ok) html = await answer.text();
      const next = html && new DOMParser().parseFromString(html, "text/html").querySelector("[data-turn]");
      if (next) {
        const etag = answer.headers.get("ETag");
        if (answer.ok && etag) kept.set(address, { etag, html });
        shown().replaceWith(document.importNode(next, true));
        begin();
      }
    } catch {
      // The network is away for a while; the next turn tries again.
    }
    plan();
  };

  // What stands above the lists changes its height by itself: the clock, letters that come late.
  const heights = new ResizeObserver(() => fit());
  const begin = () => {
    document.body.classList.add("fitted");
    document.dispatchEvent(new Event("turned"));
    at = 0;
    heights.disconnect();
    for (const part of shown().children) if (!part.classList.contains("columns")) heights.observe(part);
    fit();
  };
  const plan = () => setTimeout(turn, Number(shown().dataset.turn) * 1000);

  addEventListener("resize", fit);
  begin();
  plan();
})();
