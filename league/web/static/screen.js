// Pages through a leaderboard on a television: after each turn the next page takes the place of this one.
// Without JavaScript the browser goes there by itself. A page that can't be had is asked for again; the old one stays.
(() => {
  "use strict";
  const shown = () => document.querySelector("[data-turn]");

  const turn = async () => {
    try {
      const address = new URL(shown().dataset.following, location.href);
      const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
      const html = answer.ok ? await answer.text() : "";
      const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-turn]");
      if (next) shown().replaceWith(document.importNode(next, true));
    } catch {
      // The network is away for a while; the next turn tries again.
    }
    plan();
  };

  const plan = () => setTimeout(turn, Number(shown().dataset.turn) * 1000);
  plan();
})();
