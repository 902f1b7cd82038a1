/** Messages and calls of browsers, in the recordings of real runs with a real browser. */

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PlaywrightProject, startPlaywrightProject } from "../../../test/clients/playwright-project.ts";
import { inExplore } from "../../../test/in-explore.ts";
import { freePort } from "../../../test/processes/free-port.ts";
import { requireProgram } from "../../../test/processes/programs.ts";
import type { Job, TrackLine } from "../../typescript/src/index.ts";

/** Maximum distance of a line from its moment. */
const EXACT_MS = 200;
/** Maximum delay on a busy machine of reports for which the browser gives no time. */
const MAX_LATE_MS = 2_000;

/** Each call and message says when the page made it, by its own clock. */
const PAGE = `<!doctype html><title>Shop</title><button id="pay">Pay</button><p id="result"></p>
<script>
const now = () => "at=" + Date.now();
async function pay() {
	console.warn("stock is low " + now());
	await fetch("/pay?card=1&access_token=from-the-page&" + now(), { method: "POST" });
	console.error("not paid " + now());
	await fetch("/gone?" + now()).catch(() => {});
	await fetch("/slow?" + now());
	await fetch("/quick?" + now());
	await fetch("/missing?" + now());
	setTimeout(() => { document.querySelector("#result").textContent = "Not paid"; total.sum; });
	throw new TypeError("total is undefined " + now());
}
document.querySelector("#pay").onclick = pay;
</script>`;

const CHECKOUT = `
import { expect as same } from "@playwright/test";
import { expect, test } from "@tapedeck/playwright";

if (same !== expect) throw new Error("There are two Playwrights.");
for (const kind of ["books", "music"]) {
	test.describe(kind, () => {
		test("pays", async ({ page }) => {
			await page.goto("/");
			await page.click("#pay");
			await expect(page.locator("#result")).toHaveText("Not paid");
			expect("paid").toBe("not paid");
		});
	});
}
`;

let project: PlaywrightProject;
let shop: Server;
let temporary: string;
let config: object;
let env: Record<string, string>;
beforeAll(async () => {
	project = await startPlaywrightProject();
	const { folder, display } = project;
	shop = createServer(async (request, response) => {
		const { pathname } = new URL(request.url ?? "", "http://shop");
		if (pathname === "/pay") await pause(2_000);
		if (pathname === "/slow") await pause(1_300);
		if (pathname === "/never") return;
		if (pathname === "/endless") return void response.writeHead(404).write("0");
		if (pathname === "/gone") return void request.socket.destroy();
		response.statusCode = pathname === "/pay" ? 500 : pathname === "/missing" ? 404 : 200;
		response.setHeader("content-type", "text/html").setHeader("set-cookie", "session=of-the-shop");
		response.end(pathname === "/" ? PAGE : "0123456789");
	});
	await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
	// The package @playwright/test is such an alias: another name of the same module.
	const alias = join(folder, "node_modules/@playwright/test");
	await mkdir(alias, { recursive: true });
	const exports = { ".": { import: "./index.mjs", require: "./index.js" } };
	await writeFile(join(alias, "package.json"), JSON.stringify({ name: "@playwright/test", exports }));
	await writeFile(join(alias, "index.js"), 'module.exports = require("playwright/test");');
	await writeFile(
		join(alias, "index.mjs"),
		'export * from "playwright/test"; export { default } from "playwright/test";',
	);
	await writeFile(join(folder, "checkout.spec.ts"), CHECKOUT);
	temporary = join(folder, "tmp");
	await mkdir(temporary);
	env = { DISPLAY: display.id, TMPDIR: temporary };
	config = {
		fullyParallel: true,
		use: {
			...{ headless: false, baseURL: `http://127.0.0.1:${(shop.address() as AddressInfo).port}` },
			launchOptions: {
				executablePath: requireProgram("chromium"),
				args: ["--no-sandbox", "--disable-dev-shm-usage"],
			},
		},
	};
});
afterAll(async () => {
	await project.stop();
	shop.closeAllConnections();
	shop.close();
});

