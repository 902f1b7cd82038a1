import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { writeXauthority } from "../../test/displays/xauthority.ts";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { inExplore } from "../../test/in-explore.ts";
import type { Child } from "../../test/processes/child.ts";
import { freePort } from "../../test/processes/free-port.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { FakeDashboard } from "../../test/runners/fake-dashboard.ts";
import { nothingLeft, startRunner } from "../../test/runners/runner-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Finding } from "../doctor/finding.ts";

let display: VirtualDisplay;
let dashboard: FakeDashboard;
let folder: string;
let runner: Child | null = null;

beforeAll(async () => {
	display = await startXvfb();
});
afterAll(() => display.stop());
beforeEach(async () => {
	dashboard = await FakeDashboard.start();
	folder = await temporaryFolder("doctor");
});
afterEach(async () => {
	await runner?.stop();
	runner = null;
	await nothingLeft(folder);
	await dashboard.stop();
});

interface DoctorReport {
	status: number | string;
	ok: boolean;
	findings: Finding[];
	/** The findings of one check. */
	of(check: Finding["check"]): Finding[];
}

async function doctor(env: Record<string, string> = {}): Promise<DoctorReport> {
	const { status, ...answer } = await tapedeck(["doctor", "--json"], {
		TAPEDECK_URL: dashboard.url,
		TAPEDECK_TOKEN: "the-token",
		TAPEDECK_DATA_DIR: join(folder, "data"),
		DISPLAY: display.id,
		...env,
	});
	const report = answer.data<{ ok: boolean; findings: Finding[] }>();
	// Every problem has a remedy.
	for (const { level, message, remedy } of report.findings) expect(remedy === null, message).toBe(level === "ok");
	expect(report.ok).toBe(status === 0);
	return { ...report, status, of: (wanted) => report.findings.filter(({ check }) => check === wanted) };
}
const failed = (finding: Partial<Record<keyof Finding, unknown>>) => [
	expect.objectContaining({ level: "failure", ...finding }),
];

test("on a healthy machine, doctor lists every check, leaves nothing behind, and exits 0", async () => {
	const report = await doctor();
	expect(report.status, JSON.stringify(report.findings)).toBe(0);
	const checks = new Set(report.findings.map(({ check }) => check));
	expect([...checks].sort()).toEqual(["capture", "clock", "dashboard", "disk", "display", "ffmpeg", "runner", "token"]);
	expect(report.of("capture").map(({ message }) => message)).toContain(`ffmpeg captures ${display.id}`);
	expect(await readdir(folder)).toEqual([]);
	expect(dashboard.signIns).toBe(0);
	const words = await tapedeck(["doctor"], { TAPEDECK_DATA_DIR: join(folder, "data"), DISPLAY: display.id });
	expect(words.status).toBe(1);
	expect(words.text).toMatch(/FAILURE +configuration +TAPEDECK_TOKEN .*Runners, Add runner/);
	expect(words.text).toContain("2 problems have to be fixed.");
});

test("doctor does not disturb a recording runner, which answers for a shell without its token", async () => {
	const dataDir = join(folder, "data");
	runner = startRunner({ url: dashboard.url, dataDir, display: display.id });
	await runner.says("Connected to");
	const files = await readdir(dataDir);
	const beside = await doctor();
	expect(beside.status, JSON.stringify(beside.findings)).toBe(0);
	expect((await doctor({ TAPEDECK_URL: "", TAPEDECK_TOKEN: "", DISPLAY: "" })).of("dashboard")).toEqual([
		expect.objectContaining({ level: "ok", message: expect.stringContaining(`connected to ${dashboard.url}`) }),
	]);
	expect(dashboard.signIns).toBe(1);
	expect((await readdir(dataDir)).sort()).toEqual(files.sort());
});

inExplore(test)("doctor reports an ffmpeg that is missing or lacks a feature", async () => {
	expect((await doctor({ TAPEDECK_FFMPEG: join(folder, "none") })).of("ffmpeg")).toEqual(
		failed({ remedy: expect.stringContaining("apt-get install ffmpeg") }),
	);
	const script = join(folder, "ffmpeg");
	await writeFile(
		script,
		'#!/bin/sh\ncase "$*" in *-encoders*) echo ffmpeg version 9;; *-devices*) echo D x11grab;; esac\n',
	);
	await chmod(script, 0o755);
	const report = await doctor({ TAPEDECK_FFMPEG: script });
	expect(report.of("ffmpeg")).toEqual(failed({ message: expect.stringContaining("without libx264") }));
	expect(report.of("capture")).toEqual([]);
});

