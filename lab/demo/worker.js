/**
 * The service worker of the demo: answers each request of its pages from the recorded answers, and refuses all changes.
 * `demo/answers.json` has, for each path with its query, the file of the answer in `demo/` and its headers.
 */

/** @typedef {{ file: string, isPacked: boolean, status: number, headers: Record<string, string> }} Answer */
/** @type {Promise<{ takenAt: number, answers: Record<string, Answer> }> | undefined} */
let recorded;

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
addEventListener("fetch", (event) => {
	const { origin, pathname } = new URL(event.request.url);
	if (origin === location.origin && !pathname.startsWith("/demo/")) event.respondWith(answer(event.request));
});

async function answer(request) {
	recorded ??= fetch("/demo/answers.json").then((response) => response.json());
	const { pathname, search } = new URL(request.url);
	if (request.method !== "GET" && request.method !== "HEAD")
		return refusal(403, "This is a demo: nothing can be changed.");
	// Next asks for the contents of a page without the page. It loads the whole page if there is none.
	if (request.headers.has("rsc")) return new Response(null, { status: 404 });
	const { answers } = await recorded;
	const isPage = request.mode === "navigate" && !pathname.startsWith("/v1/");
	const found = answers[pathname + timeless(search)] ?? (isPage ? answers[pathname] : undefined);
	if (found !== undefined) return play(found, request.headers.get("range"));
	if (request.mode !== "navigate") return refusal(404, "This is a demo: it has no answer to this.");
	const text = "This is a demo, which does not have this page.";
	const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Tapedeck demo</title><h1>Not in the demo</h1><p>${text} <a href="/">Home</a></p>`;
	return new Response(page, { headers: { "content-type": "text/html" } });
}

/** Queries of lists and tracks name times and positions that depend on the moment. */
const timeless = (search) => search.replace(/\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{3}Z|(?<=\bfrom=)[\d.]+/g, "*");

/** A problem document, whose sentence the pages show. */
function refusal(status, detail) {
	const problem = { type: "about:blank", title: "Demo", status, code: "demo", detail };
	return Response.json(problem, {
		status,
		headers: { "content-type": "application/problem+json", "x-demo": "refused" },
	});
}

/** @param {Answer} answer @param {string | null} range */
async function play({ file, isPacked, status, headers }, range) {
	const response = await fetch(`/demo/${file}`);
	if (!response.ok) return refusal(503, "This is a demo, and a file of it could not be loaded.");
	if (isPacked) {
		const text = new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
		if (!/^text\/html|json/.test(headers["content-type"])) return new Response(text.body, { status, headers });
		return new Response(await asOfNow(await text.text()), { status, headers });
	}
	const blob = await response.blob();
	const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
	if (first === undefined) return new Response(blob, { status, headers });
	const end = Math.min(last === "" ? blob.size : Number(last) + 1, blob.size);
	return new Response(blob.slice(Number(first), end), {
		status: 206,
		headers: { ...headers, "content-range": `bytes ${first}-${end - 1}/${blob.size}` },
	});
}

/** Moves the times to the present, as if all had been recorded today, and the addresses to this host. */
async function asOfNow(text) {
	const { takenAt } = await recorded;
	const passed = Date.now() - takenAt;
	return text
		.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, location.origin)
		.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => new Date(Date.parse(time) + passed).toISOString());
}