const run = (words: string[], options: object, more: Record<string, string> = {}) =>
	project.run(words, options, { ...env, ...more }, config);

const linesOf = (job: Job, track: string): Promise<TrackLine[]> => project.client.jobs.track(job.id, track).toArray();
/** When the page made a call or logged a message, by what the line says. */
const momentOf = ({ text }: TrackLine): number => Number(/at=(\d+)/.exec(text)?.[1]);
const shownAt = (job: Job, { offsetSeconds }: TrackLine): number =>
	Date.parse(job.startedAt ?? "") + (offsetSeconds ?? Number.NaN) * 1_000;
const testOf = ({ data }: TrackLine): string => String(data?.test);
/** The line without its moments. */
const plain = ({ level, text }: TrackLine): string => `${level} ${text.split("\n")[0]?.replace(/at=\d+/, "at=…")}`;

describe("a checkout that fails, in two workers, with a retry", () => {
	let job: Job;
	let network: TrackLine[];
	let messages: TrackLine[];
	beforeAll(async () => {
		const { status, output } = await run(["checkout", "--retries", "1"], { name: "Checkout" });
		expect(status, output).toBe(1);
		job = await project.jobNamed("Checkout");
		[network, messages] = await Promise.all([linesOf(job, "network.playwright"), linesOf(job, "console.playwright")]);
	}, 180_000);
	const attempts = ["books", "music"].flatMap((kind) =>
		["", " (attempt 2)"].map((retry) => `checkout.spec.ts › ${kind} › pays${retry}`),
	);
	/** On a busy machine. */
	const isSlowByChance = ({ data }: TrackLine) =>
		/\/(quick.*)?$/.test(String(data?.url)) && Number(data?.durationMs) > 1_000;
	const ofAttempt = (lines: TrackLine[], name: string) => lines.filter((line) => testOf(line) === name);

	test.each(attempts)("its calls that failed or were slow are in the recording: %s", (name) => {
		const { baseURL } = (config as { use: { baseURL: string } }).use;
		// A call without an answer has the time of its report, which may be late: in the order of the page.
		const wanted = ofAttempt(network, name).filter((line) => !isSlowByChance(line));
		const [pay, gone, slow, missing, ...others] = wanted.sort((a, b) => momentOf(a) - momentOf(b));
		expect(others).toEqual([]);
		expect([pay, gone, slow, missing].map((line) => line && plain(line).replace(baseURL, ""))).toEqual([
			"error POST /pay?card=1&access_token=***&at=… 500",
			"error GET /gone?at=… net::ERR_EMPTY_RESPONSE",
			"warn GET /slow?at=… 200",
			"warn GET /missing?at=… 404",
		]);
		expect(pay?.data).toMatchObject({ method: "POST", status: 500, bytes: 10, resourceType: "fetch" });
		expect(pay?.data?.durationMs).toBeGreaterThan(1_950);
		// Its size is not known if the test ends before the browser has said it.
		expect(slow?.data).toMatchObject({ method: "GET", status: 200 });
		expect(slow?.data?.durationMs).toBeGreaterThan(1_250);
		expect(gone?.data).toMatchObject({ method: "GET", error: "net::ERR_EMPTY_RESPONSE" });
	});

	test.each(attempts)("what its page logs and throws is in the recording, with its place: %s", (name) => {
		const lines = ofAttempt(messages, name).filter(({ text }) => text.includes("at="));
		expect(lines.map(plain)).toEqual([
			"warn stock is low at=…",
			"error not paid at=…",
			"error TypeError: total is undefined at=…",
		]);
		for (const { data } of lines) {
			expect(data?.source).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
		}
		// The first line of the page is 1.
		expect(lines.map(({ data }) => data?.line)).toEqual([5, 7, 13]);
		expect(lines[2]?.text).toMatch(/\n {4}at HTMLButtonElement\.pay|\n {4}at pay /);
	});

	test("each line is at its second of the video", () => {
		const timed = [...network, ...messages].filter((line) => !Number.isNaN(momentOf(line)));
		expect(timed.length).toBeGreaterThanOrEqual(attempts.length * 7);
		for (const line of timed) {
			const late = shownAt(job, line) - momentOf(line);
			const isReported = line.text.startsWith("TypeError") || line.data?.error !== undefined;
			expect(late, line.text).toBeGreaterThan(-EXACT_MS);
			expect(late, line.text).toBeLessThan(isReported ? MAX_LATE_MS : EXACT_MS);
		}
	});
});

