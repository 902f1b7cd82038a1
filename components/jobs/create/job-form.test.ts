import type { CreateJob, CreateSelectedJob, Job } from "@tapedeck/contract/job.ts";
import { STOP_CONDITIONS } from "@tapedeck/contract/stop-condition.ts";
import { expect, test } from "vitest";
import {
	ANY_RUNNER,
	bodyOf,
	EMPTY_JOB_FORM,
	type JobFormValues,
	jobFormFault,
	parseJobForm,
	requestOf,
	valuesOfJob,
} from "./job-form.ts";

const filled: JobFormValues = {
	type: "recording",
	path: "",
	name: "  Nightly ",
	runnerId: "3",
	displayId: " :99 ",
	runnerLabels: "",
	labels: "build=123\n branch = feature/a=b \n\n",
	keep: "failed",
	maxDurationSeconds: "3600",
	preSeconds: "",
	everySeconds: "",
	video: EMPTY_JOB_FORM.video,
	stopCondition: "duration",
	config: {
		duration: { durationSeconds: "30" },
		interrupt: {},
		selenium_idle: {
			gridUrl: "http://grid:4444",
			gridUsername: "ada",
			gridPassword: " spaced ",
			gridNode: "",
			firstSessionTimeoutSeconds: "60",
		},
		selenium_session: { ...EMPTY_JOB_FORM.config.selenium_session, gridUrl: "http://grid:4444" },
	},
};
type Grid = JobFormValues["config"]["selenium_idle"];
const withGrid = (fields: Partial<Grid>): JobFormValues => ({
	...filled,
	stopCondition: "selenium_idle",
	config: { ...filled.config, selenium_idle: { ...filled.config.selenium_idle, ...fields } },
});
const withDuration = (durationSeconds: string): JobFormValues => ({
	...filled,
	config: { ...filled.config, duration: { durationSeconds } },
});

const recordingIn = (values: JobFormValues) => parseJobForm(values).body as CreateJob | CreateSelectedJob | null;

/** Shown messages, by field. */
const shown = (values: JobFormValues) =>
	Object.fromEntries((parseJobForm(values).faults ?? []).map(({ field, message }) => [field, message]));

test("only the chosen stop condition's configuration is sent, whatever was typed for the others", () => {
	expect(parseJobForm(filled).body).toEqual({
		type: "recording",
		name: "Nightly",
		runnerId: 3,
		displayId: ":99",
		labels: { build: "123", branch: "feature/a=b" },
		keep: "failed",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 30 },
	});
	expect(recordingIn({ ...filled, stopCondition: "interrupt" })?.stopConditionConfig).toEqual({});
	expect(recordingIn({ ...filled, stopCondition: "selenium_idle" })?.stopConditionConfig).toEqual({
		gridUrl: "http://grid:4444",
		gridUsername: "ada",
		gridPassword: " spaced ",
		firstSessionTimeoutSeconds: 60,
	});
});

test("a screenshot has a place, a part of the display and how it is kept, and nothing of a recording", () => {
	const video = { ...filled.video, preset: "sharp", region: "800x600+10+20" };
	const values: JobFormValues = { ...filled, type: "screenshot", preSeconds: "5", video };
	expect(parseJobForm(values)).toMatchObject({ everySeconds: null, faults: null });
	expect(parseJobForm(values).body).toEqual({
		...{ type: "screenshot", name: "Nightly", runnerId: 3, displayId: ":99", keep: "failed" },
		labels: { build: "123", branch: "feature/a=b" },
		video: { region: { width: 800, height: 600, x: 10, y: 20 } },
	});
	expect(requestOf({ ...values, everySeconds: "60" })).toMatchObject({ body: { job: { type: "screenshot" } } });
	expect(shown({ ...values, runnerId: ANY_RUNNER, displayId: "" })).toEqual(NOTHING_CHOSEN);
	expect(shown({ ...values, video: { ...video, window: "Shop" } })).toEqual({ "video.window": expect.any(String) });
	const file: JobFormValues = { ...values, type: "file_upload", path: " reports/run.pdf " };
	expect(parseJobForm(file).body).toEqual({
		...{ type: "file_upload", name: "Nightly", runnerId: 3, keep: "failed", path: "reports/run.pdf" },
		labels: { build: "123", branch: "feature/a=b" },
	});
	expect(shown({ ...file, path: " " })).toEqual({ path: "Enter the file's path on the runner." });
	expect(shown({ ...values, video: { ...video, region: "all" } })).toEqual({ "video.region": expect.any(String) });
});

