/** Commands that create and change jobs, and those around them, against a real dashboard. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import type { Schedule } from "@tapedeck/contract/schedule.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { until } from "../../../test/wait.ts";

let api: TestApi;
const displays = [":99", ":98"].map((id) => ({ id, width: 1280, height: 720 }));
beforeAll(async () => {
	api = await startTestApi();
	await api.signIn("box");
	await api.signIn("pair", displays);
});
afterAll(() => api.stop());

const cli = (words: string[], env: Record<string, string> = {}) =>
	tapedeck(words, { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY, ...env });
const created = async (...words: string[]) => (await cli(["jobs", "create", ...words, "--json"])).data<Job>();
const failure = async (...words: string[]) => {
	const { status, text } = await cli(words);
	return [status, text.trim()];
};

test("jobs create takes a runner by name or id, and its only display", async () => {
	const flags = ["--name", "checkout", "--label", "suite=web", "--duration", "15m", "--keep", "failed"];
	expect(await created("--runner", "box", ...flags)).toMatchObject({
		...{ runnerId: 1, displayId: ":99", name: "checkout", labels: { suite: "web" }, keep: "failed" },
		...{ status: "queued", stopCondition: "duration", stopConditionConfig: { durationSeconds: 900 } },
	});
	expect(await created("--runner", "2", "--display", ":98", "--max", "1h")).toMatchObject({
		...{ runnerId: 2, displayId: ":98", stopCondition: "interrupt", maxDurationSeconds: 3600 },
	});
	expect(await failure("jobs", "create", "--runner", "pair")).toEqual([
		2,
		'Runner "pair" has :99, :98; choose one with --display.',
	]);
	expect(await failure("jobs", "create", "--runner", "nowhere")).toEqual([
		1,
		'There is no runner "nowhere"; see "tapedeck runners".',
	]);
});

test("without a runner, jobs create leaves the choice to the first that fits", async () => {
	expect(await created("--display", ":98")).toMatchObject({ selector: { labels: {}, display: ":98" }, runnerId: 2 });
	const [status, text] = await failure("jobs", "create", "--select", "pool=none");
	expect(status).toBe(1);
	expect(text).toMatch(/^selector\.labels: No runner has pool=none\. /);
});

test("jobs create with a key that was used creates nothing more", async () => {
	const words = ["--display", ":98", "--key", "run 7"];
	expect((await created(...words)).id).toBe((await created(...words)).id);
});

test("schedule creates a job and its repetition, and lists, pauses and deletes schedules", async () => {
	const flags = ["--runner", "box", "--name", "again", "--duration", "30s"];
	const schedule = (...words: string[]) => cli(["schedule", ...words]);
	const json = async (...words: string[]) => (await schedule(...words, "--json")).data<Schedule>();
	const { id, ...made } = await json("create", "--every", "1h", "--until", "2100-01-01T00:00:00Z", ...flags);
	expect(made).toMatchObject({
		...{ everySeconds: 3600, endsAt: "2100-01-01T00:00:00.000Z", startedJobs: 1, lastJob: { status: "queued" } },
		job: { runnerId: 1, displayId: ":99", name: "again", stopConditionConfig: { durationSeconds: 30 } },
	});
	expect((await schedule("list")).text).toMatch(
		new RegExp(`${id} +active +3600 s .* ${made.lastJob?.id} +1 +0 +again`),
	);
	expect((await schedule("pause", String(id))).text).toContain(`Schedule ${id} "again" is paused: every 3600 s.`);
	expect((await schedule("delete", String(id))).text.trim()).toBe(`Schedule ${id} is deleted.`);
	expect(await failure("schedule", "create", ...flags)).toEqual([
		2,
		"Say how often with --every, such as --every 10m.",
	]);
});

test("schedule create takes screenshots and uploads files as well, with the flags of their commands only", async () => {
	const every = ["schedule", "create", "--every", "1h"];
	const job = async (...words: string[]) => (await cli([...every, ...words, "--json"])).data<Schedule>().job;
	expect(await job("--screenshot", "--runner", "box", "--region", "800x600+0+0", "--label", "suite=web")).toEqual({
		...{ type: "screenshot", runnerId: 1, displayId: ":99", labels: { suite: "web" } },
		video: { region: { x: 0, y: 0, width: 800, height: 600 } },
	});
	expect(await job("--file-upload", "reports/run.pdf", "--runner", "pair", "--name", "Report")).toEqual({
		...{ type: "file_upload", runnerId: 2, path: "reports/run.pdf", name: "Report" },
	});
	for (const [words, sentence] of [
		[
			["--screenshot", "--runner", "box", "--duration", "30s"],
			"--duration: Leave it out with --screenshot; it is for recordings.",
		],
		[["--file-upload", "a", "--display", ":99"], "--display: Leave it out with --file-upload; it is for recordings."],
		[
			["--file-upload", "a", "--screenshot"],
			"Use either --screenshot or --file-upload: a schedule creates jobs of one type.",
		],
	] as const)
		expect(await failure(...every, ...words)).toEqual([2, sentence]);
});

test("jobs label sets and removes labels and says the outcome; jobs cancel ends a job, also twice", async () => {
	const { id } = await created("--display", ":98", "--label", "team=web", "--label", "build=1");
	const labelled = await cli(["jobs", "label", String(id), "build=2", "flaky=yes", "team-", "--outcome", "failed"]);
	expect(labelled.text).toContain("outcome    failed\n");
	expect(labelled.text).toContain("labels     build=2 flaky=yes\n");
	expect(await failure("jobs", "label", String(id), "Flaky")).toEqual([
		2,
		'"Flaky" is no label; use key=value to set one, and key- to remove it.',
	]);
	expect(await failure("jobs", "label", String(id), "--outcome", "great")).toEqual([
		1,
		"outcome: Send outcome as one of passed, failed, error, skipped, or null.",
	]);
	for (const _ of ["once", "twice"])
		expect(await failure("jobs", "cancel", String(id))).toEqual([
			0,
			expect.stringMatching(`^Job ${id} ".+" has ended: cancelled\\.$`),
		]);
	expect((await failure("jobs", "cancel", "4711"))[0]).toBe(1);
});

test("mark adds a marker to the job, in a command that tapedeck run runs without naming it", async () => {
	const { id } = await created("--display", ":98");
	expect(await failure("mark", "Pay is clicked", "--job", String(id), "--kind", "step")).toEqual([
		0,
		`Marked "Pay is clicked" before the first frame of job ${id}.`,
	]);
	const again = await cli(["mark", "Paid", "--json"], { TAPEDECK_JOB_ID: String(id) });
	expect(again.data()).toMatchObject({ jobId: id, label: "Paid", kind: "note" });
	expect(await failure("mark", "Paid")).toEqual([
		2,
		"Name the job with --job, or the recording with --recording and --at.",
	]);
});

test("privacy makes a job private and shows it again, in a command that tapedeck run runs without naming it", async () => {
	const { id } = await created("--display", ":98");
	expect(await failure("privacy", "on", "--job", String(id))).toEqual([
		0,
		`Job ${id} is private: its video is black from now on.`,
	]);
	const again = await cli(["privacy", "off", "--json"], { TAPEDECK_JOB_ID: String(id) });
	expect(again.data()).toEqual({ on: false, effectiveAt: null });
	await cli(["jobs", "cancel", String(id)]);
	expect(await failure("privacy", "on", "--job", String(id))).toEqual([
		1,
		`Job ${id} does not record any more. Send this while it is queued or recording.`,
	]);
	expect(await failure("privacy", "on")).toEqual([2, "Name the job with --job."]);
	expect((await failure("privacy"))[0]).toBe(2);
});

test("runners lists the runners with their displays", async () => {
	// Signed in again, it is online however long the tests before took.
	await api.signIn("box");
	const { text } = await cli(["runners"]);
	expect(text).toMatch(/\n1 +online +:99 1280x720 +0 +\d+ +test +- +box\n/);
	expect((await cli(["runners", "--json"])).data<{ data: Runner[] }>().data).toHaveLength(2);
});

test("open prints the page's address and opens it with the browser, also when there is none", async () => {
	const folder = await temporaryFolder("browser");
	const [program, opened] = [join(folder, "browser"), join(folder, "opened")];
	await writeFile(program, `#!/bin/sh\necho "$1" > ${opened}\n`);
	await chmod(program, 0o755);
	const { id } = await created("--display", ":98");
	const page = `${api.url}/jobs/${id}`;
	expect(await cli(["open", String(id)], { BROWSER: program })).toMatchObject({ status: 0, text: `${page}\n` });
	await until(async () => (await readFile(opened, "utf8").catch(() => "")) === `${page}\n`, "the browser is called");
	const without = await cli(["open"]);
	expect(without.text).toBe(`${api.url}/jobs\nNo browser here; open the address yourself, or set BROWSER.\n`);
	const missing = await cli(["open"], { BROWSER: join(folder, "missing") });
	expect(missing.text).toContain("can't be started (ENOENT); open the address yourself, or set BROWSER.");
	expect((await cli(["open", "4711"], { BROWSER: program })).status).toBe(1);
});
