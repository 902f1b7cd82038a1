import { expect, test } from "vitest";
import { faultsOf } from "../contract/faults.ts";
import type { Job } from "../contract/job.ts";
import { createJobBodySchema } from "../contract/job.ts";
import { curlOf } from "./curl.ts";
import {
	bodyOf,
	bodyOfJob,
	EMPTY_JOB_FORM,
	fieldOf,
	type JobFormValues,
	messageOf,
	valuesOfJob,
} from "./job-form-values.ts";

const filled: JobFormValues = {
	name: "  Nightly ",
	runnerId: "3",
	displayId: " :99 ",
	stopCondition: "duration",
	config: {
		duration: { durationSeconds: "30" },
		interrupt: {},
		selenium_idle: {
			gridUrl: "http://grid:4444",
			gridUsername: "ada",
			gridPassword: " spaced ",
			firstSessionTimeoutSeconds: "60",
		},
	},
};

test("only the chosen condition's configuration is sent, whatever was typed for the others", () => {
	expect(bodyOf(filled)).toEqual({
		name: "Nightly",
		runnerId: 3,
		displayId: ":99",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 30 },
	});
	expect(bodyOf({ ...filled, stopCondition: "interrupt" }).stopConditionConfig).toEqual({});
	expect(bodyOf({ ...filled, stopCondition: "selenium_idle" }).stopConditionConfig).toEqual({
		gridUrl: "http://grid:4444",
		gridUsername: "ada",
		gridPassword: " spaced ",
		firstSessionTimeoutSeconds: 60,
	});
});

test("what is left empty is left out", () => {
	expect(bodyOf({ ...EMPTY_JOB_FORM, stopCondition: "selenium_idle" })).toEqual({
		stopCondition: "selenium_idle",
		stopConditionConfig: {},
	});
});

test.each(["duration", "interrupt", "selenium_idle"] as const)("a filled form of %s fits the API's schema", (one) => {
	expect(createJobBodySchema.safeParse(bodyOf({ ...filled, stopCondition: one })).success).toBe(true);
});

test.each([
	"duration",
	"interrupt",
	"selenium_idle",
] as const)("every fault of an empty form of %s has a field and a sentence", (stopCondition) => {
	const values = {
		...EMPTY_JOB_FORM,
		stopCondition,
		config: { ...EMPTY_JOB_FORM.config, duration: { durationSeconds: "" } },
	};
	const body = bodyOf(values);
	const result = createJobBodySchema.safeParse(body);
	const faults = result.success ? [] : faultsOf(result.error.issues, body);
	expect(faults.length).toBeGreaterThanOrEqual(2);
	for (const fault of faults) {
		expect(fieldOf(fault.path, stopCondition)).not.toBeNull();
		expect(messageOf(fault)).not.toMatch(/^Required/);
	}
});

test("text in a field for numbers is refused by the schema, not turned into nothing", () => {
	const body = bodyOf({ ...filled, config: { ...filled.config, duration: { durationSeconds: "soon" } } });
	expect(body.stopConditionConfig).toEqual({ durationSeconds: "soon" });
	expect(createJobBodySchema.safeParse(body).success).toBe(false);
});

test("a fault that no field stands for has none", () => {
	expect(fieldOf("stopConditionConfig.gridUrl", "duration")).toBeNull();
	expect(fieldOf("", "duration")).toBeNull();
});

const job = {
	name: "Nightly",
	runnerId: 3,
	displayId: ":99",
	stopCondition: "selenium_idle",
	stopConditionConfig: { gridUrl: "http://grid:4444", gridUsername: "ada", firstSessionTimeoutSeconds: 60 },
} as Job;

test("a form that repeats a job sends what created it, but the password", () => {
	expect(bodyOf(valuesOfJob(job))).toEqual({
		name: "Nightly",
		runnerId: 3,
		displayId: ":99",
		stopCondition: "selenium_idle",
		stopConditionConfig: job.stopConditionConfig,
	});
	const short = { ...job, stopCondition: "duration", stopConditionConfig: { durationSeconds: 90 } } as Job;
	expect(bodyOf(valuesOfJob(short)).stopConditionConfig).toEqual({ durationSeconds: 90 });
	const endless = { ...job, stopCondition: "interrupt", stopConditionConfig: {} } as Job;
	expect(bodyOf(valuesOfJob(endless)).stopConditionConfig).toEqual({});
});

test("the command that repeats a job has a place for the password that the grid wanted, and for no other", () => {
	expect(curlOf("http://localhost", bodyOfJob(job))).toContain("$GRID_PASSWORD");
	const open = { ...job, stopConditionConfig: { gridUrl: "http://grid:4444" } } as Job;
	expect(curlOf("http://localhost", bodyOfJob(open))).not.toContain("GRID_PASSWORD");
});
