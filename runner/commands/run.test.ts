import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { inExplore, variants } from "../../test/in-explore.ts";
import { startCommand, TAPEDECK, tapedeck } from "../../test/processes/tapedeck-command.ts";
import { FIRST_RESULT_ID } from "../../test/runners/fake-dashboard.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { probe, spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();

const jobNamed = (name: string): FakeJob => {
	const job = [...scene.dashboard.jobs.values()].find(({ order }) => order.name === name);
	if (job === undefined) throw new Error(`No job "${name}"`);
	return job;
};
const resultOf = (job: FakeJob) => job.reports.find((report) => report.type === "command_ended");
const flags = () => ["--display", scene.display.id, "--data-dir", scene.dataDir];
/** Environment of `tapedeck run` on a machine without a runner. */
const credentials = () => ({ TAPEDECK_URL: scene.dashboard.url, TAPEDECK_TOKEN: scene.dashboard.token });

const WRONG = [
	["run"],
	["run", "--new-display", "big", "--", "true"],
	["run", "--display", ":1", "--new-display", "640x480", "--", "true"],
	["run", "--label", "Suite", "--", "true"],
	["run", "--max", "soon", "--", "true"],
	["run", "--keep", "never", "--", "true"],
];

describe("with the runner of this machine", () => {
	beforeEach(async () => {
		await scene.start();
	});

	test("the command has its streams and status, and its recording has outcome, labels, keep and cap", async () => {
		const answer = await tapedeck(
			[
				...["run", ...flags(), "--name", "checkout", "--label", "suite=a=b", "--keep", "failed", "--max", "1h"],
				...["--", "sh", "-c", 'echo "on $DISPLAY"; echo wrong >&2; exit 7', "--help"],
			],
			{ GITHUB_ACTIONS: "true", GITHUB_RUN_NUMBER: "12", GITHUB_REF_NAME: "main", GITHUB_SHA: "c0ffee" },
		);
		expect(answer.status, answer.text).toBe(7);
		expect(answer.text).toContain(`on ${scene.display.id}\n`);
		expect(answer.text).toContain("wrong\n");
		const job = jobNamed("checkout");
		expect(answer.text).toContain(`${scene.dashboard.url}/jobs/${job.order.id}`);
		expect(job).toMatchObject({ status: "completed", uploadComplete: true });
		expect(resultOf(job)).toMatchObject({ message: "The command ended with status 7.", outcome: "failed" });
		expect(scene.dashboard.autoJobs[0]).toMatchObject({
			labels: { suite: "a=b", build: "12", branch: "main", commit: "c0ffee" },
			keep: "failed",
			maxDurationSeconds: 3_600,
		});
		expect(scene.runner.process.exitCode).toBeNull();
	});

	test("the recording begins before the command does, and ends after it", async () => {
		const begun = performance.now();
		const answer = await tapedeck(["run", ...flags(), "--", "sleep", "2"]);
		const took = (performance.now() - begun) / 1_000;
		expect(answer.status, answer.text).toBe(0);
		const job = jobNamed("sleep 2");
		expect(resultOf(job)).toMatchObject({ outcome: "passed" });
		const { durationSeconds } = await probe(await scene.dashboard.video(job));
		expect(durationSeconds).toBeGreaterThan(2);
		expect(durationSeconds).toBeLessThan(took);
	});

	test("a command that is not found, or that a signal ends, has a shell's status and the outcome error", async () => {
		const missing = await tapedeck(["run", ...flags(), "--", "no-such-command", "--flag"]);
		expect(missing).toMatchObject({
			status: 127,
			text: expect.stringContaining("no-such-command: command not found."),
		});
		expect(resultOf(jobNamed("no-such-command --flag"))).toMatchObject({ outcome: "error" });
		const killed = await tapedeck(["run", ...flags(), "--name", "killed", "--", "sh", "-c", "kill -KILL $$"]);
		expect(killed.status, killed.text).toBe(137);
		expect(resultOf(jobNamed("killed"))).toMatchObject({ outcome: "error", message: /SIGKILL/ });
	});

	test("signals are the command's, which may outlive them; the recording goes on until it ends", async () => {
		const script =
			'trap "echo got TERM; sleep 1; exit 5" TERM; trap "echo got INT" INT; echo ready; while :; do sleep 0.1; done';
		const run = startCommand(["run", ...flags(), "--name", "stubborn", "--", "sh", "-c", script]);
		await run.says("ready");
		run.process.kill("SIGINT");
		await run.says("got INT");
		// The dashboard hears a moment after this machine that the recording has begun.
		await until(() => jobNamed("stubborn").status === "recording", "the recording goes on");
		run.process.kill("SIGTERM");
		expect(await run.exited, run.output()).toBe(5);
		expect(run.output()).toContain("got TERM");
		expect(jobNamed("stubborn").status).toBe("completed");
	});

	inExplore(test)("a gigabyte of output passes through whole", async () => {
		const words = ["run", ...flags(), "--", "head", "-c", "1000000000", "/dev/zero"];
		const shell = spawn("sh", ["-c", '"$0" "$@" | wc -c', TAPEDECK, ...words], { stdio: ["ignore", "pipe", "ignore"] });
		let counted = "";
		shell.stdout?.on("data", (chunk: Buffer) => {
			counted += chunk.toString();
		});
		await once(shell, "close");
		expect(counted.trim()).toBe("1000000000");
	});

	test("tests of a JUnit report become results, links in a copy of it, and lines of a step's summary", async () => {
		const report = join(scene.folder, "report.xml");
		const summary = join(scene.folder, "summary.md");
		await writeFile(join(scene.folder, "old.xml"), "<testsuite/>");
		await utimes(join(scene.folder, "old.xml"), 1, 1);
		const script = `sleep 1.5; cat > ${report} <<END
<testsuite timestamp="$(date -u +%Y-%m-%dT%H:%M:%SZ)"><testcase name="pays | all" time="0.1"><failure/></testcase>
<testcase name="long ago" timestamp="2001-01-01T00:00:00Z"/><testcase name="adds"/></testsuite>
END
			echo '<!DOCTYPE a [<!ENTITY e "x">]><testsuite><testcase name="&e;"/></testsuite>' > ${scene.folder}/bomb.xml; exit 1`;
		const answer = await tapedeck(
			[
				...["run", ...flags(), "--name", "tests", "--junit", join(scene.folder, "*.xml"), "--junit-links"],
				...["--", "sh", "-c", script],
			],
			{ GITHUB_STEP_SUMMARY: summary },
		);
		expect(answer.status, answer.text).toBe(1);
		expect(answer.text).toMatch(/Not read: \S*bomb\.xml: .*entity/);
		expect(answer.text).toContain("1 test has no time within the recording");
		const job = jobNamed("tests");
		const markers = resultOf(job)?.markers;
		expect(markers).toMatchObject([{ label: "pays | all", kind: "fail" }]);
		const tests = job.reports.flatMap((report) => (report.type === "command_tests" ? report.tests : []));
		expect(tests.map(({ key, outcome }) => [key, outcome])).toEqual([
			["pays | all#1", "failed"],
			["long ago#1", "passed"],
			["adds#1", "passed"],
		]);
		const [failed, outside] = tests;
		expect([failed?.durationSeconds, outside?.offsetSeconds]).toEqual([0.1, null]);
		expect((failed?.offsetSeconds ?? 0) + 0.1).toBeCloseTo(markers?.[0]?.offsetSeconds ?? 0, 2);
		expect(markers?.[0]?.offsetSeconds).toBeGreaterThan(0.5);
		const url = `${scene.dashboard.url}/jobs/${job.order.id}`;
		const link = `${url}?result=${FIRST_RESULT_ID}`;
		expect(answer.text).toContain(`tapedeck:   pays | all: ${link}\n`);
		const copy = await readFile(join(scene.folder, "report.tapedeck.xml"), "utf8");
		expect(copy).toContain(`<properties><property name="tapedeck.url" value="${link}"/></properties><failure/>`);
		const text = await readFile(summary, "utf8");
		expect(text).toContain(`| [tests](${url}) | failed |`);
		expect(text).toContain(`- [pays \\| all](${link})`);
	});

	test("a command line that is wrong is refused before anything runs", async () => {
		for (const words of variants(WRONG, (words) => words.includes("soon") || words.includes(":1"))) {
			const { status, text } = await tapedeck([...words]);
			expect(status, `${words.join(" ")}: ${text}`).toBe(2);
		}
		expect(scene.dashboard.autoJobs).toEqual([]);
	});
});

