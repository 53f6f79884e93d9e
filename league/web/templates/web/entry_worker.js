// Keeps the page of one session's rounds, and the files that it needs, for when there is no network. Its scope is that
// page alone; nothing else of the site is kept or answered. The page itself is asked for first, and answered from the
// cache only where the network fails or takes too long; a page that the server does not give any more is dropped.
"use strict";
const STATIC = "{{ static|escapejs }}";
const PAGE = new URL(self.registration.scope).pathname;
// One cache a release and page: files and the page that names them go and come together.
const CACHE = "entry {{ version }} " + PAGE;
const PATIENCE = 4000;

const isPage = (url) => url.origin === location.origin && url.pathname === PAGE;

const kept = (request) => caches.match(request, { cacheName: CACHE, ignoreVary: true });

// Keeps an answer of the page with the files that it names.
const keep = async (answer) => {
  // Logging out drops the cache, and an answer that was on its way then must not make another one.
  if (!await caches.has(CACHE)) return;
  const cache = await caches.open(CACHE);
  // Whatever is not this page, as the way to the login, ends what was kept of it.
  if (answer.ok && !answer.redirected && answer.type === "basic") {
    const html = await answer.text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((one) => one[1]).filter((one) => one.startsWith(STATIC));
    for (const one of new Set(named)) if (!await kept(one)) await cache.add(one);
    // Last, so that no page is kept without the files that it names.
    await cache.put(PAGE, new Response(html, { headers: answer.headers }));
  } else if (answer.status < 500 && answer.status !== 429) await cache.delete(PAGE);
};

const page = async (event) => {
  const earlier = await kept(PAGE);
  const asked = fetch(event.request).then((answer) => {
    // The reader does not wait for what is kept; a copy that can't be is no reason to fail.
    event.waitUntil(keep(answer.clone()).catch(() => undefined));
    return answer;
  });
  // The page's own script asks for news: what was kept is none.
  if (!earlier || event.request.mode !== "navigate") return asked;
  const late = new Promise((resolve) => { setTimeout(() => resolve(earlier), PATIENCE); });
  return Promise.race([asked.catch(() => earlier), late]);
};

const file = async (request) => await kept(request) || fetch(request);

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await caches.open(CACHE);
    await keep(await fetch(PAGE, { credentials: "same-origin", redirect: "manual" }));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.endsWith(` ${PAGE}`) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (isPage(url)) event.respondWith(page(event));
  else if (url.pathname.startsWith(STATIC)) event.respondWith(file(request));
});
