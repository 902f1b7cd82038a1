/** A real Selenium Grid with Debian's chromedriver, and real browser sessions on it. */

import { gridFolder } from "../../bin/setup/external-programs.mjs";
import { startService } from "../../bin/setup/service.mjs";
import type { Stack } from "../stack.ts";
import { pause } from "../wait.ts";

/** A red that no other window on the display has. */
export const PAGE_COLOR = { red: 200, green: 30, blue: 60 };
const { red, green, blue } = PAGE_COLOR;
export const PAGE = `data:text/html,${encodeURIComponent(`<body style="background:rgb(${red},${green},${blue})">Recorded`)}`;

/** A visible browser as large as the display. Without a window manager, nothing else sets its size. */
export const chromeOptions = {
	binary: "/usr/bin/chromium",
	args: [
		"--no-sandbox",
		"--disable-dev-shm-usage",
		"--disable-gpu",
		"--no-first-run",
		"--window-position=0,0",
		"--window-size=1280,720",
	],
};

/** The address of a grid, and its credentials. */
export interface GridAccess {
	/** The base URL, with the sub-path under which it is served. */
	url: string;
	username?: string;
	password?: string;
}

/** A running grid, or one of its parts. */
export interface Grid extends GridAccess {
	/** Kills it and its browsers, like a crash of the machine. */
	kill(): Promise<void>;
	stop(): Promise<void>;
}

type Ready = (body: Record<string, unknown>) => boolean;
const saysReady: Ready = (body) => (body.value as { ready?: boolean } | undefined)?.ready === true;

export const basicAuthorization = ({ username, password }: Omit<GridAccess, "url">): Record<string, string> =>
	username === undefined
		? {}
		: { authorization: `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}` };

/** The arguments of `java` for a part of a Grid 4, such as `hub`, on this machine. */
export const grid4Part = (role: string, port: number, ...options: string[]): string[] => [
	...["-cp", `${gridFolder}/*`, "org.openqa.selenium.grid.Bootstrap", role],
	...["--host", "127.0.0.1", "--port", String(port), ...options],
];

/**
 * Starts `java …` and waits until it is ready.
 * @param options.path answers JSON that `ready` checks; by default the status that every grid has.
 * @throws with the grid's last output when it ends or takes more than a minute.
 */
export async function startGrid(
	javaArgs: string[],
	access: GridAccess,
	{ displayId, dataDir }: Pick<Stack, "displayId" | "dataDir">,
	options: { path?: string; ready?: Ready } = {},
): Promise<Grid> {
	const { path = "/wd/hub/status", ready = saysReady } = options;
	// Files that browsers leave behind when they are killed are deleted with the data directory.
	const env = { ...process.env, DISPLAY: displayId, TMPDIR: dataDir, SE_AVOID_STATS: "true" };
	const service = startService("Selenium Grid", "java", javaArgs, { env });
	const deadline = performance.now() + 60_000;
	while (!service.ended && performance.now() < deadline) {
		const answer = await fetch(access.url + path, { headers: basicAuthorization(access) }).catch(() => null);
		const body = answer?.ok ? ((await answer.json().catch(() => null)) as Record<string, unknown> | null) : null;
		if (body !== null && ready(body)) {
			const kill = async () => {
				process.kill(-Number(service.child.pid), "SIGKILL");
				await service.exited;
			};
			return { ...access, kill, stop: () => service.stop(10_000) };
		}
		await pause(200);
	}
	await service.stop(0);
	throw new Error(`Selenium Grid did not start:\n${service.lastLines()}`);
}

/** Stops the parts of a grid, the last one started first. */
export async function stopAll(grids: Grid[]): Promise<void> {
	for (const grid of grids.reverse()) await grid.stop();
}

/** A grid of several parts as one. */
export const togetherAs = (access: GridAccess, parts: Grid[]): Grid => ({
	...access,
	async kill() {
		for (const part of parts) await part.kill();
	},
	stop: () => stopAll(parts),
});

/**
 * Opens a browser over the WebDriver protocol (W3C).
 * @param binary another program instead of the browser itself, such as one that starts it late.
 * @param more requested capabilities.
 */
export async function openSession(grid: GridAccess, binary = chromeOptions.binary, more: object = {}) {
	const call = async (method: string, path: string, body?: unknown) => {
		const answer = await fetch(`${grid.url}/wd/hub/session${path}`, {
			method,
			headers: { ...basicAuthorization(grid), "content-type": "application/json; charset=utf-8" },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} session${path}: ${answer.status} ${text}`);
		return JSON.parse(text) as { value: { sessionId: string; capabilities: Record<string, unknown> } };
	};
	const wanted = { browserName: "chrome", "goog:chromeOptions": { ...chromeOptions, binary }, ...more };
	const { value } = await call("POST", "", { capabilities: { alwaysMatch: wanted } });
	return {
		id: value.sessionId,
		capabilities: value.capabilities,
		show: (url: string) => call("POST", `/${value.sessionId}/url`, { url }),
		quit: () => call("DELETE", `/${value.sessionId}`),
	};
}
