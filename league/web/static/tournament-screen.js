// Pages through a tournament on a projector: after each turn the next page takes the place of this one. A page that
// has not changed since it was shown last is not sent again: it is asked for with the tag of the one that is kept.
// Without JavaScript the browser goes there by itself. A page that can't be had is asked for again; the old one stays.
(() => {
  "use strict";
  const shown = () => document.querySelector("[data-turn]");
  const kept = new Map();

  const turn = async () => {
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
      }
    } catch {
      // The network is away for a while; the next turn tries again.
    }
    plan();
  };

  const plan = () => setTimeout(turn, Number(shown().dataset.turn) * 1000);
  plan();
})();