describe("on a machine without a runner", () => {
	test("it starts a display and a runner, records, and leaves neither behind", async () => {
		const words = ["run", "--new-display", "640x480", "--data-dir", scene.dataDir];
		const answer = await tapedeck([...words, "--", "sh", "-c", 'echo "display $DISPLAY"; exit 3'], credentials());
		expect(answer.status, answer.text).toBe(3);
		const [job] = scene.dashboard.jobs.values();
		expect(job).toMatchObject({ status: "completed", uploadComplete: true });
		expect(answer.text).toContain(`display ${job?.order.displayId}\n`);
		const video = await probe(await scene.dashboard.video(job as FakeJob));
		expect(video).toMatchObject({ width: 640, height: 480 });
		await until(async () => (await spooled(scene.dataDir)).length === 0, "the spool is empty");
	});

	inExplore(test)(
		"the display that it starts is for its user alone: without a cookie for them, and with none for another user",
		async () => {
			if (process.getuid?.() !== 0) throw new Error("Run this test as root: it is another user as well.");
			const temporary = await mkdtemp(join(scene.folder, "tmp-"));
			const grab = 'ffmpeg -v error -f x11grab -i "$DISPLAY" -frames:v 1 -f null -';
			const nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups";
			const script = `echo "cookie $XAUTHORITY."; ${grab} && echo own; ${nobody} ${grab} && echo another; exit 0`;
			const words = ["run", "--new-display", "640x480", "--data-dir", scene.dataDir, "--", "sh", "-c", script];
			const answer = await tapedeck(words, { ...credentials(), TMPDIR: temporary });
			expect(answer.text).toMatch(/^cookie \.$/m);
			expect(answer.text).toMatch(/^own$/m);
			expect(answer.text).not.toMatch(/^another$/m);
			expect(answer.text).toContain("Cannot open display");
			expect(await readdir(temporary)).toEqual([]);
		},
	);

	test("a dashboard that cannot be reached fails nothing: one warning, and the recording waits", async () => {
		await scene.dashboard.goDown();
		const words = ["run", ...flags(), "--", "sh", "-c", "echo tested"];
		const answer = await tapedeck(words, credentials());
		expect(answer.status, answer.text).toBe(0);
		expect(answer.text.match(/^tapedeck: .*/gm)).toEqual([
			expect.stringMatching(/not uploaded yet: .* uploaded when the dashboard can be reached/),
		]);
		expect(await spooled(scene.dataDir)).toHaveLength(1);
		// The next one brings it along, with its outcome.
		await scene.dashboard.listen();
		const next = await tapedeck(["run", ...flags(), "--name", "next", "--", "true"], credentials());
		expect(next.status, next.text).toBe(0);
		await until(
			() => scene.dashboard.autoJobs.length === 2,
			() => `both are delivered; the second command said:\n${next.text}`,
		);
	});

	inExplore(test)("two at once share the runner, and the first to end does not end the other's recording", async () => {
		const long = startCommand(
			["run", ...flags(), "--name", "long", "--", "sh", "-c", "echo began; sleep 6"],
			credentials(),
		);
		await long.says("began");
		// The other way round as well: whoever started the runner leaves first.
		const short = await tapedeck(["run", ...flags(), "--name", "short", "--", "true"], credentials());
		expect(short.status, short.text).toBe(0);
		expect(await long.exited, long.output()).toBe(0);
		expect([jobNamed("short").status, jobNamed("long").status]).toEqual(["completed", "completed"]);
	});

	inExplore(test)("a refused token, or none, is one warning", async () => {
		const refused = await tapedeck(["run", ...flags(), "--", "sh", "-c", "exit 4"], {
			...credentials(),
			TAPEDECK_TOKEN: "revoked-token",
		});
		expect(refused.status, refused.text).toBe(4);
		expect(refused.text.match(/^tapedeck: .*/gm)).toHaveLength(1);
		const none = await tapedeck(["run", ...flags(), "--", "sh", "-c", "echo ran; exit 6"]);
		expect(none.status).toBe(6);
		expect(none.text).toBe(
			"tapedeck: No runner is running on this machine, and TAPEDECK_URL and TAPEDECK_TOKEN are not set for one. The command runs without a recording.\nran\n",
		);
	});
});