inExplore(test)(
	"tests with fixtures of their own, CommonJS, and contexts that they open or replace are followed",
	async () => {
		await writeFile(
			join(project.folder, "own.spec.ts"),
			`import { chromium, mergeTests, test as base } from "@playwright/test";
		import { tapedeck, test as recorded } from "@tapedeck/playwright";
		const shop = base.extend<{ shop: string }>({ shop: "mine", context: async ({ context }, use) => use(context) });
		const merged = mergeTests(shop, recorded);
		merged("merges", async ({ page, shop }) => { await page.goto("/"); await page.evaluate((shop) => console.log(shop), shop); });
		const extended = shop.extend(tapedeck);
		extended("extends", async ({ browser }) => {
			const context = await browser.newContext();
			const page = await context.newPage();
			await page.evaluate(() => console.debug("another context"));
			await context.close();
		});
		const persistent = recorded.extend<{}>({
			context: async ({ launchOptions }, use) => {
				const context = await chromium.launchPersistentContext("", { ...launchOptions, headless: false });
				await use(context);
				await context.close();
			},
		});
		persistent("has a profile", async ({ page }) => { await page.evaluate(() => console.log("from a profile")); });
		recorded.describe("patient", () => {
			recorded.use({ tapedeckSlowRequestMs: 5_000 });
			recorded("waits", async ({ page, baseURL }) => { await page.goto("/slow"); });
		});
		recorded.describe("impatient", () => {
			recorded.use({ tapedeckSlowRequestMs: 300 });
			recorded("gives up", async ({ page }) => {
				await page.goto("/");
				await page.evaluate(() => { fetch("/never").catch(() => {}); });
				await page.waitForTimeout(2_000);
			});
		});
		recorded("leaves early", async ({ page }) => {
			await page.goto("/");
			await page.evaluate(async () => { await fetch("/endless"); });
		});
		recorded("has no browser", () => {});`,
		);
		await writeFile(
			join(project.folder, "common.spec.cjs"),
			`const { test, expect } = require("@tapedeck/playwright");
		test("requires", async ({ page }) => { await page.evaluate(() => console.info("from CommonJS")); expect(1).toBe(1); });`,
		);
		const { status, output } = await run(["own", "common"], { name: "Own" });
		expect(status, output).toBe(0);
		const job = await project.jobNamed("Own");
		// Chromium may say that an answer was 404, too.
		const messages = (await linesOf(job, "console.playwright")).filter(
			(line) => !testOf(line).endsWith("leaves early"),
		);
		expect(messages.map((line) => `${testOf(line)}: ${plain(line)}`).sort()).toEqual([
			"common.spec.cjs › requires: info from CommonJS",
			"own.spec.ts › extends: debug another context",
			"own.spec.ts › has a profile: info from a profile",
			"own.spec.ts › merges: info mine",
		]);
		const calls = (await linesOf(job, "network.playwright")).filter(({ data }) => !String(data?.url).endsWith("/"));
		const isLeft = ({ data }: TrackLine) => String(data?.url).endsWith("/endless");
		expect(calls.filter(isLeft).map((line) => [testOf(line), line.data?.status])).toEqual([
			["own.spec.ts › leaves early", 404],
		]);
		const slow = calls.filter((line) => !isLeft(line));
		expect(slow.map((line) => [testOf(line), line.level, line.data?.method])).toEqual([
			["own.spec.ts › impatient › gives up", "warn", "GET"],
		]);
		expect(slow[0]?.data?.url).toMatch(/\/never$/);
		expect(slow[0]?.data?.durationMs).toBeGreaterThan(300);
	},
	180_000,
);

