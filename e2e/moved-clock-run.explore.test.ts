/** `tapedeck run` on a machine whose clock is wrong: of its runner, its command and all that the command calls. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tapedeck } from "@tapedeck/client-source/index.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { settableClock } from "#test/displays/clock.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
	[api, folder] = await Promise.all([startTestApi(), mkdtemp(join(tmpdir(), "tapedeck-clock-run-"))]);
});
afterAll(async () => {
	await api.stop();
	await rm(folder, { recursive: true });
});

const TAPEDECK = new URL("../bin/tapedeck", import.meta.url).pathname;

/** Writes down the moment of each marker, by the machine's clock. */
const script = (name: string): string => `
cd ${folder}
moment() { date +%s.%N > ${name}-$1; }
sleep 1.5
moment runner
${TAPEDECK} mark "runner" || exit 7
sleep 1.5
moment runner-at
AT=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
${TAPEDECK} mark "runner-at" --at $AT || exit 7
sleep 1.5
moment api-at
AT=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
TAPEDECK_API_KEY=${TEST_API_KEY} ${TAPEDECK} mark "api-at" --at $AT || exit 7
sleep 1.5
moment junit
AT=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
echo "<testsuite timestamp='$AT'><testcase name='junit' timestamp='$AT' time='0.001'><failure/></testcase></testsuite>" > ${name}.xml
# On such a machine, it would have been written at that time.
touch -d $AT ${name}.xml
# The video of a still screen ends up to a third of a second before its recording.
sleep 0.5
`;

test.each([
	["ahead", 30],
	["behind", -30],
])("with a clock that is 30 s %s, every marker, test result and link is at the true moment", async (name, seconds) => {
	const clock = await settableClock(folder);
	await clock.set(seconds);
	const answer = await tapedeck(
		[
			...["run", "--new-display", "320x240", "--data-dir", join(folder, `data-${name}`), "--name", name],
			...["--junit", join(folder, `${name}.xml`), "--junit-links", "--", "sh", "-c", script(name)],
		],
		{
			...{ ...clock.env, TAPEDECK_FFMPEG: await clock.wrap("ffmpeg"), HOME: folder },
			...{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN },
		},
	);
	expect(answer.status, answer.text).toBe(0);
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const job = (await client.jobs.list().toArray()).find((each) => each.name === name);
	const markers = await client.jobs.markers(job?.id ?? 0).toArray();
	expect(markers.map(({ label }) => label)).toEqual(["runner", "runner-at", "api-at", "junit"]);
	for (const { label, at, clampedTo } of markers) {
		const moment = Number(await readFile(join(folder, `${name}-${label}`), "utf8")) * 1_000 - seconds * 1_000;
		// Others are 1.5 s away; "runner" has no time, and its command has to start.
		expect(Date.parse(at ?? "") - moment, label).toBeGreaterThan(-1_000);
		if (label !== "runner") expect(Date.parse(at ?? "") - moment, label).toBeLessThan(1_000);
		expect(clampedTo).toBeNull();
	}
	const junit = markers.find(({ label }) => label === "junit");
	const [result] = await client.tests.list({ jobId: job?.id }).toArray();
	expect(result).toMatchObject({ test: "junit", outcome: "failed" });
	expect(Math.abs((result?.failureOffsetSeconds ?? Number.NaN) - (junit?.offsetSeconds ?? 0))).toBeLessThan(0.1);
	const copy = await readFile(join(folder, `${name}.tapedeck.xml`), "utf8");
	expect(copy).toContain(`?result=${result?.id}"`);
});
