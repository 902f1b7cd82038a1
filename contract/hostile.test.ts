/** Fuzzing of the contract's schemas: any input is validated in reasonable time, and every refusal can be reported. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { faultsOf } from "./faults.ts";
import { type CreateJob, createJobBodySchema } from "./job.ts";
import { MAX_DURATION_SECONDS, MAX_FIRST_SESSION_TIMEOUT_SECONDS, STOP_CONDITIONS } from "./stop-condition.ts";

const FIELDS = [
	...["runnerId", "type", "displayId", "name", "stopCondition", "stopConditionConfig", "durationSeconds", "gridUrl"],
	...["gridUsername", "gridPassword", "firstSessionTimeoutSeconds", "__proto__", "constructor", "toString", "toJSON"],
];
const leaf = fc.oneof(
	fc.constantFrom<unknown>(null, true, 0, -1, 2 ** 53, 1e308, "", ":99", "recording", "\u0000", "\ud800", "http://a"),
	fc.constantFrom<unknown>(...STOP_CONDITIONS),
	fc.double(),
	fc.string({ unit: "binary", maxLength: 40 }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 4 },
		leaf,
		fc.array(tie("json"), { maxLength: 4 }),
		fc.dictionary(fc.constantFrom(...FIELDS), tie("json"), { maxKeys: 6 }),
	),
}));
/** A value as parsed from a request body, where `__proto__` is an ordinary field. */
const anything = json.map((value): unknown => JSON.parse(JSON.stringify(value)));

const name = fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== "");
const credential = fc.string({ minLength: 1, maxLength: 60 });
const seconds = (min: number, max: number) => fc.integer({ min, max });
const optional = { requiredKeys: [] };
const rule = fc.oneof(
	fc.record({
		stopCondition: fc.constant("duration"),
		stopConditionConfig: fc.record({ durationSeconds: seconds(1, MAX_DURATION_SECONDS) }),
	}),
	fc.record(
		{ stopCondition: fc.constant("interrupt"), stopConditionConfig: fc.constant({}) },
		{ requiredKeys: ["stopCondition"] },
	),
	fc.record({
		stopCondition: fc.constant("selenium_idle"),
		stopConditionConfig: fc
			.tuple(
				fc.webUrl({ validSchemes: ["http", "https"] }),
				fc.option(fc.record({ gridUsername: credential.filter((text) => !text.includes(":")) }), { nil: {} }),
				fc.record({ gridPassword: credential }, optional),
				fc.record({ firstSessionTimeoutSeconds: seconds(0, MAX_FIRST_SESSION_TIMEOUT_SECONDS) }, optional),
			)
			.map(([gridUrl, user, password, timeout]) => ({
				gridUrl,
				...user,
				...("gridUsername" in user ? password : {}),
				...timeout,
			})),
	}),
);
const job = fc
	.tuple(
		fc.record({ runnerId: fc.integer({ min: 1 }), displayId: fc.nat(99_999).map((number) => `:${number}`) }),
		fc.record({ name, type: fc.constant("recording") }, optional),
		rule,
	)
	.map(([needed, more, rule]) => ({ ...needed, ...more, ...rule }) as Record<string, unknown>);

/** A refusal has at least one fault, and every fault says what to send. */
function isAccepted(body: unknown): boolean {
	const result = createJobBodySchema.safeParse(body);
	if (result.success) return true;
	const faults = faultsOf(result.error.issues, body);
	expect(faults.length).toBeGreaterThan(0);
	// One assertion for all of them, because there can be a hundred thousand.
	expect(
		faults.find(({ message }) => !/^(Send|Use|Leave|Required|Unknown field\. Remove )/.test(message)),
	).toBeUndefined();
	return false;
}

test("a valid job is accepted, and the parsed result is accepted again unchanged", () => {
	fc.assert(
		fc.property(job, (body) => {
			const accepted = createJobBodySchema.parse(body) as CreateJob;
			const sent = JSON.parse(JSON.stringify(accepted));
			expect(createJobBodySchema.parse(sent)).toEqual(accepted);
			expect(accepted.stopCondition).toBe(body.stopCondition);
			expect(accepted.stopConditionConfig).toEqual(
				typeof body.stopConditionConfig === "object" ? trimmed(body.stopConditionConfig) : {},
			);
		}),
		{ numRuns: 1_000 },
	);
});
const trimmed = (config: object | null) =>
	Object.fromEntries(
		Object.entries(config ?? {}).map(([key, value]) => [key, key === "gridUrl" ? value.trim() : value]),
	);

test("a job with anything in one of its places is accepted or refused with faults, never with an exception", () => {
	let accepted = 0;
	fc.assert(
		fc.property(job, fc.constantFrom(...FIELDS), anything, fc.boolean(), (body, field, value, inConfig) => {
			const config = body.stopConditionConfig;
			const changed = inConfig
				? { ...body, stopConditionConfig: { ...(typeof config === "object" ? config : {}), [field]: value } }
				: { ...body, [field]: value };
			if (isAccepted(changed)) accepted += 1;
			isAccepted(value);
		}),
		{ numRuns: 3_000 },
	);
	expect(accepted).toBeGreaterThan(0);
});

test("every schema of the contract validates anything without an exception", async () => {
	const schemas: z.ZodType[] = [];
	for (const file of await readdir(import.meta.dirname)) {
		if (!file.endsWith(".ts") || file.includes(".test.")) continue;
		for (const value of Object.values(await import(join(import.meta.dirname, file))))
			if (value instanceof z.ZodType) schemas.push(value);
	}
	expect(schemas.length).toBeGreaterThan(40);
	fc.assert(
		fc.property(anything, (value) => {
			for (const schema of schemas) {
				const result = schema.safeParse(value);
				if (!result.success) expect(faultsOf(result.error.issues, value).length).toBeGreaterThan(0);
			}
		}),
		{ numRuns: 300 },
	);
});

const long = "a".repeat(1 << 20);
const nested = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
test.each([
	...["name", "displayId", "type", "stopCondition"].map((field) => [
		`a ${field} of a million letters`,
		{ [field]: long },
	]),
	["a name of a million blanks", { name: " ".repeat(1 << 20) }],
	["lists a hundred thousand deep", { stopConditionConfig: nested }],
	["a hundred thousand unknown fields", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, at]))],
	...[
		`http://${long}`,
		`http://a/${long}`,
		`http://${"a.".repeat(1 << 19)}`,
		"/".repeat(1 << 20),
		`http://a${"/".repeat(1 << 20)}x`,
	].map((gridUrl) => [
		`a gridUrl like ${gridUrl.slice(0, 12)}…`,
		{ stopCondition: "selenium_idle", stopConditionConfig: { gridUrl } },
	]),
] as [string, object][])("%s: refused within 2 s", (_words, part) => {
	// The process's own time: other processes must not count.
	const before = process.cpuUsage();
	expect(isAccepted({ runnerId: 1, displayId: ":99", stopCondition: "interrupt", ...part })).toBe(false);
	const { user, system } = process.cpuUsage(before);
	expect((user + system) / 1_000).toBeLessThan(2_000);
});
