/**
 * The view that plays a failure in a chat: in a real browser, in a host that uses the bridge of the protocol's authors, and
 * that allows the view only what it has declared.
 */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Browser, chromium, type Page } from "playwright";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { brighteningVideo, secondOf } from "#test/videos/brightening-video.ts";
import { removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { mcpToolsFolder } from "../../bin/setup/external-programs.mjs";

const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
window.opened = [];
window.show = async (view, input, result, theme) => {
	const frame = document.createElement("iframe");
	frame.sandbox = "allow-scripts";
	frame.style = "width:640px;border:0";
	const capabilities = { openLinks: {} };
	const hostContext = { theme, containerDimensions: { width: 640 } };
	const bridge = new AppBridge(null, { name: "host", version: "1" }, capabilities, { hostContext });
	bridge.onopenlink = async ({ url }) => (window.opened.push(url), {});
	bridge.onsizechange = ({ height }) => (frame.style.height = height + "px");
	const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
	document.body.append(frame);
	await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
	frame.src = view;
	await ready;
	await bridge.sendToolInput({ arguments: input });
	await bridge.sendToolResult(result);
};
`;

let api: TestApi;
let browser: Browser;
let bundle: string;
beforeAll(async () => {
	const entry = join(mcpToolsFolder, "host.mjs");
	await writeFile(entry, HOST);
	const build = await rolldown({ input: entry, platform: "browser", logLevel: "silent" });
	const { output } = await build.generate({ format: "iife" });
	await build.close();
	bundle = output[0].code;
	const executablePath = requireProgram("chromium");
	const args = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"];
	[api, browser] = await Promise.all([startTestApi(), chromium.launch({ executablePath, args })]);
});
afterAll(async () => {
	await browser?.close();
	await api?.stop();
	await removeTestFolder();
});

/** Serves the host and the view, each with an origin of its own. */
async function serve(body: string, headers: Record<string, string>): Promise<string> {
	const server = createServer((_, answer) => answer.writeHead(200, headers).end(body));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

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
	const input = { recording: recordingId };
	const { tools } = await client.listTools();
	const { resourceUri } = tools.find(({ name }) => name === "explain_failure")?._meta?.ui as { resourceUri: string };
	const [content] = (await client.readResource({ uri: resourceUri })).contents as unknown as [
		{ text: string; _meta: { ui: { csp: { resourceDomains: string[] } } } },
	];
	const allowed = content._meta.ui.csp.resourceDomains.join(" ");
	const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: ${allowed}; media-src ${allowed}`;
	const html = { "content-type": "text/html; charset=utf-8" };
	const view = await serve(content.text, { ...html, "content-security-policy": policy });
	const host = await serve(
		`<!doctype html><body><script>${bundle.replaceAll("</script", "<\\/script")}</script>`,
		html,
	);
	const result = await client.callTool({ name: "explain_failure", arguments: input });
	const page = await browser.newPage({ viewport: { width: 700, height: 640 } });
	onTestFinished(() => page.close());
	await page.goto(host);
	await page.evaluate(
		([view, input, result, theme]) =>
			(window as unknown as { show(...args: unknown[]): Promise<void> }).show(view, input, result, theme),
		[view, input, change(result), theme] as const,
	);
	return { page, text: JSON.stringify(result.content) };
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
