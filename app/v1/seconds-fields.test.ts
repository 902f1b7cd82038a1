/** Positions and lengths of videos are taken as programs compute them: 0.30000000000000004, 1e-7, 12.345678901234. */
import { readFile } from "node:fs/promises";
import { createJobUnionSchema, documentedJobBodySchema } from "@tapedeck/contract/job.ts";
import { commandTestSchema, testMarkerSchema } from "@tapedeck/contract/runner-protocol.ts";
import { createScheduleBodySchema } from "@tapedeck/contract/schedule.ts";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import { loadRoutes } from "#lib/http/route-table.ts";
import { APP_DIR } from "#lib/server/start-server.ts";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

afterAll(removeTestFolder);

interface Field {
	path: string;
	schema: z.core.$ZodType;
	isText: boolean;
}
type Def = z.core.$ZodTypeDef & {
	shape?: Record<string, z.core.$ZodType>;
	element?: z.core.$ZodType;
	options?: z.core.$ZodType[];
	innerType?: z.core.$ZodType;
	in?: z.core.$ZodType;
	out?: z.core.$ZodType;
};

/** The named fields of a schema. */
function fieldsOf(schema: z.core.$ZodType, path: string, isText: boolean): Field[] {
	const { shape = {}, options = [], element, innerType, in: before, out: after } = schema._zod.def as Def;
	const inner = [...options, element, innerType, before, after].flatMap((each) => each ?? []);
	return [
		...Object.entries(shape).flatMap(([name, field]) => [
			{ path: `${path}.${name}`, schema: field, isText },
			...fieldsOf(field, `${path}.${name}`, isText),
		]),
		...inner.flatMap((each) => fieldsOf(each, path, isText)),
	];
}

const MOMENTS = ["at", "from", "to", "offset"];
/** Seconds by their name, or positions in a video, which are numbers. */
const isSeconds = ({ path, ...field }: Field): boolean => {
	const name = path.split(".").at(-1) ?? "";
	return name.endsWith("Seconds") || (MOMENTS.includes(name) && read({ path, ...field }, 12).success);
};

const read = ({ schema, isText }: Field, seconds: number) => z.safeParse(schema, isText ? String(seconds) : seconds);

/** Schemas of bodies that are validated in code, or within others. */
const BEHIND = {
	"POST /v1/jobs body": [createJobUnionSchema, documentedJobBodySchema],
	"POST /v1/schedules body": [createScheduleBodySchema],
	"POST /v1/runner/reports body.jobs.markers": [testMarkerSchema],
	"POST /v1/runner/reports body.jobs.tests": [commandTestSchema],
};
const routes = await loadRoutes(APP_DIR);
const fields = [
	...routes.flatMap(({ method, path, definition }) =>
		(["query", "body"] as const).flatMap((part) => {
			const schema = definition[part];
			return schema === undefined ? [] : fieldsOf(schema, `${method} ${path} ${part}`, part === "query");
		}),
	),
	...Object.entries(BEHIND).flatMap(([path, schemas]) => schemas.flatMap((schema) => fieldsOf(schema, path, false))),
].filter(isSeconds);

test("the walk finds moments of videos, lengths and settings", () => {
	const names = new Set(fields.map(({ path }) => path));
	for (const path of [
		"GET /v1/recordings/:recordingId/frame query.at",
		"GET /v1/recordings/:recordingId/clip query.from",
		"GET /v1/recordings/:recordingId/first-difference query.offset",
		"GET /v1/recordings/:recordingId/url query.expiresInSeconds",
		"POST /v1/recordings/:recordingId/markers body.offsetSeconds",
		"POST /v1/recordings/:recordingId/links body.to",
		"POST /v1/jobs body.stopConditionConfig.durationSeconds",
		"POST /v1/jobs body.preSeconds",
		"POST /v1/schedules body.everySeconds",
		"POST /v1/runner/reports body.jobs.tests.offsetSeconds",
	])
		expect(names, [...names].join("\n")).toContain(path);
});