inExplore(test)(
	"doctor records with the runner's own arguments, and shows ffmpeg's last line when it refuses them",
	async () => {
		// As ffmpeg 7.1 refused them: everything works by itself, but not together.
		const script = join(folder, "ffmpeg");
		const refuse = 'echo "[vost#0:0 @ 0x1] This is contradictory." >&2; exit 234';
		const ffmpeg = `exec "${requireProgram("ffmpeg")}" "$@"`;
		const words = '"$*"';
		await writeFile(script, `#!/bin/sh\ncase ${words} in *"-framerate 24"*"-crf 30"*) ${refuse};; esac\n${ffmpeg}\n`);
		await chmod(script, 0o755);
		const env = { TAPEDECK_FFMPEG: script, TAPEDECK_VIDEO_FPS: "24" };
		expect((await doctor(env)).of("capture")).toContainEqual(
			expect.objectContaining({ level: "ok", message: `ffmpeg captures ${display.id}` }),
		);
		expect((await doctor({ ...env, TAPEDECK_VIDEO_CRF: "30" })).of("capture")).toEqual(
			failed({ message: expect.stringMatching(/^ffmpeg can't capture :\d+: .* This is contradictory\.$/) }),
		);
	},
);

test("doctor reports a display that is missing or refuses the runner", async () => {
	const gone = (await doctor({ DISPLAY: ":58998" })).of("display").filter(({ level }) => level === "failure");
	expect(gone).toEqual(failed({ message: "Display :58998 was not found" }));

	const authority = join(folder, "authority");
	await writeXauthority(authority, randomBytes(16));
	const locked = await startXvfb({ auth: authority });
	try {
		const refused = await doctor({ DISPLAY: locked.id, XAUTHORITY: join(folder, "none") });
		expect(refused.status).toBe(1);
		const [finding] = refused.of("display").filter(({ message }) => message.includes(`${locked.id} refuses`));
		expect(finding).toMatchObject({ level: "failure", remedy: expect.stringContaining("XAUTHORITY") });
		const allowed = await doctor({ DISPLAY: locked.id, XAUTHORITY: authority });
		expect(allowed.of("capture").map(({ message }) => message)).toContain(`ffmpeg captures ${locked.id}`);
	} finally {
		await locked.stop();
	}
});

test("doctor reports a dashboard that is down, is not Tapedeck, or redirects", async () => {
	const port = await freePort();
	const away = await doctor({ TAPEDECK_URL: `http://127.0.0.1:${port}` });
	expect(away.of("dashboard")).toEqual(failed({ remedy: expect.stringContaining("start the dashboard") }));
	expect(away.of("token")).toEqual([]);

	let answer: [number, Record<string, string>] = [200, { "content-type": "text/html" }];
	const other = createServer((_request, response) => void response.writeHead(...answer).end("<!doctype html>"));
	await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
	try {
		expect((await doctor({ TAPEDECK_URL: url })).of("dashboard")).toEqual(
			failed({ message: expect.stringContaining("is not Tapedeck") }),
		);
		answer = [503, {}];
		expect((await doctor({ TAPEDECK_URL: url })).of("dashboard")).toEqual(
			failed({ message: expect.stringContaining("responds with 503") }),
		);
		answer = [308, { location: "https://tapedeck.example.com/v1/health" }];
		expect((await doctor({ TAPEDECK_URL: url })).of("dashboard")).toEqual(
			failed({ message: expect.stringContaining("https://tapedeck.example.com/") }),
		);
		expect((await doctor({ TAPEDECK_URL: url.replace("http:", "https:") })).of("dashboard")).toEqual(
			failed({ remedy: expect.stringContaining("TLS") }),
		);
	} finally {
		other.close();
		other.closeAllConnections();
	}
});

inExplore(test)("doctor reports a refused token and a wrong clock", async () => {
	const refused = await doctor({ TAPEDECK_TOKEN: "another-token" });
	expect(refused.of("token")).toEqual(failed({ remedy: expect.stringContaining("Runners, Add runner") }));
	dashboard.clockAheadMs = 90_000;
	const late = await doctor();
	expect(late.status).toBe(0);
	expect(late.of("clock")).toEqual([
		expect.objectContaining({ level: "warning", message: expect.stringMatching(/(8|9)\d s behind/) }),
	]);
});

inExplore(test)(
	"doctor checks the disk for the buffer that a runner would keep, and a length that is none",
	async () => {
		expect((await doctor()).of("buffer")).toEqual([]);
		expect((await doctor({ TAPEDECK_BUFFER: "2m" })).of("buffer")).toEqual([
			expect.objectContaining({ level: "ok", message: expect.stringContaining("120 s") }),
		]);
		expect((await doctor({ TAPEDECK_BUFFER: "2 minutes" })).of("configuration")).toEqual(
			failed({ message: "TAPEDECK_BUFFER is invalid" }),
		);
	},
);

test("doctor reports variables that nothing reads, and still checks the dashboard", async () => {
	const report = await doctor({ TAPEDECK_DISPLAY_ALOW: ":1" });
	expect(report.of("configuration")).toEqual([
		{
			...{ check: "configuration", level: "failure", message: "TAPEDECK_DISPLAY_ALOW is not a variable of Tapedeck" },
			remedy: "set TAPEDECK_DISPLAY_ALLOW instead",
		},
	]);
	expect(report.of("token")).toEqual([expect.objectContaining({ level: "ok" })]);
});

inExplore(test)("doctor reports a data directory that is not writable", async () => {
	await writeFile(join(folder, "file"), "");
	expect((await doctor({ TAPEDECK_DATA_DIR: join(folder, "file", "data") })).of("disk")).toEqual(
		failed({ remedy: expect.stringContaining("TAPEDECK_DATA_DIR") }),
	);
	await mkdir(join(folder, "data"));
	// Not even root can create a file below it.
	expect((await doctor({ TAPEDECK_DATA_DIR: "/proc/self" })).of("disk")).toEqual(failed({}));
});
