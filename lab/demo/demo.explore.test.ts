/** The demo on a plain static host. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright";
import sirv from "sirv";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser } from "#lab/screenshots/signed-in.ts";
import { root } from "#test/stack.ts";
import { isFile, settled } from "./record-site.ts";

/** The folder of a demo that was built before, as in the workflow of a release. */
const BUILT = process.env.TAPEDECK_TEST_DEMO;
const MOST_BYTES = 15_000_000;
const IS_A_DEMO = /^This is a demo/;
/** Paths of requests that wait for a display or a live video, which a demo does not have. */
const OF_THE_MOMENT = /\/(picture|live)$/;

let folder: string;
let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let url: string;
/** Paths that the host does not have. */
const absent: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
	folder = BUILT ?? (await mkdtemp(join(tmpdir(), "tapedeck-demo-")));
	if (BUILT === undefined) await promisify(execFile)(process.execPath, [join(root, "lab", "demo", "run.ts"), folder]);
	const serve = sirv(folder);
	server = createServer((req, res) =>
		serve(req, res, () => {
			absent.push(req.url ?? "");
			res.writeHead(404).end();
		}),
	);
	await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	browser = await launchBrowser();
	context = await browser.newContext();
	page = await context.newPage();
	page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
}, 1_200_000);
beforeEach(() => {
	absent.length = 0;
	errors.length = 0;
});
afterAll(async () => {
	await browser?.close();
	server?.close();
	if (BUILT === undefined) await rm(folder, { recursive: true, force: true });
});

/** Opens a page and waits until it has loaded. @returns its heading. */
async function open(path: string): Promise<string> {
	await page.goto(url + path);
	// The first visit starts the service worker, which loads the page again.
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
	const heading = page.getByRole("heading").first();
	await heading.waitFor();
	await settled(page, 3_000);
	return heading.innerText();
}

test("it is small enough for any static host", async () => {
	const files = await readdir(folder, { recursive: true, withFileTypes: true });
	const sizes = files
		.filter((file) => file.isFile())
		.map(async (file) => (await stat(join(file.parentPath, file.name))).size);
	expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
});

test("every link leads to a page or a file of the demo, or to the sentence that it is a demo", {
	timeout: 1_200_000,
}, async () => {
	/** Reads of pages that the demo has no answer to. */
	const unanswered: string[] = [];
	let at = "";
	page.on("response", (response) => {
		const isRefused = response.request().method() === "GET" && response.headers()["x-demo"] === "refused";
		if (isRefused && !isFile(at) && !OF_THE_MOMENT.test(new URL(response.url()).pathname))
			unanswered.push(`${at}: ${response.url()}`);
	});
	const waiting = ["/"];
	const seen = new Set(waiting);
	let pages = 0;
	for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
		at = path;
		if (isFile(path)) {
			const [status, text] = await page.evaluate(async (path) => {
				const response = await fetch(path);
				return [response.status, await response.text()] as const;
			}, path);
			if (status !== 200) expect(JSON.parse(text).detail, path).toMatch(IS_A_DEMO);
			continue;
		}
		expect(await open(path), path).not.toBe("");
		pages += 1;
		const links = await page.evaluate(() => [...document.links].map(({ href }) => href));
		for (const link of links) {
			const { origin, pathname, search } = new URL(link);
			const next = pathname + search;
			if (origin !== url || seen.has(next)) continue;
			seen.add(next);
			waiting.push(next);
		}
	}
	expect(pages).toBeGreaterThan(40);
	expect(unanswered).toEqual([]);
	expect(errors).toEqual([]);
	expect(absent).toEqual([]);
});

test("a link of the list leads to a recording, which plays, and a jump within it works", async () => {
	await open("/recordings");
	await page.locator('a[href^="/recordings/"]:not([href*="trash"]):visible').first().click();
	await page.waitForURL(/\/recordings\/\d+/);
	await page.locator("video").first().waitFor();
	const moved = await page
		.locator("video")
		.first()
		.evaluate(async (video: HTMLVideoElement) => {
			video.muted = true;
			await video.play();
			const begun = video.currentTime;
			await new Promise<void>((plays) => {
				video.ontimeupdate = () => video.currentTime > begun + 0.5 && plays();
			});
			const jumped = new Promise((done) => video.addEventListener("seeked", done, { once: true }));
			video.currentTime = video.duration - 1;
			await jumped;
			return video.currentTime > begun + 0.5;
		});
	expect(moved).toBe(true);
});

test("the picture of a display is shown", async () => {
	await open("/runners");
	const picture = page.getByAltText(/^What :\d+ shows now$/).first();
	await picture.waitFor();
	expect(
		await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
	).toBeGreaterThan(0);
});

test("a change is refused with one sentence, and its page shows it", async () => {
	await open("/jobs");
	const answer = await page.evaluate(async () => (await fetch("/v1/jobs", { method: "POST", body: "{}" })).json());
	expect(answer).toMatchObject({ status: 403, detail: "This is a demo: nothing can be changed." });
	await open("/settings");
	await page.getByRole("button", { name: "Create API key" }).first().click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Name").fill("demo");
	await dialog.getByRole("button", { name: /^Create/ }).click();
	await page.getByText("This is a demo: nothing can be changed.").first().waitFor();
});

test("times are those of today, and a page that was not recorded says that it is a demo", async () => {
	await open("/jobs");
	const time = await page.locator("time").first().getAttribute("datetime");
	expect(Math.abs(Date.now() - Date.parse(time ?? ""))).toBeLessThan(7 * 86_400_000);
	expect(await open("/jobs/999999")).toBe("Not in the demo");
});
