// Counts down to the end of a round in every [data-ends]; without JavaScript the time of day beside it says when.
// A screen tells by "turned" that its page is another one now.
(() => {
  "use strict";
  // How far this clock is behind the server's, in milliseconds: a phone that is minutes off must not end a round.
  let behind = 0;
  const set = (date) => { if (date) behind = Date.parse(date) - Date.now(); };
  const ask = async () => {
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", credentials: "same-origin" });
      set(answer.headers.get("Date"));
    } catch {
      // Its own clock has to do.
    }
  };

  const told = (seconds) => {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (number) => String(number).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  const tick = () => {
    for (const clock of document.querySelectorAll("[data-ends]")) {
      const left = Math.ceil((Date.parse(clock.dataset.ends) - Date.now() - behind) / 1000);
      const text = left > 0 ? told(left) : clock.dataset.over;
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("over", left <= 0);
      clock.hidden = false;
    }
  };

  tick();
  document.addEventListener("turned", tick);
  if (document.querySelector("[data-ends]")) ask().then(tick);
  setInterval(tick, 1000);
})();
