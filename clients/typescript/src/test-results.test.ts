/** Test results as calls take them, of tests with any outcome. */
import { expect, test } from "vitest";
import { VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { type ReportedStep, type ReportedTest, Tapedeck } from "./index.ts";

/** Sends results to a dashboard whose clock is 30 s ahead. @returns the bodies of the calls. */
async function bodiesOf(results: ReportedTest[]): Promise<string[]> {
	const bodies: string[] = [];
	const client = new Tapedeck({
		...{ url: "http://localhost:1", apiKey: VECTOR_KEY, clockShiftMs: 30_000 },
		fetch: async (_input, { body } = {}) => {
			bodies.push(String(body));
			return Response.json({ data: JSON.parse(String(body)).map(({ key }: { key: string }) => key) }, { status: 201 });
		},
	});
	expect(await client.jobs.addTests(7, results)).toEqual(results.map(({ key }) => key));
	return bodies;
}

const result = (index: number, more: Partial<ReportedTest> = {}): ReportedTest => ({
	...{ key: `${index}`, test: `shop › test ${index}` },
	...more,
});

test("up to 1,000 results of up to 1 MiB are one call", async () => {
	const many = await bodiesOf(Array.from({ length: 2_500 }, (_, index) => result(index)));
	expect(many.map((body) => JSON.parse(body).length)).toEqual([1_000, 1_000, 500]);
	const long = { message: "€".repeat(20_000), stack: "\u001b".repeat(1_000_000) };
	const large = await bodiesOf(Array.from({ length: 20 }, (_, index) => result(index, long)));
	expect(large.length).toBeGreaterThan(4);
	for (const body of large) expect(Buffer.byteLength(body)).toBeLessThan(1024 * 1024);
});

test("the first of 50,000 steps are sent, and the others are counted", async () => {
	const steps = Array.from({ length: 10_000 }, (_, index) => ({
		title: `step ${index}`,
		steps: Array.from({ length: 4 }, () => ({ title: "inner" })),
	}));
	const [body = ""] = await bodiesOf([result(1, { steps })]);
	const sent: (ReportedStep | null)[] = JSON.parse(body)[0].steps;
	const kept = sent.filter((step) => step !== null);
	expect(kept.reduce((sum, step) => sum + 1 + (step.steps?.length ?? 0), 0)).toBe(2_000);
	expect(sent.length - kept.length).toBe(48_000);
	expect(kept[0]).toEqual(steps[0]);
	const [large = ""] = await bodiesOf([result(1, { steps: [{ title: "x", message: "€".repeat(300_000) }] })]);
	expect(JSON.parse(large)[0].steps).toEqual([null]);
});

test("a step that failed is sent however late it is", async () => {
	const steps = Array.from(
		{ length: 3_000 },
		(_, index): ReportedStep => ({ title: `step ${index}`, outcome: "passed" }),
	);
	steps[2_500] = { title: "pays", outcome: "failed" };
	const [body = ""] = await bodiesOf([result(1, { steps: [{ title: "call", steps }] })]);
	const [call, ...others]: [ReportedStep, ...null[]] = JSON.parse(body)[0].steps;
	expect(call.steps?.length).toBe(1_999);
	expect(call.steps?.slice(-2)).toEqual([{ title: "step 1997", outcome: "passed" }, steps[2_500]]);
	expect(others.length).toBe(1_001);
});

test("times of this machine are sent as the dashboard's, and text as it is", async () => {
	const startedAt = new Date("2026-11-21T01:12:00.500Z");
	const step = { title: "a", startedAt, endedAt: "2026-11-21T01:12:01.500Z" };
	const [body = ""] = await bodiesOf([result(1, { startedAt, endedAt: step.endedAt, steps: [step] })]);
	const [sent]: (ReportedTest & { steps: ReportedStep[] })[] = JSON.parse(body);
	for (const each of [sent, sent?.steps[0]]) {
		// The two clocks of this machine tick apart by some milliseconds.
		expect(Math.abs(Date.parse(String(each?.startedAt)) - startedAt.getTime() - 30_000)).toBeLessThan(500);
		expect(each?.endedAt).toBe(step.endedAt);
	}
});
