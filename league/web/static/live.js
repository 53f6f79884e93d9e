// Keeps a page that bears [data-live] fresh: asks for it again with If-None-Match and swaps what has changed.
// Without JavaScript the page is whole and merely stands still. Never touches the page while it is hidden.
(() => {
  "use strict";
  const region = () => document.querySelector("[data-live]");
  if (!region() || !window.fetch) return;
  let etag = region().dataset.etag;
  let timer = 0;
  let failures = 0;

  const clock = (date) => {
    const { timezone } = region().dataset;
    return date.toLocaleTimeString(document.documentElement.lang, { timeZone: timezone });
  };

  const showTime = (date) => {
    const time = document.querySelector("[data-as-of]");
    if (!time) return;
    time.dateTime = date.toISOString();
    time.textContent = clock(date);
  };

  const swap = (html) => {
    const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-live]");
    // Another page came, such as the login after the session ended: it is for the reader to open.
    if (!next) return false;
    const focused = document.activeElement;
    const id = region().contains(focused) ? focused.id : "";
    const before = new Map([...region().querySelectorAll("[data-row]")].map((row) => [row.dataset.row, row.textContent]));
    const fresh = document.importNode(next, true);
    for (const row of fresh.querySelectorAll("[data-row]")) {
      if (before.get(row.dataset.row) !== row.textContent) row.classList.add("changed");
    }
    for (const opened of region().querySelectorAll("details[open][id]")) {
      fresh.querySelector(`#${opened.id}`)?.setAttribute("open", "");
    }
    region().replaceWith(fresh);
    if (id) document.getElementById(id)?.focus({ preventScroll: true });
    const said = document.getElementById("live-said");
    if (said && fresh.dataset.said) {
      // Emptied first, since a status that says the same twice is not read out again.
      said.textContent = "";
      setTimeout(() => { said.textContent = fresh.dataset.said; }, 100);
    }
    return true;
  };

  const ask = async () => {
    try {
      const answer = await fetch(location.href, {
        headers: { "If-None-Match": etag },
        cache: "no-store",
        credentials: "same-origin",
      });
      if (answer.status === 200) {
        const html = await answer.text();
        if (!swap(html)) return;
        etag = answer.headers.get("ETag") || "";
      } else if (answer.status === 304) {
        showTime(new Date(answer.headers.get("Date") || Date.now()));
      } else {
        throw new Error(answer.statusText);
      }
      failures = 0;
    } catch {
      failures += 1;
    }
    plan();
  };

  const plan = () => {
    clearTimeout(timer);
    const seconds = Number(region().dataset.live);
    // 0: what the page shows is over and can't change any more.
    if (!seconds || document.hidden) return;
    timer = setTimeout(ask, Math.min(seconds * 2 ** failures, 300) * 1000);
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else if (Number(region().dataset.live)) ask();
  });
  plan();
})();