/** Settings, which are whole seconds in the contract. */
const WHOLE = [
	...["durationSeconds", "everySeconds", "expiresInSeconds", "firstSessionTimeoutSeconds", "graceSeconds"],
	...["maxDurationSeconds", "maxSeconds", "preSeconds", "timeoutSeconds"],
];
/** A number of bytes. */
const NO_SECONDS = /\/tracks\/:name query\.from$/;
/** The routes between a dashboard and its runners, whose seconds are settings, too. */
const OF_RUNNERS = /^POST \/v1\/runner\/(?:sign-in|sync|jobs) /;

test("a field of seconds takes every number, and a setting says that it takes whole ones", () => {
	const between = fc.oneof(
		fc.constantFrom(0.1 + 0.2, 1e-7, 12.345678901234, 1.1 * 60, 1_000 / 3),
		fc.double({ min: 0, max: 3_600, noNaN: true }),
	);
	const whole = new Set<string>();
	for (const field of fields.filter(
		({ path }) => !(path.startsWith("POST") && NO_SECONDS.test(path)) && !OF_RUNNERS.test(path),
	)) {
		const name = field.path.split(".").at(-1) ?? "";
		if (WHOLE.includes(name) && !field.path.includes("body.jobs.tests")) {
			whole.add(name);
			expect(read(field, 60.5).error?.issues[0]?.message, field.path).toMatch(/whole number|expected int/);
			continue;
		}
		fc.assert(
			fc.property(between, (seconds) => {
				const { success, data } = read(field, seconds);
				expect(success, `${field.path} with ${seconds}`).toBe(true);
				expect(data, `${field.path} with ${seconds}`).toBe(seconds);
			}),
		);
	}
	expect([...whole].sort()).toEqual(WHOLE);
});

const SECONDS = [0.1 + 0.2, 1e-7, 2.345678901234];
const inMs = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

onEachDatabase((api) => {
	test("seconds are stored to the millisecond", async () => {
		const headers = { "content-type": "video/mp4" };
		const video = await readFile(await makeVideo("recorder.mp4", 4));
		const { body: recording } = await api().call("POST", "/v1/recordings?name=x", { raw: video, headers });
		const path = `/v1/recordings/${recording.id}`;
		for (const seconds of SECONDS) {
			const marker = await api().call("POST", `${path}/markers`, { body: { label: "x", offsetSeconds: seconds } });
			expect([marker.status, marker.body.offsetSeconds]).toEqual([201, inMs(seconds)]);
			const link = await api().call("POST", `${path}/links`, { body: { expiresAt: null, at: seconds } });
			expect([link.status, inMs(link.body.at)]).toEqual([201, inMs(seconds)]);
			const stretch = { expiresAt: null, from: seconds, to: seconds + 0.1 + 0.2 };
			const loop = await api().call("POST", `${path}/links`, { body: stretch });
			expect([loop.status, inMs(loop.body.to)]).toEqual([201, inMs(stretch.to)]);
			expect((await api().call("GET", `${path}/frame?at=${seconds}`)).status).toBe(200);
		}

		const runner = await scriptRunner(
			{ url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) },
			"runner of seconds",
		);
		const jobId = await runner.record("seconds");
		const tests = SECONDS.map((seconds, index) => ({
			...{ key: `${index}`, test: `test ${index}`, attempt: 1, outcome: "failed" as const },
			...{ offsetSeconds: seconds, durationSeconds: seconds },
			steps: [{ title: "step", offsetSeconds: seconds, durationSeconds: seconds }],
		}));
		await runner.report(jobId, { type: "command_tests", message: "3 test results.", tests });
		const markers = SECONDS.map((offsetSeconds) => ({ label: "x", kind: "note" as const, offsetSeconds }));
		await runner.report(jobId, { type: "command_ended", message: "Ended.", outcome: "failed", markers });
		const { data } = (await api().call("GET", `/v1/tests?jobId=${jobId}`)).body;
		for (const [index, seconds] of SECONDS.entries()) {
			const result = data.find(({ key }: { key: string }) => key === `${index}`);
			const times = { offsetSeconds: inMs(seconds), durationSeconds: inMs(seconds) };
			expect(result).toMatchObject({ ...times, steps: [times] });
		}
		const listed = (await api().call("GET", `/v1/jobs/${jobId}/markers`)).body.data;
		expect(listed.map(({ offsetSeconds }: { offsetSeconds: number }) => offsetSeconds).sort()).toEqual(
			SECONDS.map(inMs).sort(),
		);
		await runner.stop();
	});
});
