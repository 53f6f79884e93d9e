// Moves through a replay without leaving the page: fetches the page of another position and swaps what is [data-swap].
// Keys: left and right a move, with Shift a part, Home and End, space to play and pause. Without JavaScript the same
// links lead to whole pages.
(() => {
  "use strict";
  const button = document.getElementById("play-pause");
  if (!button || !window.fetch) return;
  const speed = document.getElementById("speed");
  const said = document.getElementById("replay-said");
  let wanted = "";
  let busy = false;
  let timer = 0;
  let playing = false;

  const href = (id) => document.getElementById(id)?.getAttribute("href");

  const showCurrent = () => {
    const box = document.getElementById("moves");
    const current = box.querySelector("[aria-current]");
    // The list alone scrolls, never the page under the reader.
    box.scrollTop = current ? current.offsetTop - box.clientHeight / 2 : 0;
  };

  const pause = () => {
    playing = false;
    clearTimeout(timer);
    button.textContent = button.dataset.play;
  };

  const next = () => {
    if (!playing) return;
    if (href("next")) timer = setTimeout(() => { if (playing) go(href("next")); }, Number(speed.value));
    else pause();
  };

  const swap = (page) => {
    const focused = document.activeElement?.id;
    for (const old of document.querySelectorAll("[data-swap]")) {
      const fresh = page.getElementById(old.id);
      if (fresh) old.replaceWith(document.importNode(fresh, true));
    }
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
    document.getElementById("move").value = page.getElementById("move").value;
    said.textContent = [document.getElementById("said"), document.getElementById("reason")]
      .filter(Boolean).map((one) => one.textContent).join(". ");
    showCurrent();
  };

  // One question at a time; of what is asked for meanwhile the last counts, so that a key held down can't flood.
  const go = async (address) => {
    if (!address) return;
    wanted = address;
    if (busy) return;
    busy = true;
    try {
      while (wanted) {
        const url = new URL(wanted, location.href);
        wanted = "";
        const answer = await fetch(url, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (!answer.ok || !page.getElementById("said")) {
          // Another page came, such as the login: it is for the reader to open.
          location.assign(url);
          return;
        }
        swap(page);
        history.replaceState(null, "", url);
      }
    } catch {
      pause();
    } finally {
      busy = false;
    }
    next();
  };

  const play = () => {
    playing = true;
    button.textContent = button.dataset.pause;
    // From the end it begins anew.
    go(href("next") || href("first"));
  };
  const toggle = () => (playing ? pause() : play());

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    pause();
    go(link.getAttribute("href"));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = document.activeElement;
    if (at?.matches("input, select, textarea")) return;
    // Where these keys do something of their own, they go on doing it.
    const own = at?.closest("a, button, summary, .scroll");
    const ids = {
      ArrowLeft: event.shiftKey ? "previous-part" : "previous",
      ArrowRight: event.shiftKey ? "next-part" : "next",
      Home: "first",
      End: "last",
    };
    if (event.key === " " && !own) toggle();
    else if (event.key in ids && !(at?.matches(".scroll") && event.key.length < 5)) {
      pause();
      go(href(ids[event.key]));
    } else return;
    event.preventDefault();
  });

  button.addEventListener("click", toggle);
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); });
  document.getElementById("play").hidden = false;
  document.getElementById("keys").hidden = false;
  showCurrent();
})();
