import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openTraceViewer, type TraceViewer } from "./trace-viewer.ts";

const HOST = "127.0.0.1";
const warnings: string[] = [];
const log = {
	debug: () => {},
	info: () => {},
	warn: (_: object, message: string) => warnings.push(message),
	error: () => {},
};
let viewer: TraceViewer | null = null;

afterEach(async () => {
	await viewer?.close();
	viewer = null;
	warnings.length = 0;
});

async function open(baseUrl: string, viewerUrl: string | null = null): Promise<string | null> {
	viewer = await openTraceViewer({ host: HOST, port: 0, viewerUrl }, { baseUrl, port: 3000 }, log);
	return viewer?.origin ?? null;
}

test("the viewer's origin serves Playwright's viewer, and nothing of the dashboard", async () => {
	const origin = (await open("http://127.0.0.1:3000")) ?? "";
	const page = await fetch(`${origin}/`);
	expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html;charset=utf-8"]);
	expect(await page.text()).toContain("Playwright Trace Viewer");
	expect(page.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
	expect((await fetch(`${origin}/sw.bundle.js`)).headers.get("content-type")).toContain("javascript");
	for (const path of ["/v1/jobs", "/login", "/..%2fpackage.json", "/%2e%2e/%2e%2e/package.json", "/%", "/%00"]) {
		const answer = await fetch(`${origin}${path}`);
		expect([path, answer.status, answer.headers.get("x-content-type-options")]).toEqual([path, 404, "nosniff"]);
	}
	expect((await fetch(`${origin}/`, { method: "POST", body: "x" })).status).toBe(405);
});

test("the dashboard starts without the viewer and warns when another program has the port", async () => {
	const taken = createServer().listen(0, HOST);
	await new Promise((resolve) => taken.once("listening", resolve));
	const { port } = taken.address() as AddressInfo;
	const env = { host: HOST, port: port - 1, viewerUrl: null };
	const at = { baseUrl: `http://localhost:${port - 1}`, port: port - 1 };
	expect(await openTraceViewer(env, at, log)).toBeNull();
	expect(warnings).toEqual([
		`the trace viewer cannot use port ${port} (another program listens on it): traces can only be downloaded`,
	]);
	taken.close();
});

test.each([
	["http://localhost:3000", /^http:\/\/localhost:\d+$/],
	["http://[::1]:3000", /^http:\/\/\[::1\]:\d+$/],
	// A proxy, and a page that has no service worker.
	["http://localhost:8080", null],
	["https://tapedeck.example.com", null],
	["http://192.168.1.5:3000", null],
])("the viewer of a dashboard at %s is at %s", async (url, origin) => {
	const opened = await open(url);
	expect(origin === null ? opened === null : origin.test(opened ?? "")).toBe(true);
});

test("the viewer is where TAPEDECK_VIEWER_URL says", async () => {
	expect(await open("https://tapedeck.example.com", "https://traces.example.com/")).toBe("https://traces.example.com");
});
