/** The view that plays a failure in a chat, in a real browser. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { type ChatHost, startChatHost } from "#test/mcp/chat-host.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { brighteningVideo, secondOf } from "#test/videos/brightening-video.ts";
import { removeTestFolder, testFolder } from "#test/videos/make-video.ts";

let api: TestApi;
let browser: Browser;
let host: ChatHost;
beforeAll(async () => {
	const executablePath = requireProgram("chromium");
	const args = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"];
	[api, browser, host] = await Promise.all([
		startTestApi(),
		chromium.launch({ executablePath, args }),
		startChatHost(),
	]);
});
afterAll(async () => {
	host?.stop();
	await browser?.close();
	await api?.stop();
	await removeTestFolder();
});

interface Called {
	page: Page;
	/** The answer, as the host got it. */
	text: string;
}

async function explain(
	recordingId: number,
	theme: "light" | "dark",
	change = (result: object) => result,
): Promise<Called> {
	const client = new Client({ name: "host", version: "1" });
	const requestInit = { headers: { authorization: `Bearer ${TEST_API_KEY}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit }));
	const page = await browser.newPage({ viewport: { width: 700, height: 640 } });
	onTestFinished(() => page.close());
	const use = { name: "explain_failure", arguments: { recording: recordingId }, theme, change };
	return { page, text: await host.show(page, client, use) };
}

async function failedRecording(): Promise<number> {
	await testFolder();
	const raw = await brighteningVideo("clip-app.mp4");
	const headers = { "content-type": "video/mp4" };
	const { body } = await api.call("POST", "/v1/recordings?name=Checkout", { raw, headers });
	const marker = { label: "The total is wrong", kind: "fail", offsetSeconds: 7 };
	expect((await api.call("POST", `/v1/recordings/${body.id}/markers`, { body: marker })).status).toBe(201);
	return body.id;
}

test("a failure plays in the chat from shortly before it, and leads to the whole recording", async () => {
	const id = await failedRecording();
	for (const theme of ["light", "dark"] as const) {
		const { page, text } = await explain(id, theme);
		const view = page.frameLocator("iframe");
		const video = view.locator("video");
		await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(2.2);
		await video.evaluate((each: HTMLVideoElement) => {
			each.pause();
			each.controls = false;
			// The brightness of the picture says which second it shows: nothing else may be in it.
			each.style.objectFit = "fill";
		});
		const shown = await secondOf(await video.screenshot({ type: "jpeg", quality: 100 }));
		expect(shown).toBeGreaterThanOrEqual(2);
		expect(await view.locator("#name").textContent()).toBe("Checkout");
		expect(await view.locator("#note").textContent()).toBe("From 0:02 on");
		// The host has given the view as much room as it asked for.
		const { scroll, inner } = await view.locator("html").evaluate((html) => ({
			...{ scroll: html.scrollHeight, inner: innerHeight },
		}));
		expect(scroll).toBeLessThanOrEqual(inner);
		await view.getByText("Open the whole recording").click();
		const opened = () => page.evaluate(() => (window as unknown as { opened: string[] }).opened);
		await expect.poll(opened).toEqual([`${api.url}/recordings/${id}`]);
		// The model does not see the URL that plays without a key.
		expect(text).not.toContain("signature");
	}
});

test("a view whose link has expired shows the frames of the answer, and says why", async () => {
	const { page } = await explain(await failedRecording(), "light", (result) =>
		JSON.parse(JSON.stringify(result).replace(/expires=\d+/, "expires=1")),
	);
	const view = page.frameLocator("iframe");
	const frames = view.locator("#frames");
	await frames.waitFor();
	await expect.poll(() => frames.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
	expect(await view.locator("#note").textContent()).toContain("its link has expired");
	expect(await view.locator("video").isVisible()).toBe(false);
});
