// Before logging out: drops the pages that were kept for times without a network, so that nobody reads them afterwards.
// Before logging in too: a login that ended by itself leaves them to whoever comes next.
// Rounds that wait to be sent stay: they hold numbers, and no names.
(() => {
  "use strict";
  const form = document.querySelector("form[data-logout], form[data-login]");
  if (!form || !window.caches || !navigator.serviceWorker) return;

  form.addEventListener("submit", async (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    try {
      for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
      for (const name of await caches.keys()) if (name.startsWith("entry ")) await caches.delete(name);
    } finally {
      form.submit();
    }
  });
})();
