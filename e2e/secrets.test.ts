/** Planted secrets, searched for in everything that the system wrote, sent or started. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type FakeGrid, startFakeGrid } from "#test/grids/fake-grid.ts";
import type { Child } from "#test/processes/child.ts";
import { newFolder, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";
import { until } from "#test/wait.ts";

const GRID = { username: "planted-user", password: "planted:grid/pässword" };
const WRONG_GRID_PASSWORD = "planted-wrong-grid-password";
const NEW_PASSWORD = "planted new password of a person";

let dashboard: Dashboard;
let display: VirtualDisplay;
let grid: FakeGrid;
let runner: Child;
let runnerDir: string;
/** Answers, pages, events, and the command lines of every process. */
const seen: { where: string; text: string }[] = [];
let watching: NodeJS.Timeout;

beforeAll(async () => {
	vi.stubEnv("TAPEDECK_LOG_LEVEL", "debug");
	[dashboard, display, grid] = await Promise.all([startTestDashboard(), startXvfb(), startFakeGrid()]);
	grid.credentials = GRID;
	runnerDir = await newFolder();
	runner = startRunner({
		url: dashboard.url,
		dataDir: runnerDir,
		display: display.id,
		env: { TAPEDECK_TOKEN: dashboard.runnerToken },
	});
	await runner.says("Connected to");
	watching = setInterval(() => void noteCommandLines(), 200);
});
afterAll(async () => {
	clearInterval(watching);
	await runner?.stop();
	await Promise.all([dashboard?.stop(), display?.stop(), grid?.stop()]);
	await removeFolder(runnerDir);
	vi.unstubAllEnvs();
});

