/** Records what a browser gets from a dashboard: its pages, what they load, and where their links lead. */
import type { BrowserContext, Page, Response } from "playwright";

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}
/** The answers, by path and query. */
export type Answers = Map<string, Answer>;

export interface RecordedSite {
	/** Paths with their queries. */
	pages: string[];
	answers: Answers;
	/** Faults by page. */
	failures: string[];
}

/** Headers that the demo repeats. */
const KEPT = ["content-type", "content-disposition"];
/** Answers that depend on the moment, or have no end. */
const NEVER = /^\/(v1\/events|metrics|api\/auth\/sign-out)/;
/** Filters can be combined without end. Links beyond these pages say that they are not in the demo. */
const MOST_PAGES = 400;
const MOST_WAIT_MS = 3_000;

/**
 * Visits the pages that links lead to. A page that fails is reported, and the others are visited.
 * @param context whose browser is signed in.
 * @param origin the dashboard's.
 */
export async function recordSite(context: BrowserContext, origin: string, start: string): Promise<RecordedSite> {
	const answers: Answers = new Map();
	let pending: Promise<void>[] = [];
	context.on("response", (response) => void pending.push(keep(answers, origin, response)));
	const page = await context.newPage();
	const pages: string[] = [];
	const failures: string[] = [];
	// Pages ask for it before they lead to another one.
	const files = new Set(["/v1/health"]);
	const waiting = [start];
	const seen = new Set(waiting);
	for (let path = waiting.shift(); path !== undefined && pages.length < MOST_PAGES; path = waiting.shift()) {
		pages.push(path);
		const links = await visit(page, answers, origin, path).catch((error: Error) => {
			failures.push(`${path}: ${error.message}`);
			return [];
		});
		// The browser forgets answers that nobody has read when it leaves a page. Some have no end.
		await Promise.race([Promise.all(pending), new Promise((next) => setTimeout(next, MOST_WAIT_MS))]);
		pending = [];
		for (const link of links) {
			if (seen.has(link)) continue;
			seen.add(link);
			if (isFile(link)) files.add(link);
			else waiting.push(link);
		}
	}
	// The recorded bodies of videos are partial, and those of some answers that a page reads as a blob are empty.
	for (const [path, { status, headers, body }] of answers)
		if (/^(video|audio)\//.test(headers["content-type"] ?? "") || (status === 200 && body.length === 0))
			files.add(path);
	for (const path of files) await fetchWhole(context, answers, origin, path);
	await page.close();
	return { pages, answers, failures };
}

/** Links to the API lead to files, and so do those to the text of guides. */
export const isFile = (path: string): boolean => /^\/(v1|_next)\/|^[^?]*\.\w+(\?|$)/.test(path);

/** Waits until a page has loaded what it needs. Some never stop asking, such as for the picture of a display. */
export const settled = (page: Page, timeout: number): Promise<void> =>
	page.waitForLoadState("networkidle", { timeout }).catch(() => undefined);

/** @returns the links of a page, as paths with their queries. */
async function visit(page: Page, answers: Answers, origin: string, path: string): Promise<string[]> {
	const response = await page.goto(origin + path);
	// Also where it leads to another page, or says that there is nothing.
	if (response !== null) answers.set(path, await answerOf(response));
	await settled(page, MOST_WAIT_MS);
	const isLoaded = () => document.querySelector("[aria-busy=true]") === null;
	await page.waitForFunction(isLoaded, null, { timeout: MOST_WAIT_MS }).catch(() => undefined);
	for (const tab of await page.getByRole("tab").all()) await tab.click({ timeout: 1_000 }).catch(() => undefined);
	await page.evaluate(() => {
		for (const video of document.querySelectorAll("video")) {
			video.muted = true;
			video.play().catch(() => undefined);
		}
		// Lists load more of what is below.
		scrollTo(0, document.body.scrollHeight);
	});
	await settled(page, 1_000);
	const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
	return links.flatMap((link) => {
		const { origin: of, pathname, search } = new URL(link);
		return of === origin && !NEVER.test(pathname) ? [pathname + search] : [];
	});
}

async function keep(answers: Answers, origin: string, response: Response): Promise<void> {
	const url = response.url();
	const { pathname, search } = new URL(url);
	const path = pathname + search;
	// A blob of the page has the same origin.
	const isKept =
		url.startsWith(`${origin}/`) &&
		response.request().method() === "GET" &&
		!NEVER.test(path) &&
		!path.includes("_rsc=");
	// A picture may be there later.
	if (!isKept || answers.get(path)?.status === 200) return;
	const status = response.status();
	// A part of a video stands for the whole, which is fetched in the end.
	if (status === 206) answers.set(path, { status: 200, headers: keptHeaders(response), body: Buffer.alloc(0) });
	if (status !== 200 && (status < 400 || status >= 500)) return;
	// A page that is left does not read all of its answers.
	const answer = await answerOf(response).catch(() => null);
	if (answer !== null) answers.set(path, answer);
}

const answerOf = async (response: Response): Promise<Answer> => ({
	status: response.status(),
	headers: keptHeaders(response),
	body: await response.body(),
});

function keptHeaders(response: Pick<Response, "headers">): Record<string, string> {
	const headers = response.headers();
	return Object.fromEntries(KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

async function fetchWhole(context: BrowserContext, answers: Answers, origin: string, path: string): Promise<void> {
	const response = await context.request.get(origin + path);
	if (!response.ok()) return void answers.delete(path);
	answers.set(path, { status: 200, headers: keptHeaders(response), body: await response.body() });
}
