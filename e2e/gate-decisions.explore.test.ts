/**
 * The gate over 1,000 runs of a suite in which every test is flaky, and 200 of which have a regression. The failures are those
 * of real tools, whose causes are known (failures.jsonl). What changes from run to run is different each time.
 */
import { readFileSync } from "node:fs";
import type { Gate } from "@tapedeck/contract/gate.ts";
import { expect, test } from "vitest";
import { type Random, randomFrom } from "#lab/chaos/random.ts";
import { signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

const RUNS = 1_000;
const TESTS = 30;
const FLAKY = 0.03;
const REGRESSIONS = 200;
const MAX_FALSE_RED = 0.01;
const MAX_MS = 2_000;

interface Failure {
	cause: string;
	tool: string;
	test: string;
	file: string | null;
	message: string | null;
	stack: string | null;
}
type Result = { key: string; outcome: string; attempt: number; project: string } & Omit<
	Partial<Failure>,
	"cause" | "tool"
>;

/** Two failures of different bugs that say the same words in different tools are no regression of each other. */
const TOOLS = ["go", "jest", "phpunit", "pw", "pytest", "rspec"];

onOneDatabase((api) => {
	test("the gate lets no regression pass, and keeps less than 1 % of runs with known flakes red, each within 2 s", async () => {
		const random = randomFrom(45);
		const byBug = [...Map.groupBy(corpus(), ({ cause }) => cause).values()];
		const bugs = random.shuffled(byBug.filter(({ length }) => length > 1));
		const flakes = bugs.slice(0, TESTS);
		const unknown = bugs.slice(TESTS);
		expect(unknown.length).toBeGreaterThan(30);

		const owner = await signIn(api());
		const post = async (path: string, body: object) => {
			const answer = await api().call("POST", path, { body });
			expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
			return answer.body;
		};
		const addRun = async (results: Result[]) => {
			const { id } = await post("/v1/test-runs", { name: "Nightly", labels: { branch: "main" } });
			return { id, ...(await post(`/v1/test-runs/${id}/tests`, results as never)) };
		};
		const seen = await addRun(flakes.map((examples, at) => failed(at, examples[0] as Failure)));
		const mutedUntil = new Date(Date.now() + 86_400_000).toISOString();
		for (const cause of new Set(seen.data.map(({ cause }: { cause: string }) => cause))) {
			const body = { cause, letsPass: true, mutedUntil, reason: "TAP-45", assigneeUserId: owner.userId };
			expect((await owner.call("PUT", "/v1/failure-triage", { body })).status).toBe(200);
		}

		const withRegression = new Set(random.shuffled([...Array(RUNS).keys()]).slice(0, REGRESSIONS));
		const [falseRed, letThrough]: [string[], string[]] = [[], []];
		const took: number[] = [];
		let red = 0;
		for (let run = 0; run < RUNS; run += 1) {
			const results = flakes.flatMap((examples, at) =>
				random.chance(FLAKY) ? flake(at, random.pick(examples), random) : [passed(at, examples[0] as Failure)],
			);
			if (withRegression.has(run)) breakTest(results, anew(random.pick(random.pick(unknown)), random), random);
			if (!hasFailed(results)) continue;
			red += 1;
			const { id } = await addRun(results);
			const beganAt = performance.now();
			const gate: Gate = await post(`/v1/test-runs/${id}/gate`, {});
			took.push(performance.now() - beganAt);
			if (gate.passes && withRegression.has(run)) letThrough.push(gate.summary);
			if (!gate.passes && !withRegression.has(run)) falseRed.push(gate.summary);
		}
		took.sort((a, b) => a - b);
		const slowest = took.at(-1) ?? 0;
		console.log(
			`${RUNS} runs, ${red} red without the gate: ${falseRed.length} false red, ${letThrough.length} of ${REGRESSIONS} regressions let through; ` +
				`the gate decided in ${Math.round(took[took.length >> 1] ?? 0)} ms (median), ${Math.round(slowest)} ms (slowest)`,
		);
		expect(letThrough).toEqual([]);
		expect(falseRed.length / RUNS, falseRed.join("\n")).toBeLessThan(MAX_FALSE_RED);
		expect(slowest).toBeLessThan(MAX_MS);
	}, 600_000);
});

const corpus = (): Failure[] =>
	readFileSync(new URL("../lib/test-results/store/cause/failures.jsonl", import.meta.url), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Failure)
		.filter(({ tool }) => TOOLS.includes(tool));

/** @param at distinguishes tests of the same name. */
const passed = (at: number, { test, file }: Failure): Result => ({
	...{ key: `${at} 1`, attempt: 1, project: String(at), test, file },
	outcome: "passed",
});
const failed = (at: number, failure: Failure): Result => ({
	...passed(at, failure),
	...{ outcome: "failed", message: failure.message, stack: failure.stack },
});

/** A failure that stays one, or whose retry passes. */
function flake(at: number, failure: Failure, random: Random): Result[] {
	const first = failed(at, anew(failure, random));
	return random.chance(0.5) ? [first] : [first, { ...first, key: `${at} 2`, attempt: 2, outcome: "passed" }];
}

/** One test fails with a bug that nobody knows: one that passed, one that is known to fail, or the retry of a flake. */
function breakTest(results: Result[], bug: Failure, random: Random): void {
	const kinds = ["passed", "failed"].filter((outcome) => results.some((result) => result.outcome === outcome));
	const kind = random.pick(kinds);
	const result = random.pick(results.filter(({ outcome }) => outcome === kind));
	const says = random.chance(0.1) ? { message: null, stack: null } : { message: bug.message, stack: bug.stack };
	// A retry that passes would make it a flake.
	for (const one of results) {
		if (one.project === result.project && one.attempt >= result.attempt)
			Object.assign(one, { outcome: "failed", ...says });
	}
}

const hasFailed = (results: readonly Result[]): boolean =>
	results.some(
		({ project, outcome, attempt }) =>
			outcome === "failed" &&
			!results.some((later) => later.project === project && later.attempt > attempt && later.outcome === "passed"),
	);

/** The same failure in another run: on another day, with other ids, ports, durations and addresses in memory. */
function anew(failure: Failure, random: Random): Failure {
	const digits = (count: number, alphabet = "0123456789") =>
		Array.from({ length: count }, () => random.pick([...alphabet])).join("");
	const changed = (text: string | null) =>
		text
			?.replace(/0x[\da-f]{6,}/g, (address) => `0x${digits(address.length - 2, "123456789abcdef")}`)
			.replace(/(?<=localhost:|127\.0\.0\.1:)\d{5}\b/g, () => String(random.whole(40_000, 59_999)))
			.replace(/\b\d{4}-\d\d-\d\d\b/g, () => `2026-11-${random.whole(10, 30)}`)
			.replace(/\b\d+\.\d+(?=s\b)/g, () => (random.next() * 9).toFixed(2)) ?? null;
	return { ...failure, message: changed(failure.message), stack: changed(failure.stack) };
}
