// Caches the page's files, so that the page works without its host. scripts/page.mjs inserts the list of files.
const FILES = ['FILES'];
const CACHE = 'assay-VERSION';

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const drop = (names) =>
    Promise.all(names.filter((name) => name.startsWith('assay-') && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(drop)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const fresh = () => fetch(request);
  const kept = () => caches.open(CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
  // Pages come from the host if it answers. Other files come from the cache, because their names change with their content.
  const answer =
    request.mode === 'navigate' ? fresh().catch(async () => (await kept()) ?? Response.error()) : kept().then((found) => found ?? fresh());
  event.respondWith(answer);
});
