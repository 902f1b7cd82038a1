/**
 * Lighthouse (desktop preset) on the pages that people are on most, signed in, against the built dashboard: a job
 * and its recording are there. Scores out of 100.
 */
import lighthouse, { desktopConfig, type RunnerResult } from "lighthouse";
import { chromium } from "playwright";
import { recordShortly } from "#test/jobs.ts";
import { freePort } from "#test/processes/free-port.ts";
import { type Stack, startStack } from "#test/stack.ts";
import { listed, type Results } from "./figures.ts";
import { QUICK } from "./samples.ts";

const CATEGORIES = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof CATEGORIES;
const categories = Object.keys(CATEGORIES) as Category[];
const PAGES = QUICK ? ["/jobs"] : ["/jobs", "/recordings", "/recordings/{id}"];
const plausible = [1, 100] as const;

export const figures = {
	scores: {
		...{ plausible, what: `Lighthouse (desktop) on ${listed(PAGES.map((page) => `\`${page}\``))}` },
		promise: categories.map((category) => `${category} ≥ ${CATEGORIES[category]}`).join(", "),
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const stack = await startStack();
	const port = await freePort();
	const browser = await chromium.launch({
		executablePath: process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium",
		args: [
			`--remote-debugging-port=${port}`,
			"--disable-dev-shm-usage",
			...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
		],
	});
	try {
		const { recording } = await recordShortly(stack, "For Lighthouse", 3);
		const cookie = await signIn(stack);
		const scores: Record<Category, number>[] = [];
		for (const page of PAGES) {
			scores.push(await scoresOf(stack.url + page.replace("{id}", String(recording?.id)), cookie, port));
		}
		const of = (category: Category) => scores.map((score) => score[category]);
		return {
			scores: {
				values: categories.flatMap(of),
				measured: categories.map((category) => `${category} ${listed(of(category))}`).join("; "),
				holds: categories.every((category) => of(category).every((score) => score >= CATEGORIES[category])),
			},
		};
	} finally {
		await browser.close();
		await stack.stop();
	}
}

/** @returns what the browser would send as its `Cookie`. */
async function signIn({ url, email, password }: Stack): Promise<string> {
	const answer = await fetch(`${url}/api/auth/sign-in/email`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: url },
		body: JSON.stringify({ email, password }),
	});
	if (!answer.ok) throw new Error(`the sign-in was answered ${answer.status}`);
	return answer.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";")[0])
		.join("; ");
}

/** How often a page is audited until its trace is complete. */
const ATTEMPTS = 5;

async function audit(url: string, cookie: string, port: number): Promise<RunnerResult["lhr"]> {
	const logLevel = "error" as const;
	const flags = { port, onlyCategories: [...categories], extraHeaders: { Cookie: cookie }, logLevel };
	for (let attempt = 1; ; attempt += 1) {
		const result = (await lighthouse(url, flags, desktopConfig))?.lhr;
		if (result === undefined) throw new Error(`Lighthouse gave no answer for ${url}`);
		const { runtimeError } = result;
		if (runtimeError === undefined) return result;
		// Now and then, Chromium's trace lacks the beginning of the load, and Lighthouse asks to be run again.
		if (runtimeError.code === "NO_NAVSTART" && attempt < ATTEMPTS) continue;
		throw new Error(`Lighthouse failed on ${url}: ${runtimeError.message}`);
	}
}

async function scoresOf(url: string, cookie: string, port: number): Promise<Record<Category, number>> {
	const result = await audit(url, cookie, port);
	if (new URL(result.finalDisplayedUrl).pathname === "/login")
		throw new Error(`Lighthouse was not signed in at ${url}`);
	const scores = categories.map((category) => {
		const part = result.categories[category];
		const short = (part?.auditRefs ?? [])
			.filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
			.map(({ id }) => `${id} ${result.audits[id]?.displayValue ?? ""}`.trim());
		console.log(`${result.finalDisplayedUrl}, ${category}: ${short.length === 0 ? "nothing short" : short.join(", ")}`);
		return [category, Math.round((part?.score ?? 0) * 100)] as const;
	});
	return Object.fromEntries(scores) as Record<Category, number>;
}
