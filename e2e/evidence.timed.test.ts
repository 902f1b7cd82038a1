/**
 * A checkout that fails in a real browser on a busy machine, recorded as a user records it. Every entry of its
 * recording is at its moment of the video, a bug report of it can be used, and none of its secrets is stored anywhere.
 */
import { glob, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { TrackLine, TrackList } from "@tapedeck/contract/track.ts";
import { chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installClients } from "#test/clients/install-clients.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { variants } from "#test/in-explore.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { startCommand } from "#test/processes/tapedeck-command.ts";
import { newFolder, probe, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { type Dashboard, root, startTestDashboard } from "#test/stack.ts";
import { CLOCK_PAGE, frameSpan, paintedAfter } from "#test/videos/painted-clock.ts";
import { pause } from "#test/wait.ts";

const MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));
const DISPLAY = { width: 1024, height: 768 };
const PLACE = { display: DISPLAY, left: 0, width: DISPLAY.width };
const PAYING_MS = 2_000;
/** The tolerance between the time of a line, or of the picture at its moment, and the time of the event. */
const NEAR_MS = 200;
/** Pictures are read to this. */
const RESOLUTION_MS = 100;

/** Is in all that must not be found. */
const MARK = "pl4nted";
const BROWSER_ARGS = [
	...["--no-sandbox", "--disable-dev-shm-usage", "--window-position=0,0"],
	`--window-size=${DISPLAY.width},${DISPLAY.height}`,
];
/**
 * Secrets by the variable of the test that holds them. The last ones are secrets because of their place in a text, not
 * because of their variables.
 */
const PLANTED = {
	SHOP_PASSWORD: `pw ${MARK}/"1"`,
	API_TOKEN: `tok-${MARK}-2`,
	TAPEDECK_MASK: `named-${MARK}-3`,
	OF_HEADER: `hdr-${MARK}-4`,
	OF_COOKIE: `ck-${MARK}-5`,
	OF_ADDRESS: `adr-${MARK}-6`,
};

/** Logs the time of each event, and records which time was certainly on the screen, and since when. */
const SHOP = `${CLOCK_PAGE}<button id="pay" style="position:fixed; left:0; top:0">Pay</button><p id="result">Cart</p>
<script>
const onScreen = [];
(async () => { for (;;) { const time = await shown(); onScreen.push([Date.now(), time]); } })();
const now = () => "at=" + Date.now();
async function pay({ OF_HEADER, OF_COOKIE, OF_ADDRESS, API_TOKEN, TAPEDECK_MASK }) {
	document.cookie = "session=" + OF_COOKIE;
	console.warn("stock is low " + now());
	console.log("Cookie: session=" + OF_COOKIE + "\\nAuthorization: Bearer " + OF_HEADER);
	console.log("called https://ci:" + OF_ADDRESS + "@shop.example/?access_token=" + OF_ADDRESS + " with " + TAPEDECK_MASK);
	const headers = { authorization: "Bearer " + OF_HEADER, "x-token": API_TOKEN };
	const address = "/pay?card=1&" + now() + "&access_token=" + OF_ADDRESS + "&id=" + encodeURIComponent(API_TOKEN);
	await fetch(address, { method: "POST", headers, body: API_TOKEN });
	console.error("not paid " + now() + " with " + API_TOKEN);
	document.querySelector("#result").textContent = "Not paid";
}
</script>`;

const CHECKOUT = `import { writeFileSync } from "node:fs";
import { expect, test } from "@tapedeck/playwright";

const { SHOP_PASSWORD, API_TOKEN, OF_HEADER, OF_ADDRESS, TAPEDECK_MASK, TRUTH } = process.env;
const truth = {};
test("checkout pays", async ({ page }) => {
	await page.goto("/?access_token=" + OF_ADDRESS);
	// Frames that a busy machine captures late show the page as well.
	await page.waitForFunction("onScreen.length > 0 && Date.now() - onScreen[0][0] > 2_000");
	console.log("signs in at=" + Date.now() + " with " + SHOP_PASSWORD + ", " + JSON.stringify(SHOP_PASSWORD));
	console.error("Authorization: Bearer " + OF_HEADER);
	console.log("opens https://ci:" + OF_ADDRESS + "@shop.example/cb?access_token=" + OF_ADDRESS + " for " + TAPEDECK_MASK);
	await test.step("signs in with " + SHOP_PASSWORD + " at /cb?api_key=" + OF_ADDRESS, async () => {});
	await test.step("pays", async () => {
		await page.evaluate((env) => pay(env), process.env);
		await expect(page.locator("#result")).toHaveText("Not paid");
		truth.onScreen = await page.evaluate("onScreen");
		truth.failed = Date.now();
		throw new Error("not paid with " + API_TOKEN + "\\nCookie: session=" + process.env.OF_COOKIE + "\\nat /cb?sig=" + OF_ADDRESS);
	});
});
test.afterEach(async ({ page }) => {
	truth.over = Date.now();
	truth.onScreen = await page.evaluate("onScreen");
	writeFileSync(TRUTH, JSON.stringify(truth));
});
`;

