/** A recording as `pytest --tapedeck` makes it: the tests of a session, of which the last one failed. */
import type { Dashboard } from "#test/stack.ts";
import type { LivelyDisplay } from "./lively-display.ts";

export interface TestSession {
	recordingId: number;
	/** Seconds from the first frame. */
	failedAt: number;
}

/** The tests, by what the shop shows when their result is known. */
const TESTS = [
	["#shop", "test_shop_opens", "passed"],
	["#refused", "test_order_is_placed", "failed"],
] as const;
const MESSAGE =
	"AssertionError: assert 'The payment service did not answer (504).' == 'Order 20417 is placed. Thank you!'";
/** The frame is one of the recording, and the encoder takes a moment. */
const SEEN_MS = 700;

/** Takes up to two rounds of the shop. */
export async function recordTestSession(
	{ api }: Dashboard,
	runnerId: number,
	display: LivelyDisplay,
): Promise<TestSession> {
	await display.shows("#paid");
	const { id } = await api.createJob({
		...{ runnerId, displayId: display.id, stopCondition: "interrupt", name: "shop" },
		labels: { build: "4183", branch: "feature/gift-cards", commit: "51e07dd" },
	});
	await api.waitFor(id, "recording");
	const results = [];
	let begunAt = new Date().toISOString();
	for (const [selector, title, outcome] of TESTS) {
		await display.shows(selector);
		await new Promise((seen) => setTimeout(seen, SEEN_MS));
		const endedAt = new Date().toISOString();
		const test = `test_shop › ${title}`;
		const message = outcome === "failed" ? MESSAGE : null;
		const times = { startedAt: begunAt, endedAt };
		const steps = [{ title: "call", category: "test", outcome, ...times }];
		results.push({
			key: `${test}#1`,
			test,
			suite: "test_shop",
			file: "test_shop.py",
			outcome,
			message,
			steps,
			...times,
		});
		begunAt = endedAt;
	}
	await api.call("POST", `/v1/jobs/${id}/tests`, results);
	const failed = { label: "test_order_is_placed", kind: "fail", message: MESSAGE, at: begunAt };
	await api.call("POST", `/v1/jobs/${id}/markers/batch`, { markers: [failed] });
	await new Promise((seen) => setTimeout(seen, SEEN_MS));
	await api.cancelJob(id);
	const { recording, startedAt } = await api.waitFor(id, "playable");
	const failedAt = (Date.parse(begunAt) - Date.parse(startedAt ?? "")) / 1_000;
	return { recordingId: recording?.id ?? 0, failedAt };
}
