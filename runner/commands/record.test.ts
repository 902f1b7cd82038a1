import { beforeEach, expect, test } from "vitest";
import { reservedNumber, startXvfb } from "../../test/displays/xvfb.ts";
import { inExplore, variants } from "../../test/in-explore.ts";
import { startCommand, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { probe, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";
import type { LocalRecording } from "../control/messages.ts";

const scene = runnerScene();

beforeEach(async () => {
	await scene.start();
});

const call = (...words: string[]) => tapedeck([...words, "--data-dir", scene.dataDir]);
const jobNamed = (name: string) => {
	const job = [...scene.dashboard.jobs.values()].find(({ order }) => order.name === name);
	if (job === undefined) throw new Error(`No job "${name}":\n${scene.runner.output()}`);
	return job;
};

test("record --duration --wait prints the job's page once the video is uploaded", async () => {
	const answer = await call("record", "--display", scene.display.id, "--name", "checkout", "--duration", "2", "--wait");
	expect(answer.status, answer.text).toBe(0);
	expect(answer.text).not.toContain("The video shows a single color");
	const job = jobNamed("checkout");
	expect(job).toMatchObject({ status: "completed", uploadComplete: true });
	expect(answer.text).toContain(`${scene.dashboard.url}/jobs/${job.order.id}`);
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({
		durationSeconds: expect.closeTo(2, 3),
		faults: "",
	});
	expect(scene.dashboard.autoJobs[0]).toMatchObject({ name: "checkout", stopCondition: "duration" });
});

const BAD_FLAGS = [
	["--fps", "0", "Use a whole number of frames per second from 1 to 60."],
	["--fps", "0.5", "Use a whole number of frames per second from 1 to 60."],
	["--fps", "61", "Use a whole number of frames per second from 1 to 60."],
	["--preset", "best", "Use one of balanced, sharp, small."],
	["--max-width", "321", "Use an even number of pixels from 16"],
	["--crf", "1.5", "Use a whole number from 0"],
	["--window", "", "Send window as a part of the window's title"],
	["--region", "640x", "Use <width>x<height>+<x>+<y>"],
] as const;

test("record has the quality, the frame rate and the size of its flags, whose bad values are refused by their names", async () => {
	const flags = ["--preset", "sharp", "--fps", "30", "--max-width", "320", "--hide-cursor", "--max-bitrate", "2M"];
	flags.push("--region", "480x270+10+20");
	const words = ["--display", scene.display.id, "--name", "sharp", "--duration", "2", "--wait", ...flags];
	const answer = await call("record", ...words);
	expect(answer.status, answer.text).toBe(0);
	const job = jobNamed("sharp");
	expect(job.reports.find(({ type }) => type === "recording")).toMatchObject({
		...{ width: 320, height: 180 },
		video: {
			...{ preset: "sharp", crf: 19, framesPerSecond: 30, maxWidth: 320, cursor: false },
			maxBitrate: 2_000_000,
			region: { x: 10, y: 20, width: 480, height: 270 },
		},
	});
	expect(await probe(await scene.dashboard.video(job))).toMatchObject({
		...{ width: 320, height: 180, durationSeconds: expect.closeTo(2, 3), faults: "" },
	});
	for (const [flag, bad, sentence] of variants(BAD_FLAGS, ([, bad]) => bad === "0.5" || bad === "640x")) {
		const refused = await call("record", "--display", scene.display.id, flag, bad);
		expect(refused.status).toBe(2);
		expect(refused.text).toContain(`${flag}: ${sentence}`);
	}
});

test("record returns when the first frame is captured; stop by name ends the job like a cancel", async () => {
	const begun = await call("record", "--display", `unix${scene.display.id}.0`, "--name", "login", "--json");
	expect(begun.status, begun.text).toBe(0);
	const recording = begun.data<LocalRecording>();
	expect(recording).toMatchObject({
		name: "login",
		displayId: scene.display.id,
		status: "recording",
		durationSeconds: null,
	});
	expect(recording.url).toBe(`${scene.dashboard.url}/jobs/${recording.jobId}`);
	expect(Date.parse(recording.startedAt ?? "")).toBeLessThanOrEqual(Date.now());

	const stopped = await call("stop", "--name", "login", "--wait");
	expect(stopped.status, stopped.text).toBe(0);
	const job = jobNamed("login");
	expect(job.status).toBe("completed");
	expect(job.reports.find(({ type }) => type === "stopped")).toMatchObject({ stopReason: "cancelled" });
	expect(await spooled(scene.dataDir)).toEqual([]);
});

test("without a dashboard, record and stop work, status shows it, and --wait waits for the dashboard", async () => {
	await scene.dashboard.goDown();
	await scene.runner.says("does not respond");
	const begun = await call("record", "--display", scene.display.id, "--name", "alone", "--json");
	expect(begun.status, begun.text).toBe(0);
	expect(begun.data()).toMatchObject({ jobId: null, url: null, status: "recording" });
	const status = await call("status");
	expect(status.status).toBe(1);
	expect(status.text).toContain(`The dashboard at ${scene.dashboard.url} does not respond`);
	expect(status.text).toContain(`Recording "alone" on ${scene.display.id} is recording`);

	const stop = startCommand(["stop", "--all", "--wait", "--data-dir", scene.dataDir]);
	await scene.runner.says("ended after");
	await scene.dashboard.listen();
	expect(await stop.exited, stop.output()).toBe(0);
	expect(jobNamed("alone").status).toBe("completed");
});

inExplore(test)("a job of the dashboard can be stopped by its id and by its display", async () => {
	const jobs = [scene.interrupt(), scene.interrupt()];
	await until(() => jobs.every(({ status }) => status === "recording"), "both record");
	expect((await call("stop", String(jobs[0]?.order.id), "--wait")).status).toBe(0);
	expect(jobs[0]?.status).toBe("completed");
	expect(jobs[1]?.status).toBe("recording");
	const rest = await call("stop", "--display", scene.display.id, "--json");
	expect(rest.data<{ stopped: LocalRecording[] }>().stopped.map(({ jobId }) => jobId)).toEqual([jobs[1]?.order.id]);
	await until(() => jobs[1]?.status === "completed", "the second ends");
});

test("Ctrl-C on record --wait ends the recording and delivers it", async () => {
	const command = startCommand(["record", "--display", scene.display.id, "--wait", "--data-dir", scene.dataDir]);
	await command.says(/is recording \d+:\d\d/);
	command.process.kill("SIGINT");
	expect(await command.exited, command.output()).toBe(0);
	expect(jobNamed(`Recording of ${scene.display.id}`).status).toBe("completed");
});

inExplore(test)("record --wait survives a kill and restart of the runner", async () => {
	const words = ["record", "--display", scene.display.id, "--name", "twice", "--duration", "4", "--wait"];
	const command = startCommand([...words, "--data-dir", scene.dataDir]);
	await command.says(/is recording \d+:\d\d/);
	scene.runner.process.kill("SIGKILL");
	await command.says("stopped responding");
	await scene.runner.exited;
	scene.launch();
	expect(await command.exited, `${command.output()}\n${scene.runner.output()}`).toBe(0);
	const video = await probe(await scene.dashboard.video(jobNamed("twice")));
	expect(video).toMatchObject({ durationSeconds: expect.closeTo(4, 3), faults: "" });
});

inExplore(test)("a complete recording of an empty display is reported as black", async () => {
	const empty = await startXvfb();
	try {
		const answer = await call("record", "--display", empty.id, "--duration", "3", "--wait");
		expect(answer.status, answer.text).toBe(0);
		expect(answer.text).toContain("The video shows a single color");
	} finally {
		await empty.stop();
	}
});

inExplore(test)("a recording whose display dies is reported as failed, status 1", async () => {
	const doomed = await startXvfb({ number: reservedNumber() });
	const command = startCommand(["record", "--display", doomed.id, "--wait", "--data-dir", scene.dataDir]);
	await command.says(/is recording \d+:\d\d/);
	await doomed.kill();
	expect(await command.exited).toBe(1);
	expect(command.output()).toMatch(/ failed .*display_lost/);
});

const WRONG = [
	["record", "--duration", "0"],
	["record", "--name", " "],
	["record", "--name", "x".repeat(201)],
	["record", "--display", "99"],
	["record", "--nonsense"],
	["record", "word"],
	["stop"],
	["stop", "1", "--all"],
	["stop", "one"],
];

test("invalid displays, jobs and arguments are refused with a message", async () => {
	const noDisplay = await call("record", "--display", ":58999");
	expect(noDisplay).toMatchObject({ status: 1, text: expect.stringContaining("Display :58999 was not found") });
	expect(noDisplay.text).toContain(scene.display.id);
	const noJob = await call("stop", "4711", "--json");
	expect(noJob).toMatchObject({ status: 1 });
	expect(noJob.data()).toMatchObject({ error: { code: "job_not_found" } });
	for (const words of variants(WRONG, (words) => words.includes("0") || words.includes("--all"))) {
		const { status, text } = await call(...words);
		expect(status, text).toBe(2);
		expect(text).not.toMatch(/^ +at /m);
	}
	expect(await call("stop", "--all")).toMatchObject({ status: 0, text: "Nothing is being recorded.\n" });
	expect(scene.runner.process.exitCode).toBeNull();
});

inExplore(test)("a runner that stops tells waiting commands where their video is", async () => {
	const command = startCommand(["record", "--display", scene.display.id, "--wait", "--data-dir", scene.dataDir]);
	await command.says(/is recording \d+:\d\d/);
	await scene.runner.stop();
	expect(await command.exited, command.output()).toBe(0);
	expect(command.output()).toContain("runner_shutdown");
});
