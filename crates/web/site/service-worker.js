// Keeps the whole site, so that it opens without a network. `cargo xtask site` writes VERSION and
// FILES above this text: another build is another worker with another store.

/* global VERSION, FILES */

const NAME = `yomikiri-${VERSION}`;
/** With these a page may share memory, so that a search can be stopped instead of being ended. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

addEventListener("install", (event) => {
  // From the server itself: what the browser keeps may be of the build before.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("yomikiri-") && name !== NAME;
  const forget = async () => Promise.all((await caches.keys()).filter(old).map((name) => caches.delete(name)));
  event.waitUntil(forget().then(() => clients.claim()));
});

/** An address without what does not choose a file; a folder means its page. */
function fileOf(address) {
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  return url.href.endsWith("/") ? `${url.href}index.html` : url.href;
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const response = (await cache.match(fileOf(request.url))) ?? (await fetch(request));
  if (response.status === 0 || response.type === "opaque") return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});