test("a cap is sent with every stop condition but a duration, which is an end by itself", () => {
	for (const stopCondition of STOP_CONDITIONS) {
		const { maxDurationSeconds } = recordingIn({ ...filled, stopCondition }) ?? {};
		expect(maxDurationSeconds).toBe(stopCondition === "duration" ? undefined : 3600);
	}
});

test("a period makes the form a request for a schedule, and its faults are those of the form's fields", () => {
	const values = { ...filled, everySeconds: "60" };
	expect(parseJobForm(values)).toMatchObject({ everySeconds: 60, body: { name: "Nightly" } });
	expect(requestOf(values)).toMatchObject({ path: "/v1/schedules", body: { everySeconds: 60, job: { runnerId: 3 } } });
	expect(requestOf(filled)).toMatchObject({ path: "/v1/jobs", body: { runnerId: 3 } });
	expect(parseJobForm(filled)).toMatchObject({ everySeconds: null });
	expect(shown({ ...filled, everySeconds: "9" })).toEqual({ everySeconds: "Enter 10 or more." });
	expect(shown({ ...filled, everySeconds: "often" })).toEqual({
		everySeconds: "Enter a whole number of seconds, e.g. 30.",
	});
	const fault = { path: "job.runnerId", code: "not_found", message: "Runner 3 not found." };
	expect(jobFormFault(fault, values)).toMatchObject({ field: "runnerId", message: expect.stringContaining("removed") });
});

test("empty fields are left out", () => {
	const body = bodyOf({ ...EMPTY_JOB_FORM, stopCondition: "selenium_idle" });
	expect(JSON.parse(JSON.stringify(body))).toEqual({ stopCondition: "selenium_idle", stopConditionConfig: {} });
});

test.each(STOP_CONDITIONS)("a filled-in form of %s is valid", (stopCondition) => {
	expect(parseJobForm({ ...filled, stopCondition }).faults).toBeNull();
});

const NOTHING_CHOSEN = { runnerId: "Choose a runner.", displayId: "Pick a display, or enter its ID, e.g. :99" };
test.each([
	["duration", { "config.duration.durationSeconds": "Enter a whole number of seconds, e.g. 30." }],
	["interrupt", {}],
	["selenium_idle", { "config.selenium_idle.gridUrl": "Enter a full URL, e.g. http://selenium:4444" }],
] as const)("an empty form of %s names every required field in words of the form", (stopCondition, own) => {
	const config = { ...EMPTY_JOB_FORM.config, duration: { durationSeconds: "" } };
	expect(shown({ ...EMPTY_JOB_FORM, stopCondition, config })).toEqual({ ...NOTHING_CHOSEN, ...own });
});

