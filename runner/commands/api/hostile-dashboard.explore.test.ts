/** A malicious dashboard, or a user who names something on it, cannot harm the terminal or the browser of another user. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { tapedeck, tapedeckInTerminal } from "../../../test/processes/tapedeck-command.ts";

/** Sets the window's title, clears the screen, hides text, goes back, 8-bit CSI, right-to-left override. */
const EVIL = "x\u001b]0;owned\u0007\u001b[2J\u001b[8mhidden\u001b[0m\r\b\u007f\u009b31m\u202eback\u2066\u0000y";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let url: string;
/** The address that the dashboard names as its own page. */
let page = "";
let browser: string;
let opened: string;
let folder: string;
const server = createServer((request, response) => {
	const path = (request.url ?? "").split("?")[0] ?? "";
	const json = (status: number, body: unknown) =>
		response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
	if (path === "/v1/device-sign-ins") {
		const expiresAt = new Date(Date.now() + 60_000).toISOString();
		return json(201, { userCode: `ABCD${EVIL}`, deviceCode: "d", url: page, intervalSeconds: 0, expiresAt });
	}
	if (path === "/v1/device-sign-ins/key") return json(410, { code: "gone", detail: EVIL });
	if (path === "/v1/jobs") return json(200, { data: [job], nextCursor: null });
	if (path === "/v1/jobs/1") return json(200, job);
	if (path === "/v1/recordings") return json(200, { data: [recording()], nextCursor: null });
	if (path === "/v1/recordings/1") return json(200, recording());
	if (path === "/v1/runners") return json(200, { data: [runner], nextCursor: null });
	if (path === "/v1/text") return response.writeHead(200, { "content-type": "text/plain" }).end(EVIL);
	json(422, { code: "invalid", detail: EVIL, requestId: EVIL, errors: [{ path: EVIL, message: EVIL }] });
});
const common = { createdAt: "2026-11-25T08:00:00.000Z", labels: { [EVIL]: EVIL }, outcome: EVIL, name: EVIL };
const job = {
	...{ ...common, id: 1, status: EVIL, stopReason: EVIL, error: { code: EVIL, message: EVIL } },
	...{ runnerId: 1, displayId: EVIL, recording: null },
};
const recording = () => ({
	...{ ...common, id: 1, jobId: 1, state: EVIL, verdict: EVIL, durationSeconds: 1, bytes: 1 },
	...{ width: 1, height: 1, deleteAt: null, keptUntil: null, url: page },
});
const runner = {
	...{ ...common, id: 1, state: EVIL, version: EVIL, runningJobIds: [], waitingJobIds: [] },
	displays: [{ id: EVIL, width: 1, height: 1 }],
};

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	folder = await mkdtemp(join(tmpdir(), "tapedeck-hostile-"));
});
let tests = 0;
beforeEach(async () => {
	// One of its own: no command waits for its browser, and that of the test before may still be starting.
	tests += 1;
	browser = join(folder, `browser-${tests}`);
	opened = join(folder, `opened-${tests}`);
	await writeFile(browser, `#!/bin/sh\nfor word; do echo "$word" >> ${opened}; done\n`);
	await chmod(browser, 0o755);
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await rm(folder, { recursive: true });
});

const env = () => ({
	...{ TAPEDECK_URL: url, TAPEDECK_API_KEY: "key-of-this-test", XDG_CONFIG_HOME: folder },
	...{ BROWSER: browser },
});
const wasOpened = async () => (await readFile(opened, "utf8").catch(() => "")).trim();

test.each([
	"jobs list",
	"jobs get 1",
	"recordings list",
	"recordings get 1",
	"runners",
	"jobs cancel 1",
	"open --recording 1",
	"api GET /v1/text",
	"api GET /v1/jobs",
	"login",
])("tapedeck %s prints no control character of the API, piped or in a terminal", async (command) => {
	page = `${url}/${EVIL}`;
	const words = command.split(" ");
	const { screen } = await tapedeckInTerminal(words, env());
	// The terminal itself ends lines with CR LF, and the colors are ours.
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of a color
	const shown = screen.replace(/\r+\n/g, "\n").replace(/\u001b\[(?:[12]|22|3[1369])m/g, "");
	expect(shown).toContain("owned");
	expect(shown).not.toMatch(CONTROLS);
	// Into a pipe, `api` prints the API's own answer.
	if (words[0] !== "api") expect((await tapedeck(words, env())).text).not.toMatch(CONTROLS);
});

test("JSON output has the control characters, escaped", async () => {
	const { text } = await tapedeck(["jobs", "list", "--json"], env());
	expect(text).not.toMatch(CONTROLS);
	expect(JSON.parse(text)).toMatchObject({ data: [{ name: EVIL, labels: { [EVIL]: EVIL } }] });
	const error = await tapedeck(["jobs", "cancel", "1", "--json"], env());
	expect(error.text).not.toMatch(CONTROLS);
	expect(JSON.parse(error.text)).toMatchObject({ error: { code: "invalid" } });
});

test.each([
	"--renderer-cmd-prefix=touch /tmp/owned",
	"-e",
	"file:///etc/passwd",
	"smb://evil.example/share",
	"javascript:alert(1)",
	"vscode://evil/open",
	"https://evil.example/device",
	"http://127.0.0.1:1/device",
	"//evil.example/device",
	"/device",
	"",
])("neither login nor open gives a browser the address %j", async (address) => {
	page = address;
	const login = await tapedeck(["login", url], env());
	expect(login.text).toContain("Not opened: the dashboard at");
	const open = await tapedeck(["open", "--recording", "1"], env());
	expect(open).toMatchObject({ status: 1, text: expect.stringContaining("Not opened: the dashboard at") });
	expect(await wasOpened()).toBe("");
	expect(await readdir(folder)).not.toContain(basename(opened));
});

test("login and open give the browser a page of the dashboard that was asked, as one word", async () => {
	page = `${url.toUpperCase().replace("HTTP", "http")}/device?code=A B'"\n--flag`;
	await tapedeck(["login", url], env());
	await expect.poll(wasOpened).toBe(`${url}/device?code=A%20B%27%22--flag`);
	await rm(opened);
	await tapedeck(["open", "--recording", "1"], env());
	await expect.poll(wasOpened).toBe(`${url}/device?code=A%20B%27%22--flag`);
});