async function noteCommandLines(): Promise<void> {
	for await (const file of glob("/proc/[0-9]*/cmdline")) {
		const text = await readFile(file, "utf8").catch(() => "");
		// Other programs of this user are not ours.
		if (text.includes(runnerDir) || text.includes(dashboard.dataDir)) seen.push({ where: `the process ${file}`, text });
	}
}

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
	const response = await fetch(dashboard.url + path, {
		method,
		headers: {
			...(headers.cookie === undefined ? { authorization: `Bearer ${dashboard.apiKey}` } : { origin: dashboard.url }),
			...(body === undefined ? {} : { "content-type": "application/json" }),
			...headers,
		},
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	seen.push({ where: `${method} ${path} (${response.status})`, text: `${text}\n${[...response.headers].join("\n")}` });
	return { status: response.status, text, cookies: response.headers.getSetCookie() };
}

const idleJob = (gridPassword: string, gridUrl: string = grid.url) => ({
	runnerId: 1,
	displayId: display.id,
	stopCondition: "selenium_idle",
	stopConditionConfig: { gridUrl, gridUsername: GRID.username, gridPassword },
});

async function createJob(body: unknown): Promise<Job> {
	const { status, text } = await call("POST", "/v1/jobs", body);
	expect(status, text).toBe(201);
	return JSON.parse(text) as Job;
}

const ended = (id: number) =>
	until(
		async () => {
			const job = JSON.parse((await call("GET", `/v1/jobs/${id}`)).text) as Job;
			return job.endedAt === null ? null : job;
		},
		`job ${id} has ended`,
		60_000,
	);

async function signIn(): Promise<string> {
	const { cookies } = await call(
		"POST",
		"/api/auth/sign-in/email",
		{ email: dashboard.email, password: dashboard.password },
		{ cookie: "" },
	);
	return cookies.map((each) => each.split(";")[0]).join("; ");
}

test("no password, token or key is in an answer, event, page, log, file or command line", async () => {
	const stream = new AbortController();
	const events = follow(stream.signal);
	grid.respondWith({ kind: "sessions", count: 1 });
	const good = await createJob(idleJob(GRID.password));
	await until(() => grid.requests.some(({ authorization }) => authorization !== undefined), "the grid was asked");
	// The restarted runner requests the password again: it is never written to its disk.
	runner.process.kill("SIGKILL");
	await runner.exited;
	seen.push({ where: "the runner's output", text: runner.output() });
	runner = startRunner({
		url: dashboard.url,
		dataDir: runnerDir,
		display: display.id,
		env: { TAPEDECK_TOKEN: dashboard.runnerToken },
	});
	await runner.says("Connected to");
	grid.respondWith({ kind: "sessions", count: 0 });
	expect(await ended(good.id)).toMatchObject({ status: "completed", stopReason: "selenium_idle" });
	const refused = await createJob(idleJob(WRONG_GRID_PASSWORD));
	expect(await ended(refused.id)).toMatchObject({ stopReason: "grid_unauthorized" });

	// Validation errors do not repeat the value.
	for (const body of [
		{ ...idleJob(GRID.password), gridPassword: GRID.password },
		{ ...idleJob(GRID.password), stopCondition: "duration" },
		idleJob(GRID.password, `http://${GRID.username}:${encodeURIComponent(GRID.password)}@grid.example`),
		{ ...idleJob(GRID.password), runnerId: 999 },
	]) {
		expect((await call("POST", "/v1/jobs", body)).status).toBe(422);
	}
	const cookie = await signIn();
	for (const path of ["/jobs", `/jobs/${good.id}`, `/jobs/${refused.id}`, "/recordings", "/runners", "/settings"]) {
		expect((await call("GET", path, undefined, { cookie })).status, path).toBe(200);
	}
	for (const path of [
		"/v1/jobs",
		"/v1/runners",
		"/v1/recordings",
		"/v1/api-keys",
		"/v1/runner-tokens",
		"/v1/audit-log",
	]) {
		expect((await call("GET", path, undefined, { cookie })).status, path).toBe(200);
	}
	await call("GET", `/v1/jobs/${good.id}/events`);
	await call("GET", `/v1/jobs/${refused.id}/events`);
	await call("GET", "/metrics");
	await call("POST", "/api/auth/sign-in/email", { email: dashboard.email, password: NEW_PASSWORD }, { cookie: "" });
	stream.abort();
	seen.push({ where: "the event stream", text: await events });
	await noteCommandLines();
	await runner.stop();
	seen.push({ where: "the runner's output", text: runner.output() });
	// Stopped, so that no file changes while it is read.
	await dashboard.kill();
	seen.push({ where: "the dashboard's output", text: dashboard.lastLines() });

	const secrets = formsOf({
		"the grid's password": GRID.password,
		"a wrong grid password": WRONG_GRID_PASSWORD,
		"Basic authentication": Buffer.from(`${GRID.username}:${GRID.password}`).toString("base64"),
		"the owner's password": dashboard.password,
		"a password that was refused": NEW_PASSWORD,
		"the API key": dashboard.apiKey,
		"the runner token": dashboard.runnerToken,
	});
	const found = seen.flatMap(({ where, text }) =>
		secrets.filter(([, form]) => text.includes(form)).map(([name]) => `${name} is in ${where}`),
	);
	for (const dir of [dashboard.dataDir, runnerDir]) {
		for await (const file of glob("**/*", { cwd: dir, withFileTypes: true })) {
			if (!file.isFile()) continue;
			const bytes = await readFile(join(file.parentPath, file.name));
			for (const [name, form] of secrets) if (bytes.includes(form)) found.push(`${name} is in the file ${file.name}`);
		}
	}
	expect(seen.length).toBeGreaterThan(30);
	expect(seen.some(({ where }) => where.startsWith("the process"))).toBe(true);
	expect([...new Set(found)]).toEqual([]);
});

/** The encodings in which a secret may appear. */
const formsOf = (secrets: Record<string, string>): [name: string, form: string][] =>
	Object.entries(secrets).flatMap(([name, secret]) =>
		[
			secret,
			encodeURIComponent(secret),
			Buffer.from(secret).toString("base64").replace(/=+$/, ""),
			JSON.stringify(secret).slice(1, -1),
		].map((form): [string, string] => [name, form]),
	);

async function follow(signal: AbortSignal): Promise<string> {
	const headers = { authorization: `Bearer ${dashboard.apiKey}` };
	const response = await fetch(`${dashboard.url}/v1/events`, { headers, signal });
	let text = "";
	try {
		for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
	} catch {
		// It was stopped on purpose.
	}
	return text;
}