const LONG = "x".repeat(3_000);
test.each<[string, JobFormValues]>([
	["a long name", { ...filled, name: LONG }],
	["a name of several lines", { ...filled, name: "a\nb" }],
	["an invisible name", { ...filled, name: "\u200b" }],
	["a runner that is no number", { ...filled, runnerId: "x" }],
	["a display without a colon", { ...filled, displayId: "99" }],
	["a label without a value", { ...filled, labels: "build" }],
	["a label whose key has capitals", { ...filled, labels: "Build=1" }],
	["a label with a long value", { ...filled, labels: `build=${LONG}` }],
	["too many labels", { ...filled, labels: Array.from({ length: 33 }, (_, at) => `k${at}=v`).join("\n") }],
	["a cap in words", { ...filled, stopCondition: "interrupt", maxDurationSeconds: "soon" }],
	["a cap of more than a week", { ...filled, stopCondition: "interrupt", maxDurationSeconds: "700000" }],
	["a beginning in words", { ...filled, preSeconds: "earlier" }],
	["a beginning in the future", { ...filled, preSeconds: "-1" }],
	["a beginning longer ago than any runner keeps", { ...filled, preSeconds: "3601" }],
	["a duration in words", withDuration("soon")],
	["a fraction of a second", withDuration("1.5")],
	["no duration at all", withDuration("0")],
	["more than a week", withDuration("700000")],
	["a URL with spaces", withGrid({ gridUrl: "http://gr id" })],
	["a relative URL", withGrid({ gridUrl: "grid:4444" })],
	["another protocol", withGrid({ gridUrl: "ftp://grid" })],
	["a URL with credentials", withGrid({ gridUrl: "http://ada:secret@grid" })],
	["a URL with a query", withGrid({ gridUrl: "http://grid?x=1" })],
	["a long URL", withGrid({ gridUrl: `http://${LONG}` })],
	["a username with a colon", withGrid({ gridUsername: "a:b" })],
	["a long username", withGrid({ gridUsername: LONG })],
	["a password without a username", withGrid({ gridUsername: "" })],
	["a long password", withGrid({ gridPassword: LONG })],
	["a password of several lines", withGrid({ gridPassword: "a\nb" })],
	["a wait below zero", withGrid({ firstSessionTimeoutSeconds: "-1" })],
	["a wait of more than a day", withGrid({ firstSessionTimeoutSeconds: "90000" })],
	["a wait in words", withGrid({ firstSessionTimeoutSeconds: "soon" })],
])("%s is refused at its field, in words of the form and not of the API", (_, values) => {
	const { faults } = parseJobForm(values);
	expect(faults).not.toBeNull();
	for (const { field, message } of faults ?? []) {
		expect(field).not.toBeNull();
		expect(message).not.toMatch(/\b(Send|Required|Leave)\b|grid(Url|Username|Password)|RFC/);
	}
});

test.each([
	["http://gr id", "Remove spaces and control characters."],
	["grid:4444", "Enter a full URL, e.g. http://selenium:4444"],
	["ftp://grid", "Enter a URL that starts with http:// or https://"],
	["http://ada:secret@grid", "Remove the credentials from the URL and enter them below."],
	["http://grid?x=1", "Remove everything from ? or # on."],
])("what is wrong with the grid URL %s is said of the URL of the chosen condition, not of another's", (gridUrl, message) => {
	for (const stopCondition of ["selenium_idle", "selenium_session"] as const) {
		for (const other of ["", "http://grid:4444", "ftp://other", "http://other?y=2"]) {
			const values: JobFormValues = structuredClone({ ...filled, stopCondition });
			values.config.selenium_idle.gridUrl = other;
			values.config.selenium_session.gridUrl = other;
			values.config[stopCondition].gridUrl = gridUrl;
			expect(shown(values)).toEqual({ [`config.${stopCondition}.gridUrl`]: message });
		}
	}
});

test("a missing buffer is reported at its field, in words of the form", () => {
	const fault = { path: "preSeconds", code: "no_buffer", message: "box keeps nothing. Set TAPEDECK_BUFFER." };
	expect(jobFormFault(fault, { ...filled, preSeconds: "45" })).toEqual({
		field: "preSeconds",
		code: fault.code,
		message: "This runner has no buffer. Clear this field, or choose a runner that has one.",
	});
});

test("a fault that no field stands for keeps the API's message", () => {
	const fault = { path: "stopConditionConfig.gridUrl", code: "unknown_field", message: "Leave gridUrl out." };
	expect(jobFormFault(fault, filled)).toEqual({ field: null, code: fault.code, message: fault.message });
	expect(jobFormFault({ ...fault, path: "" }, filled).field).toBeNull();
	expect(jobFormFault({ ...fault, path: "constructor" }, filled).field).toBeNull();
	expect(jobFormFault(fault, withGrid({})).field).toBe("config.selenium_idle.gridUrl");
});

