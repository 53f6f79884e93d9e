// Keeps the page of one session's rounds, and the files that it needs, for when there is no network. Its scope is that
// page alone; nothing else of the site is kept or answered. The page itself is asked for first, and answered from the
// cache only where the network fails or takes too long; a page that the server does not give any more is dropped.
"use strict";
const FILES = {{ files|safe }};
const PAGE = new URL(self.registration.scope).pathname;
// One cache a release and page: files and the page that names them go and come together.
const CACHE = "entry {{ version }} " + PAGE;
const PATIENCE = 4000;

const isPage = (url) => url.origin === location.origin && url.pathname === PAGE;

const kept = (request) => caches.match(request, { cacheName: CACHE, ignoreVary: true });

const keep = async (answer) => {
  // Logging out drops the cache, and an answer that was on its way then must not make another one.
  if (!await caches.has(CACHE)) return answer;
  const cache = await caches.open(CACHE);
  // Whatever is not this page, as the way to the login, ends what was kept of it.
  if (answer.ok && !answer.redirected && answer.type === "basic") await cache.put(PAGE, answer.clone());
  else if (answer.status < 500 && answer.status !== 429) await cache.delete(PAGE);
  return answer;
};

const page = async (request) => {
  const earlier = await kept(PAGE);
  const asked = fetch(request).then(keep);
  if (!earlier) return asked;
  const late = new Promise((resolve) => { setTimeout(() => resolve(earlier), PATIENCE); });
  return Promise.race([asked.catch(() => earlier), late]);
};

const file = async (request) => await kept(request) || fetch(request);

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES);
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
  if (isPage(url)) event.respondWith(page(request));
  else if (FILES.includes(url.pathname)) event.respondWith(file(request));
});
