/**
 * Lighthouse (desktop preset) on the pages that people are on most, signed in, against the built dashboard: a recording of two
 * tests of a build is there, of which one failed. Scores out of 100.
 */
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import lighthouse, { desktopConfig, type RunnerResult } from "lighthouse";
import { chromium } from "playwright";
import { createShort } from "#test/jobs.ts";
import { freePort } from "#test/processes/free-port.ts";
import { type Stack, startStack } from "#test/stack.ts";
import { listed, type Result, type Results } from "./figures.ts";
import { QUICK } from "./samples.ts";

const CATEGORIES = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof CATEGORIES;
const categories = Object.keys(CATEGORIES) as Category[];
const BUILD = "shop-7";
const PAGES = {
	scores: QUICK ? ["/jobs"] : ["/jobs", "/recordings", "/recordings/{id}"],
	testScores: QUICK ? ["/tests/{testId}"] : ["/failures", "/builds", "/builds/{build}", "/tests/{testId}"],
};
const plausible = [1, 100] as const;
const figureOf = (pages: readonly string[]) => ({
	...{ plausible, what: `Lighthouse (desktop) on ${listed(pages.map((page) => `\`${page}\``))}` },
	promise: categories.map((category) => `${category} ≥ ${CATEGORIES[category]}`).join(", "),
});

export const figures = { scores: figureOf(PAGES.scores), testScores: figureOf(PAGES.testScores) };

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
		const ids = await recordTests(stack);
		const cookie = await signIn(stack);
		const audited = async (pages: readonly string[]): Promise<Result> => {
			const scores: Record<Category, number>[] = [];
			for (const page of pages) {
				const path = page.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => String(ids[name]));
				scores.push(await scoresOf(stack.url + path, cookie, port));
			}
			const of = (category: Category) => scores.map((score) => score[category]);
			return {
				values: categories.flatMap(of),
				measured: categories.map((category) => `${category} ${listed(of(category))}`).join("; "),
				holds: categories.every((category) => of(category).every((score) => score >= CATEGORIES[category])),
			};
		};
		return { scores: await audited(PAGES.scores), testScores: await audited(PAGES.testScores) };
	} finally {
		await browser.close();
		await stack.stop();
	}
}

/** @returns the recording, its test that failed, and its build. */
async function recordTests(stack: Stack): Promise<{ id: number; testId: number; build: string }> {
	const { id } = await createShort(stack, "For Lighthouse", 3);
	await stack.api.call("PATCH", `/v1/jobs/${id}`, { labels: { build: BUILD, branch: "main" } });
	const job = await stack.api.waitFor(id, "playable");
	const [startedAt, endedAt] = [job.startedAt, job.endedAt];
	const result = (test: string) => ({ key: test, test, startedAt, endedAt });
	const { data } = await stack.api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${job.id}/tests`, [
		{ ...result("cart is filled"), outcome: "passed" },
		{ ...result("order is placed"), outcome: "failed", message: "expected 3 rows, got 2" },
	]);
	const failed = data.find(({ outcome }) => outcome === "failed");
	return { id: job.recording?.id ?? 0, testId: failed?.testId ?? 0, build: BUILD };
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