test("a form that repeats a job sends what created it, except the password", () => {
	const job = {
		name: "Nightly",
		runnerId: 3,
		displayId: ":99",
		selector: null,
		labels: { build: "123", "team/a": "x=y z" },
		keep: "failed",
		maxDurationSeconds: 3600,
		preSeconds: 45,
		video: { preset: "small", framesPerSecond: 5, cursor: false },
		stopCondition: "selenium_idle",
		stopConditionConfig: { gridUrl: "http://grid:4444", gridUsername: "ada", firstSessionTimeoutSeconds: 60 },
	} as unknown as Job;
	const { selector, ...given } = job;
	expect(parseJobForm(valuesOfJob(job)).body).toEqual({ ...given, type: "recording" });
	const short = { ...job, stopCondition: "duration", stopConditionConfig: { durationSeconds: 90 } } as Job;
	expect(recordingIn(valuesOfJob(short))?.stopConditionConfig).toEqual({ durationSeconds: 90 });
	const interrupt = { ...job, stopCondition: "interrupt", stopConditionConfig: {} } as Job;
	expect(recordingIn(valuesOfJob(interrupt))?.stopConditionConfig).toEqual({});
	expect(EMPTY_JOB_FORM.config.duration.durationSeconds).toBe("30");
});

test("any runner is asked for by labels and display, of which each may be left out; a repeated job asks for the same", () => {
	const any = { ...filled, runnerId: ANY_RUNNER, runnerLabels: "pool=linux\n", displayId: "" };
	const { runnerId, displayId, selector, ...body } = parseJobForm(any).body as CreateSelectedJob & CreateJob;
	expect({ runnerId, displayId, selector }).toEqual({ selector: { labels: { pool: "linux" }, display: "any" } });
	expect(bodyOf({ ...any, runnerLabels: "", displayId: ":7" })).toMatchObject({
		selector: { labels: {}, display: ":7" },
	});
	const job = { ...body, runnerId: 3, displayId: ":99", selector, preSeconds: 0, maxDurationSeconds: null, video: {} };
	expect(parseJobForm(valuesOfJob(job as unknown as Job)).body).toEqual({ ...body, selector });
	expect(shown({ ...any, runnerLabels: "pool" })).toEqual({
		runnerLabels: "Enter each label as key=value, on a line of its own.",
	});
	expect(shown({ ...any, displayId: "99" })).toEqual({ displayId: "Enter a colon and a number, e.g. :99" });
	const fault = { path: "selector.labels", code: "not_found", message: "No runner has pool=linux." };
	expect(jobFormFault(fault, any)).toMatchObject({
		field: "runnerLabels",
		message: expect.stringMatching(/^No runner/),
	});
});

const withVideo = (video: Partial<JobFormValues["video"]>): JobFormValues => ({
	...filled,
	video: { ...filled.video, ...video },
});

test("only chosen video options are sent, and numbers and choices as such", () => {
	expect(recordingIn(filled)?.video).toBeUndefined();
	const video = { preset: "sharp", framesPerSecond: " 30 ", maxWidth: "1280", cursor: "false" };
	expect(recordingIn(withVideo({ region: " 800x600+100+50" }))?.video).toEqual({
		region: { x: 100, y: 50, width: 800, height: 600 },
	});
	expect(recordingIn(withVideo({ window: " 2048 " }))?.video).toEqual({ window: "2048" });
	expect(recordingIn(withVideo(video))?.video).toEqual({
		...{ preset: "sharp", framesPerSecond: 30, maxWidth: 1280, cursor: false },
	});
});

test("a crf beside a preset is sent with it: it counts instead of the preset's", () => {
	expect(recordingIn(withVideo({ preset: "sharp", crf: "30" }))?.video).toEqual({ preset: "sharp", crf: 30 });
});

test("errors of video options are shown at their fields", () => {
	expect(shown(withVideo({ region: "800x600", window: "Shop" }))).toEqual({
		"video.window": "Enter a part of the window's title, and no region.",
	});
	for (const region of ["800", "800x600-1+0", "8x600+0+0"]) {
		expect(shown(withVideo({ region }))).toEqual({
			"video.region": "Enter width, height and position in pixels, e.g. 800x600+100+50.",
		});
	}
	for (const framesPerSecond of ["0", "61", "0.5", "fast"]) {
		expect(shown(withVideo({ framesPerSecond }))).toEqual({
			"video.framesPerSecond": "Enter a whole number from 1 to 60.",
		});
	}
	expect(shown(withVideo({ framesPerSecond: "0.5", maxWidth: "1281", crf: "best" }))).toEqual({
		"video.framesPerSecond": "Enter a whole number from 1 to 60.",
		"video.maxWidth": "Enter an even number of pixels, 16 or more, e.g. 1280.",
		"video.crf": "Enter a whole number from 0 (lossless) to 51.",
	});
});
