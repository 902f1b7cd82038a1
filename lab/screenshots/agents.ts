/**
 * `npm run screenshots -- --agents`: the pictures of docs/agents.md and of displays for workers. An agent records the shop on a
 * display of its own and proves it; a chat plays its clip; and a worker of Playwright shows a popup in its film.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Browser, chromium } from "playwright";
import { TEST_API_KEY } from "#test/api-server.ts";
import { type PlaywrightProject, startPlaywrightProject } from "#test/clients/playwright-project.ts";
import { startChatHost } from "#test/mcp/chat-host.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { root } from "#test/stack.ts";
import { ensureMcpTools } from "../../bin/setup/external-programs.mjs";

const SIZE = { width: 1280, height: 720 };
const SHOP = `file://${join(root, "lab/screenshots/shop.html")}`;
const PICTURES = join(root, "docs/screenshots");
const NEXT_MS = 60_000;
const ARGUMENTS = [
	"--no-sandbox",
	"--disable-dev-shm-usage",
	"--test-type",
	"--autoplay-policy=no-user-gesture-required",
];
const run = promisify(execFile);

export async function takeAgentPictures(): Promise<void> {
	await ensureMcpTools();
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-pictures-"));
	const project = await startPlaywrightProject({
		...{ TAPEDECK_VIRTUAL_DISPLAYS: "2", TAPEDECK_VIRTUAL_DISPLAY_SIZE: `${SIZE.width}x${SIZE.height}` },
	});
	const executablePath = requireProgram("chromium");
	const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
	try {
		await takeProofAndClip(project, folder, browser);
		await takeWorkerFilm(project, folder);
	} finally {
		await browser.close();
		await project.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

async function takeProofAndClip(project: PlaywrightProject, folder: string, browser: Browser): Promise<void> {
	const client = new Client({ name: "host", version: "1" });
	const requestInit = { headers: { authorization: `Bearer ${TEST_API_KEY}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${project.api.url}/mcp`), { requestInit }));
	const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
		const { content, isError } = await client.callTool({ name, arguments: args });
		const [{ text }] = content as unknown as [{ text: string }];
		if (isError === true) throw new Error(text);
		return text;
	};
	const started = await call("record_start", { name: "Payments are refused politely", display: "new" });
	const [, job = "", display = ""] = /^Job (\d+) records .*DISPLAY=(:\d+)/s.exec(started) ?? [];
	const shown = await chromium.launchPersistentContext(join(folder, "profile"), {
		...{
			headless: false,
			executablePath: requireProgram("chromium"),
			viewport: null,
			env: { ...process.env, DISPLAY: display },
		},
		args: [...ARGUMENTS, `--app=${SHOP}`, "--window-position=0,0", `--window-size=${SIZE.width},${SIZE.height}`],
	});
	const [page] = shown.pages();
	const moments = [
		["#checkout", "Goes to the checkout"],
		["#paid", "The order is placed"],
		["#refused", "The refusal says what happened"],
	] as const;
	for (const [selector, label] of moments) {
		await page?.locator(selector).waitFor({ timeout: NEXT_MS });
		await call("record_mark", { job, label, kind: "step" });
	}
	await sleep(2_000);
	await shown.close();
	const stopped = await call("record_stop", { job, outcome: "passed", proof: true });
	const recording = Number(/^Recording (\d+) plays/.exec(stopped)?.[1]);

	const headers = { authorization: `Bearer ${TEST_API_KEY}` };
	const answer = await fetch(`${project.api.url}/v1/recordings/${recording}/proof`, { headers });
	if (!answer.ok) throw new Error(`The proof is answered ${answer.status}.`);
	const cut = join(folder, "proof.mp4");
	await writeFile(cut, await answer.bytes());
	const { stdout } = await run("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", cut]);
	const { chapters } = JSON.parse(stdout) as { chapters: { tags: { title: string }; start_time: string }[] };
	const at = Number(chapters.find(({ tags }) => tags.title === moments[2][1])?.start_time) + 0.5;
	await takeFrame(cut, at, "proof-cut.png");

	const host = await startChatHost();
	const chat = await browser.newPage({ viewport: { width: 680, height: 540 }, deviceScaleFactor: 2 });
	const style = "font: 15px/1.5 DejaVu Sans, sans-serif; margin: 16px 10px";
	const words = [
		`<p style="${style}; background: #eef1f4; border-radius: 12px; padding: 10px 14px">Show me what a refused payment looks like now.</p>`,
		`<p style="${style}">The page keeps the cart and says what happened:</p>`,
	];
	const from = Math.max(0, (await momentOf(project, job, moments[2][1])) - 3);
	const use = { name: "clip", arguments: { recording, from, to: from + 5 }, theme: "light" as const };
	await host.show(chat, client, use, words.join(""));
	await chat
		.frameLocator("iframe")
		.locator("video")
		.evaluate(
			(video: HTMLVideoElement, least) =>
				new Promise<void>((done) => {
					const timer = setInterval(() => {
						if (video.currentTime < least) return;
						video.pause();
						clearInterval(timer);
						done();
					}, 50);
				}),
			from + 3.5,
		);
	await chat.screenshot({ path: join(PICTURES, "clip-in-chat.png"), fullPage: true });
	host.stop();
}

async function momentOf({ client }: PlaywrightProject, job: string, label: string): Promise<number> {
	const markers = await client.jobs.markers(Number(job)).toArray();
	return markers.find((marker) => marker.label === label)?.offsetSeconds ?? 0;
}

const takeFrame = (video: string, at: number, file: string) =>
	run("ffmpeg", ["-v", "error", "-y", "-ss", at.toFixed(2), "-i", video, "-frames:v", "1", join(PICTURES, file)]);

async function takeWorkerFilm(project: PlaywrightProject, folder: string): Promise<void> {
	await writeFile(
		join(project.folder, "film.spec.ts"),
		`import { test } from "@tapedeck/playwright";
		test("pays by bank", async ({ page }) => {
			await page.goto(${JSON.stringify(SHOP)});
			await page.locator("#checkout").waitFor();
			await page.waitForTimeout(2_000);
			const popups = page.waitForEvent("popup");
			await page.evaluate(() => void window.open("about:blank", "popup", "width=460,height=320,left=640,top=200"));
			const popup = await popups;
			await popup.setContent("<title>Your bank</title><body style='font: 17px DejaVu Sans; padding: 24px'><h2>Confirm the payment</h2><p>Fernweh Outfitters asks for € 428.00</p><button>Confirm</button>");
			await popup.waitForTimeout(3_000);
		});`,
	);
	const launchOptions = { executablePath: requireProgram("chromium"), args: ARGUMENTS };
	const config = { workers: 1, use: { tapedeckDisplay: "worker", launchOptions } };
	const options = { name: "Films", displayId: undefined };
	const { status, output } = await project.run(["film"], options, { TAPEDECK_DATA_DIR: project.dataDir }, config);
	if (status !== 0) throw new Error(output);
	const job = await project.jobNamed("Films");
	const [result] = await project.client.tests.list({ jobId: job.id }).toArray();
	const file = join(folder, "film.mp4");
	await writeFile(file, (await project.client.recordings.download(job.recording?.id ?? 0)).body);
	const end = (result?.offsetSeconds ?? 0) + (result?.durationSeconds ?? 0);
	await takeFrame(file, end - 1.5, "worker-film.png");
}
