/** `npm run up`: the first start, the next one, and what goes wrong. */

import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Job } from "@tapedeck/contract/job.ts";
import { expect, test } from "playwright/test";
import { connect } from "#test/api-client.ts";
import { inExplore } from "#test/in-explore.ts";
import { freePort } from "#test/processes/free-port.ts";
import { processesWithVariable, startUp, type UpProcess } from "#test/processes/up-process.ts";

const READY = /^Tapedeck is ready: (\S+)$/gm;

let folder: string;
let env: { PORT: string; TAPEDECK_DATA_DIR: string };
const started: UpProcess[] = [];

test.describe.configure({ mode: "serial" });
test.setTimeout(240_000);

test.beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-up-"));
	env = { PORT: String(await freePort()), TAPEDECK_DATA_DIR: join(folder, "data") };
});

test.afterAll(async () => {
	for (const up of started) if (up.status() === null) process.kill(-(up.child.pid ?? 0), "SIGKILL");
	await expect.poll(leftovers).toEqual([]);
	await rm(folder, { recursive: true, force: true });
});

const leftovers = () => processesWithVariable(`TAPEDECK_DATA_DIR=${env.TAPEDECK_DATA_DIR}`);

function start(extra: Record<string, string> = {}): UpProcess {
	const up = startUp({ ...env, ...extra });
	started.push(up);
	return up;
}

async function ready(up: UpProcess): Promise<void> {
	await expect
		.poll(() => READY.test(up.printed()) || up.status() !== null, { timeout: 180_000, intervals: [100] })
		.toBe(true);
	expect(up.printed().match(READY) ?? [], up.printed()).toHaveLength(1);
	await expect.poll(() => up.commands().length).toBe(2);
}

/** A stop gives the runner, the dashboard and the display 30 s in all, and a start takes npm and a look at the build. */
const ended = (up: UpProcess) => expect.poll(up.status, { timeout: 90_000 });

const pasted = async (command: string) => JSON.parse((await promisify(execFile)("sh", ["-c", command])).stdout) as Job;

test("the printed curl records, the printed sign-in works, and SIGTERM stops everything", async () => {
	const up = start();
	await ready(up);
	const url = `http://127.0.0.1:${env.PORT}`;
	expect(up.printed()).toContain(`Tapedeck is ready: ${url}\n`);
	expect((await stat(join(env.TAPEDECK_DATA_DIR, "first-sign-in.json"))).mode & 0o777).toBe(0o600);

	const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: url },
		body: JSON.stringify({ email: up.shown("Email"), password: up.shown("Password") }),
	});
	expect(signIn.status).toBe(200);

	const [create = "", read = ""] = up.commands();
	const job = await pasted(create);
	expect(job.id).toBe(1);
	const played = await pasted(read);
	expect(played).toMatchObject({ id: 1, status: "completed", stopReason: "duration_elapsed" });
	expect(played.recording).toMatchObject({ width: 1280, height: 720 });

	up.child.kill("SIGTERM");
	await ended(up).toBe(0);
	await expect.poll(leftovers).toEqual([]);
});

test("a second start keeps everything, and Ctrl-C finishes what is being recorded", async () => {
	const first = started[0];
	const up = start();
	await ready(up);
	for (const label of ["Email", "Password", "API key"]) expect(up.shown(label)).toBe(first?.shown(label));
	const api = connect(`http://127.0.0.1:${env.PORT}`, up.shown("API key"));
	expect(await api.readJob(1)).toMatchObject({ status: "completed" });
	const [runner] = await api.runners();
	const { id } = await api.createJob({
		runnerId: runner?.id ?? 0,
		displayId: runner?.displays[0]?.id ?? "",
		name: "Interrupted by Ctrl-C",
		stopCondition: "interrupt",
	});
	await api.waitFor(id, "recording");
	await expect.poll(async () => (await api.readJob(id)).recording?.durationSeconds ?? 0).toBeGreaterThan(1);

	// A terminal signals the whole group, so that npm, its shell and we all get it.
	process.kill(-(up.child.pid ?? 0), "SIGINT");
	await ended(up).not.toBeNull();
	await expect.poll(leftovers).toEqual([]);

	const again = start();
	await ready(again);
	expect(await api.readJob(id)).toMatchObject({ status: "completed", stopReason: "runner_shutdown" });
});

inExplore(test)(
	"a used port, a data directory in use and one that is not writable are reported in one sentence",
	async () => {
		const taken = createServer((_request, answer) => answer.end("something else"));
		await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
		const address = taken.address();
		const port = String(typeof address === "object" ? address?.port : 0);
		const other = join(folder, "other");
		const refused: [Record<string, string>, RegExp][] = [
			[{ TAPEDECK_DATA_DIR: other }, /^Tapedeck already runs at \S+: .+\n$/],
			[{ PORT: port, TAPEDECK_DATA_DIR: other }, /^Port \d+ on 127\.0\.0\.1 is in use by another program: .+\n$/],
			[{ PORT: "0" }, /^Another npm run up \(process \d+\) uses the data directory .+\n$/],
			[
				{ PORT: "0", TAPEDECK_DATA_DIR: "/proc/tapedeck" },
				/^The data directory \/proc\/tapedeck is not writable .+\n$/,
			],
		];
		for (const [extra, sentence] of refused) {
			const up = start(extra);
			await ended(up).toBe(1);
			expect(up.printed()).toMatch(sentence);
		}
		taken.close();
		expect(await processesWithVariable(`TAPEDECK_DATA_DIR=${other}`)).toEqual([]);
	},
);

inExplore(test)("a dashboard that is killed is named and restarted", async () => {
	const up = started.find((one) => one.status() === null);
	if (up === undefined) throw new Error("The third start should still run.");
	const dashboard = (await leftovers()).find(({ command }) => command.includes("server.ts"));
	process.kill(dashboard?.pid ?? 0, "SIGKILL");
	await expect.poll(up.printed).toContain("The dashboard was killed by SIGKILL. Restarting it.");
	const health = async () => (await fetch(`http://127.0.0.1:${env.PORT}/v1/health`).catch(() => null))?.status;
	await expect.poll(health).toBe(200);
});

inExplore(test)("when it is killed itself, nothing keeps running", async () => {
	const before = await leftovers();
	expect(before.some(({ command }) => command.includes("Xvfb"))).toBe(true);
	const self = before.find(({ command }) => command.includes("bin/setup/up.mjs"));
	process.kill(self?.pid ?? 0, "SIGKILL");
	await expect.poll(leftovers).toEqual([]);
});
