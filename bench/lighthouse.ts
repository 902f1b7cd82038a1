/**
 * Lighthouse (desktop preset) on the pages that people are on most, signed in, against the built dashboard: a job
 * and its recording are there. Scores out of 100.
 */
import lighthouse, { desktopConfig } from "lighthouse";
import { chromium } from "playwright";
import { freePort } from "#e2e/fixtures/free-port.ts";
import { type Stack, startStack } from "#e2e/fixtures/stack.ts";
import type { Figure } from "./figures.ts";

const CATEGORIES = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof CATEGORIES;

export async function run(): Promise<Figure[]> {
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
		const recordingId = await makeRecording(stack);
		const cookie = await signIn(stack);
		const figures: Figure[] = [];
		for (const path of ["/jobs", "/recordings", `/recordings/${recordingId}`]) {
			figures.push(...(await judge(stack.url + path, path.replace(/\d+/, "{id}"), cookie, port)));
		}
		return figures;
	} finally {
		await browser.close();
		await stack.stop();
	}
}

async function makeRecording({ api, runnerId, displayId }: Stack): Promise<number> {
	const { id } = await api.createJob({
		runnerId,
		displayId,
		name: "For Lighthouse",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 3 },
	});
	const { recording } = await api.waitFor(id, "playable");
	if (recording === null) throw new Error("the job left no recording");
	return recording.id;
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

async function judge(url: string, page: string, cookie: string, port: number): Promise<Figure[]> {
	const flags = {
		port,
		onlyCategories: Object.keys(CATEGORIES),
		extraHeaders: { Cookie: cookie },
		logLevel: "error",
	} as const;
	const result = (await lighthouse(url, { ...flags, onlyCategories: [...flags.onlyCategories] }, desktopConfig))?.lhr;
	if (result === undefined) throw new Error(`Lighthouse gave no answer for ${page}`);
	if (new URL(result.finalDisplayedUrl).pathname === "/login")
		throw new Error(`Lighthouse was not signed in at ${page}`);
	return (Object.entries(CATEGORIES) as [Category, number][]).map(([category, wanted]) => {
		const part = result.categories[category];
		const score = Math.round((part?.score ?? 0) * 100);
		const short = (part?.auditRefs ?? [])
			.filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
			.map(({ id }) => `${id} ${result.audits[id]?.displayValue ?? ""}`.trim());
		return {
			what: `${page}: Lighthouse, ${category}`,
			measured: `${score}`,
			against: short.length === 0 ? "nothing short" : short.join(", "),
			promise: category === "performance" ? `${wanted} or more` : `${wanted}`,
			holds: score >= wanted,
		};
	});
}