interface Truth {
	/** Before the error was thrown, and after the test was over, in milliseconds since 1970. */
	failed: number;
	over: number;
	/** At which time which painted time was on the screen. */
	onScreen: [at: number, painted: number][];
}

let folder: string;
let display: VirtualDisplay;
let shop: Server;
let shopUrl: string;
/** Keeps all processors busy from the moment of the payment. */
let burners: Child[] = [];
beforeAll(async () => {
	setFakeCredentials();
	[{ folder }, display] = await Promise.all([installClients("playwright"), startXvfb(DISPLAY)]);
	for (const name of ["playwright", "playwright-core"])
		await symlink(join(MODULES, name), join(folder, "node_modules", name));
	shop = createServer(async ({ url = "" }, response) => {
		if (url.startsWith("/pay")) {
			burners = Array.from({ length: availableParallelism() }, () =>
				startChild(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
			);
			await pause(PAYING_MS);
			response.writeHead(500, { "set-cookie": `session=${PLANTED.OF_COOKIE}` }).end(PLANTED.OF_HEADER);
		} else response.writeHead(200, { "content-type": "text/html" }).end(url.startsWith("/?") ? SHOP : "");
	});
	await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
	shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
	await writeFile(join(folder, "checkout.spec.ts"), CHECKOUT);
	const use = {
		...{ headless: false, viewport: null, baseURL: shopUrl },
		launchOptions: { executablePath: requireProgram("chromium"), args: BROWSER_ARGS },
	};
	const reporter = [["line"], ["@tapedeck/playwright"]];
	const config = { testDir: ".", outputDir: "results", workers: 1, reporter, use };
	await writeFile(join(folder, "playwright.config.mjs"), `export default ${JSON.stringify(config)};`);
});
afterAll(async () => {
	shop?.closeAllConnections();
	shop?.close();
	await display?.stop();
	await rm(folder, { recursive: true, force: true });
});

describe.each(
	variants(["on the disk", "in a bucket"], (where) => where === "on the disk"),
)("with videos %s", (where) => {
	let dashboard: Dashboard;
	let s3: FakeS3 | null = null;
	let runner: Child;
	let runnerDir: string;
	let job: Job;
	let truth: Truth;
	/** Everything written into the spool, read while it was there, with its place. */
	const seen: { where: string; bytes: Buffer }[] = [];
	const lines = new Map<string, TrackLine[]>();
	const call = <T>(path: string, method = "GET", body?: unknown) => dashboard.api.call<T>(method, path, body);

	beforeAll(async () => {
		if (where === "in a bucket") s3 = await startFakeS3();
		const bucket: Record<string, string> = s3 === null ? {} : { TAPEDECK_STORAGE_URL: s3.url };
		dashboard = await startTestDashboard({ variables: { TAPEDECK_LOG_LEVEL: "debug", ...bucket } });
		runnerDir = await newFolder();
		const env = { TAPEDECK_TOKEN: dashboard.runnerToken, TAPEDECK_DISPLAY_ALLOW: display.id };
		runner = startRunner({ url: dashboard.url, dataDir: runnerDir, display: display.id, env });
		await runner.says("Connected to");
		const watching = setInterval(async () => {
			for await (const file of glob(join(runnerDir, "jobs/**/*.{json,ndjson}"))) {
				const bytes = await readFile(file).catch(() => null);
				if (bytes !== null) seen.push({ where: `the spool's ${file.split("/").at(-1)}`, bytes });
			}
		}, 300);
		const cli = join(MODULES, "playwright/cli.js");
		const script = [process.execPath, cli, "test", "--config", join(folder, "playwright.config.mjs")];
		const truthFile = join(folder, `${where}.truth`);
		const run = startCommand(
			["run", "--display", display.id, "--data-dir", runnerDir, "--label", "build=shop #4", "--", ...script],
			{
				...{ ...PLANTED, TRUTH: truthFile, DISPLAY: display.id },
				...{ TAPEDECK_URL: dashboard.url, TAPEDECK_API_KEY: dashboard.apiKey },
			},
		);
		const status = await run.exited;
		clearInterval(watching);
		await Promise.all(burners.map((burner) => burner.stop()));
		expect(status, run.output()).toBe(1);
		truth = JSON.parse(await readFile(truthFile, "utf8"));
		const [found] = (await call<Page<Job>>("/v1/jobs?limit=1")).data;
		job = await dashboard.api.waitFor(found?.id ?? 0, "playable");
		for (const { name } of (await call<TrackList>(`/v1/jobs/${job.id}/tracks`)).data) {
			lines.set(name, (await call<Page<TrackLine>>(`/v1/jobs/${job.id}/tracks/${name}?limit=1000`)).data);
		}
	}, 400_000);
	afterAll(async () => {
		await Promise.all(burners.map((burner) => burner.stop()));
		await runner?.stop();
		await dashboard?.stop();
		await s3?.stop();
		await removeFolder(runnerDir);
	});

	/** Milliseconds since 1970 of a second of the video. */
	const wallOf = (seconds: number | null | undefined): number =>
		Date.parse(job.startedAt ?? "") + (seconds ?? Number.NaN) * 1_000;
	const lineWith = (track: string, text: string): TrackLine => {
		const line = lines.get(track)?.find((line) => line.text.includes(text));
		if (line === undefined) throw new Error(`No line of ${track} has "${text}": ${JSON.stringify([...lines])}`);
		return line;
	};
	const download = async (path: string): Promise<{ type: string | null; bytes: Buffer }> => {
		const answer = await fetch(new URL(path, dashboard.url), {
			headers: { authorization: `Bearer ${dashboard.apiKey}` },
		});
		expect(answer.status, path).toBe(200);
		return { type: answer.headers.get("content-type"), bytes: Buffer.from(await answer.arrayBuffer()) };
	};

	/**
	 * Expects the picture at a second of the video to show the time of that second. On a busy machine, the screen itself
	 * is late, and frames are captured late: the picture then shows the screen's content at the time of its capture.
	 */
	async function expectPicture(seconds: number, what: string): Promise<void> {
		const id = job.recording?.id;
		const { bytes, type } = await download(`/v1/recordings/${id}/frame?at=${seconds}&width=${DISPLAY.width}`);
		expect(type).toBe("image/jpeg");
		const file = join(folder, "frame.jpg");
		await writeFile(file, bytes);
		const input = ["-headers", `Authorization: Bearer ${dashboard.apiKey}\r\n`];
		const video = `${dashboard.url}/v1/recordings/${id}/video`;
		const { age, left } = await frameSpan([...input, "-i", video], seconds);
		const moment = wallOf(seconds);
		const late = await paintedAfter({ input: ["-i", file] }, PLACE, moment);
		// The page knows which content was on the screen when the frame began, which on an idle machine is one frame ago.
		const [, painted] = truth.onScreen.findLast(([at]) => at <= moment - age * 1_000) ?? [0, Number.NaN];
		const least = painted - moment - NEAR_MS - RESOLUTION_MS;
		const about = `${what} at ${seconds} s: ${late} ms, of the screen ${painted - moment} ms`;
		expect(late, about).toBeGreaterThan(least);
		expect(late, about).toBeLessThan(left * 1_000 + NEAR_MS + RESOLUTION_MS);
	}

	test("each line of its console and network is at its moment, and there the video shows the time of the page", async () => {
		for (const [track, text, level] of [
			["console.playwright", "stock is low", "warn"],
			["console.playwright", "not paid", "error"],
			["network.playwright", "/pay?", "error"],
		] as const) {
			const line = lineWith(track, text);
			expect(line.level, line.text).toBe(level);
			const noted = Number(/at=(\d+)/.exec(line.text)?.[1]);
			expect(Math.abs(wallOf(line.offsetSeconds) - noted), line.text).toBeLessThan(NEAR_MS);
			await expectPicture(line.offsetSeconds ?? Number.NaN, line.text);
		}
		const { data } = lineWith("network.playwright", "/pay?");
		expect(data).toMatchObject({ method: "POST", status: 500 });
		expect(data?.durationMs).toBeGreaterThan(PAYING_MS - NEAR_MS);
	});

	test("its logs have its output at the time of printing, and the video shows that time there", async () => {
		for (const track of ["log", "log.playwright"]) {
			const line = lineWith(track, "signs in at=");
			// However late a busy machine brings it: not before, and by when the recording ends.
			expect(wallOf(line.offsetSeconds)).toBeGreaterThan(Number(/at=(\d+)/.exec(line.text)?.[1]) - NEAR_MS);
			if (wallOf(line.offsetSeconds) < truth.over) await expectPicture(line.offsetSeconds ?? Number.NaN, line.text);
		}
	});

	test("its failure is at the moment at which it was thrown, and there the video shows that time", async () => {
		const [result, ...others] = (await call<Page<TestResult>>(`/v1/tests?jobId=${job.id}`)).data;
		expect(others).toEqual([]);
		expect(result).toMatchObject({ test: "checkout.spec.ts › checkout pays", outcome: "failed" });
		const failed = result?.failureOffsetSeconds ?? Number.NaN;
		expect(wallOf(failed)).toBeGreaterThan(truth.failed - NEAR_MS);
		expect(wallOf(failed)).toBeLessThan(truth.over + NEAR_MS);
		await expectPicture(failed, "the failure");
	});

	test("its recording says how busy the machine was", () => {
		const paid = wallOf(lineWith("network.playwright", "/pay?").offsetSeconds);
		const loads = (lines.get("load") ?? []).filter(({ offsetSeconds }) => wallOf(offsetSeconds) > paid);
		const busiest = loads.map(({ data }) => Number(data?.cpu) + Number(data?.steal));
		expect(Math.max(...busiest), JSON.stringify(loads)).toBeGreaterThan(0.5);
	});

	test("a bug report that is copied in the browser reads well in a file: its clip plays, and its frame is a picture", async () => {
		const browser = await chromium.launch({ executablePath: requireProgram("chromium"), args: ["--no-sandbox"] });
		try {
			const context = await browser.newContext({
				...{ baseURL: dashboard.url, permissions: ["clipboard-read", "clipboard-write"] },
			});
			const page = await context.newPage();
			page.setDefaultTimeout(60_000);
			await page.goto("/login");
			await page.getByLabel("Email").fill(dashboard.email);
			await page.getByLabel("Password").fill(dashboard.password);
			await page.getByRole("button", { name: "Sign in" }).click();
			await page.waitForURL("**/jobs");
			await page.goto(`/recordings/${job.recording?.id}`);
			await page.locator('[data-tick="error"]').first().waitFor();
			await page.getByRole("button", { name: "Copy for bug report" }).click();
			await page.getByText("Copied the bug report of").waitFor();
			const file = join(folder, "report.md");
			await writeFile(file, await page.evaluate(() => navigator.clipboard.readText()));
			const report = await readFile(file, "utf8");
			seen.push({ where: "the bug report", bytes: Buffer.from(report) });
			// No line that says nothing.
			expect(report).not.toMatch(/^\d+:\d\d\.\d [\w.]+:\s*$/m);
			const [title, , failed] = report.split("\n");
			expect([title, failed]).toEqual([
				"### checkout.spec.ts › checkout pays",
				expect.stringMatching(/^\*\*Failed\*\* at \d:\d\d\.\d$/),
			]);
			for (const part of [
				"Error: not paid with ***\nCookie: ***\nat /cb?sig=***",
				"`build=shop #4`",
				"POST http://",
				"not paid at=",
			])
				expect(report).toContain(part);
			// Every code block that is opened is closed.
			expect(report.match(/^```/gm)?.length).toSatisfy((count: number) => count > 0 && count % 2 === 0);
			const linkOf = (name: string) => new RegExp(`\\[${name} [^\\]]*\\]\\(([^)]*)\\)`).exec(report)?.[1] ?? "";
			const clip = await download(linkOf("Clip"));
			expect(clip.type).toBe("video/mp4");
			const { frames, durationSeconds, faults } = await probe(clip.bytes);
			expect([frames > 5, durationSeconds > 1, faults]).toEqual([true, true, ""]);
			const frame = await download(linkOf("Frame"));
			expect([frame.type, frame.bytes.subarray(0, 3).toString("hex")]).toEqual(["image/jpeg", "ffd8ff"]);
		} finally {
			await browser.close();
		}
	});

	test("none of its secrets is stored, sent on or shown: not in a file, a table, a bucket, a spool, a backup or a page", async () => {
		const id = job.recording?.id;
		const note = async (path: string) => seen.push({ where: path, bytes: (await download(path)).bytes });
		const include = ["tests", "steps", "tracks"];
		const { url } = await call<{ url: string }>(`/v1/recordings/${id}/links`, "POST", { expiresAt: null, include });
		const shared = new URL(url).pathname;
		for (const path of [
			...[shared, `/v1${shared}`, `/v1${shared}/tests`, `/v1${shared}/tracks`, `/v1${shared}/tracks/log`],
			...[`/v1/recordings/${id}/digest`, `/v1/recordings/${id}`, `/v1/jobs/${job.id}`, `/v1/jobs/${job.id}/events`],
			...[`/v1/recordings/${id}/markers`, `/v1/builds/${encodeURIComponent("shop #4")}/report`],
			...[`/v1/tests?jobId=${job.id}`],
		]) {
			await note(path);
		}
		for (const [name, all] of lines) seen.push({ where: `track ${name}`, bytes: Buffer.from(JSON.stringify(all)) });
		// Checks that the planted texts occurred at all.
		const tracks = seen.filter(({ where }) => where.startsWith("track ")).map(({ bytes }) => bytes.toString());
		expect(tracks.join("\n")).toContain("signs in at=");
		expect(tracks.join("\n").match(/\*\*\*/g)?.length).toBeGreaterThan(10);

		const backup = await mkdtemp(join(tmpdir(), "tapedeck-evidence-"));
		try {
			const bucket = s3 === null ? {} : { TAPEDECK_STORAGE_URL: s3.url };
			const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
			const copying = startChild(process.execPath, [join(root, "server.ts"), "backup", join(backup, "copy")], {
				env: { ...Object.fromEntries(inherited), TAPEDECK_DATA_DIR: dashboard.dataDir, ...bucket } as never,
			});
			expect(await copying.exited, copying.output()).toBe(0);
			await runner.stop();
			// Killed, so that no file changes while it is read.
			await dashboard.kill();
			for (const [name, text] of [
				["runner", runner.output()],
				["dashboard", dashboard.lastLines()],
			] as const)
				seen.push({ where: `the output of the ${name}`, bytes: Buffer.from(text) });
			for (const [key, bytes] of s3?.objects ?? []) seen.push({ where: `the bucket's ${key}`, bytes });
			let cells = 0;
			for (const dir of [dashboard.dataDir, runnerDir, backup]) {
				for await (const file of glob("**/*", { cwd: dir, withFileTypes: true })) {
					if (!file.isFile()) continue;
					const path = join(file.parentPath, file.name);
					seen.push({ where: path, bytes: await readFile(path) });
					if (file.name !== "tapedeck.db") continue;
					for (const cell of cellsOf(path)) {
						cells += 1;
						seen.push(cell);
					}
				}
			}
			expect(cells).toBeGreaterThan(500);
		} finally {
			await removeFolder(backup);
		}
		const found = seen.filter(({ bytes }) => FORMS.some((form) => bytes.includes(form))).map(({ where }) => where);
		expect([...new Set(found)]).toEqual([]);
	});
});

/** The mark as it is, and as base64 at each possible offset in a group of three bytes. */
const FORMS = [
	MARK,
	...[0, 1, 2].map((before) => {
		const encoded = Buffer.from("\0".repeat(before) + MARK).toString("base64");
		// The characters at the edges of the mark also depend on the text before and after it.
		return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + MARK.length) * 8) / 6));
	}),
];

/** All cells of an SQLite database; compressed ones in their original form. */
function* cellsOf(path: string): Generator<{ where: string; bytes: Buffer }> {
	const db = new DatabaseSync(path, { readOnly: true });
	try {
		const tables = db.prepare("select name from sqlite_master where type = 'table'").all();
		for (const { name } of tables) {
			for (const row of db.prepare(`select * from "${name}"`).iterate()) {
				for (const [column, value] of Object.entries(row as Record<string, unknown>)) {
					const bytes = value instanceof Uint8Array ? inflated(Buffer.from(value)) : Buffer.from(String(value));
					yield { where: `${name}.${column} of ${path}`, bytes };
				}
			}
		}
	} finally {
		db.close();
	}
}

function inflated(bytes: Buffer): Buffer {
	try {
		return inflateSync(bytes);
	} catch {
		return bytes;
	}
}
