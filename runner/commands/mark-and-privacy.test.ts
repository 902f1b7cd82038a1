/** `tapedeck mark` and `tapedeck privacy` in a command that `tapedeck run` records: they need no API key. */
import { describe, expect, test } from "vitest";
import { TAPEDECK, tapedeck } from "../../test/processes/tapedeck-command.ts";
import type { FakeJob } from "../../test/runners/fake-job.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();

const flags = () => ["--display", scene.display.id, "--data-dir", scene.dataDir];
/** Environment of `tapedeck run` on a machine without a runner. */
const credentials = () => ({ TAPEDECK_URL: scene.dashboard.url, TAPEDECK_TOKEN: scene.dashboard.token });
const onlyJob = (): FakeJob => {
	const [job] = scene.dashboard.jobs.values();
	if (job === undefined) throw new Error("There is no job.");
	return job;
};
const resultOf = (job: FakeJob) => job.reports.find((report) => report.type === "command_ended");
const markersOf = (job: FakeJob) =>
	job.reports.flatMap((report) => (report.type === "command_marker" ? [report.marker] : []));

describe("tapedeck mark in the command", () => {
	const script = `"${TAPEDECK}" mark "Pay is clicked" && "${TAPEDECK}" mark --kind fail pays`;

	test("needs no API key: its runner adds the marker, now or at another time", async () => {
		await scene.start();
		const answer = await tapedeck(["run", ...flags(), "--", "sh", "-c", script]);
		expect(answer.status, answer.text).toBe(0);
		expect(answer.text).toMatch(/^Marked "Pay is clicked" at \d:\d\d/m);
		expect(markersOf(onlyJob())).toEqual([
			{ label: "Pay is clicked", kind: "note", message: null },
			{ label: "pays", kind: "fail", message: null },
		]);
		expect(resultOf(onlyJob())).toMatchObject({ outcome: "passed" });
	});

	test("needs no dashboard either: the markers come with the recording", async () => {
		await scene.dashboard.goDown();
		const answer = await tapedeck(["run", ...flags(), "--", "sh", "-c", script], credentials());
		expect(answer.status, answer.text).toBe(0);
		await scene.dashboard.listen();
		// The command's runner may still be there, and wait before it tries again.
		let text = "";
		await until(
			async () => {
				text = (await tapedeck(["spool", "send", "--data-dir", scene.dataDir], credentials())).text;
				return scene.dashboard.jobs.size > 0 && markersOf(onlyJob()).length === 2;
			},
			() => `the markers are there: ${text}`,
		);
	});

	test("refuses what the API would refuse, with a sentence", async () => {
		await scene.start();
		const words = [
			`"${TAPEDECK}" mark ""`,
			`"${TAPEDECK}" mark x --kind bad`,
			`"${TAPEDECK}" mark x --at 2999-01-01T00:00:00Z`,
		];
		for (const word of words) {
			const answer = await tapedeck(["run", ...flags(), "--", "sh", "-c", word]);
			expect([answer.status, word], answer.text).toEqual([2, word]);
		}
	});
});

describe("tapedeck privacy in the command", () => {
	const privacyOf = (job: FakeJob) => job.reports.flatMap((report) => (report.type === "privacy" ? [report.on] : []));

	test("needs no API key: it returns once its runner records black, and again once it records the display", async () => {
		await scene.start();
		const script = `"${TAPEDECK}" privacy on && "${TAPEDECK}" privacy on --json && "${TAPEDECK}" privacy off`;
		const answer = await tapedeck(["run", ...flags(), "--", "sh", "-c", script]);
		expect(answer.status, answer.text).toBe(0);
		expect(answer.text).toMatch(/^(Job \d+|The recording) is private: its video is black from now on\.$/m);
		expect(answer.text).toMatch(/^(Job \d+|The recording) shows the display again\.$/m);
		expect(answer.text).toContain('"on":true');
		expect(privacyOf(onlyJob())).toEqual([true, false]);
	});

	test("refuses what is neither on nor off, with a sentence", async () => {
		await scene.start();
		const answer = await tapedeck(["run", ...flags(), "--", "sh", "-c", `"${TAPEDECK}" privacy maybe`]);
		expect(answer.status, answer.text).toBe(2);
		expect(answer.text).toContain("Say on or off, such as: tapedeck privacy on --job 12");
	});
});