inExplore(test)(
	"a worker that is killed loses nothing that its pages had logged",
	async () => {
		await writeFile(
			join(project.folder, "killed.spec.ts"),
			`import { test } from "@tapedeck/playwright";
		test("is killed", async ({ page }) => {
			const logged = page.waitForEvent("console", (message) => message.text() === "199");
			await page.evaluate(() => { for (let n = 0; n < 200; n++) console.log(String(n)); });
			await logged;
			process.kill(process.pid, "SIGKILL");
		});`,
		);
		const { status } = await run(["killed"], { name: "Killed" });
		expect(status).toBe(1);
		const messages = await linesOf(await project.jobNamed("Killed"), "console.playwright");
		expect(messages.map(({ text }) => text)).toEqual(Array.from({ length: 200 }, (_, number) => String(number)));
	},
	180_000,
);

test("lines are bounded, errors come through, and no secret of the environment, an address or a header is among them", async () => {
	await writeFile(
		join(project.folder, "loud.spec.ts"),
		`import { test } from "@tapedeck/playwright";
		test("is loud", async ({ page }) => {
			await page.goto("/");
			const last = page.waitForEvent("console", (message) => message.text() === "the last");
			await page.evaluate(async (token) => {
				console.log("the token is " + token);
				console.log("Authorization: Bearer abc.def");
				console.log("x".repeat(1_000_000) + token);
				await fetch("/missing?password=hunter2&id=" + token, { headers: { authorization: "Bearer abc.def" } });
				for (let n = 0; n < 2_000; n++) console.log("line " + n);
				console.error("the last");
			}, process.env.SHOP_TOKEN);
			await last;
		});`,
	);
	const { status } = await run(["loud"], { name: "Loud" }, { SHOP_TOKEN: "tok-0123456789" });
	expect(status).toBe(0);
	const job = await project.jobNamed("Loud");
	const messages = await linesOf(job, "console.playwright");
	const calls = await linesOf(job, "network.playwright");
	expect(JSON.stringify([messages, calls])).not.toMatch(/tok-0|abc\.def|hunter2|of-the-shop/);
	expect(messages.slice(0, 2).map(({ text }) => text)).toEqual(["the token is ***", "Authorization: ***"]);
	expect(messages[2]?.text).toMatch(/^x+\n… \(cut: [\d,]+ more characters\)$/);
	// The place of a line that was cut is kept.
	expect(messages[2]?.data).toMatchObject({ test: "loud.spec.ts › is loud" });
	expect(messages.filter(({ text }) => text.startsWith("line "))).toHaveLength(997);
	expect(messages.map(({ text }) => text)).toContain(
		"The console of this test has more than 1,000 lines. Later ones are left out.",
	);
	expect(messages.filter(({ level }) => level === "error").at(-1)?.text).toBe("the last");
	expect(calls.map(({ data }) => String(data?.url))).toContainEqual(
		expect.stringMatching(/\/missing\?password=\*\*\*&id=\*\*\*$/),
	);
}, 180_000);

inExplore(test)(
	"without a dashboard, and where nothing can be written, the tests run as ever, with one warning",
	async () => {
		await writeFile(
			join(project.folder, "quiet.spec.ts"),
			`import { expect, test } from "@tapedeck/playwright";
		test("logs", async ({ page }) => {
			await page.goto("/");
			await page.evaluate(() => { console.log("one"); console.log("two"); });
			await expect(page.locator("#pay")).toBeVisible();
		});`,
		);
		const away = await run(["quiet"], { url: `http://127.0.0.1:${await freePort()}` });
		expect([away.status, away.said]).toEqual([0, [expect.stringContaining("The tests run without a recording.")]]);
		const reporter = [["line"]];
		const file = { TAPEDECK_PLAYWRIGHT_LINES: "/nowhere/lines" };
		const broken = await project.run(["quiet"], {}, { ...env, ...file }, { ...config, reporter });
		expect([broken.status, broken.said]).toEqual([
			0,
			[expect.stringMatching(/^tapedeck: The recording lacks what browsers log: ENOENT/)],
		]);
	},
	180_000,
);

test("no run leaves a file behind", async () => {
	expect((await readdir(temporary)).filter((name) => name.startsWith("tapedeck-"))).toEqual([]);
});
