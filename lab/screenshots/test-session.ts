/** Recordings as `pytest --tapedeck` makes them: the same tests in several builds, the last of which fail. */

import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { Dashboard } from "#test/stack.ts";
import { until } from "#test/wait.ts";
import type { LivelyDisplay } from "./lively-display.ts";

export interface TestSession {
	recordingId: number;
	/** The label. */
	build: string;
	/** The first test that failed. */
	testId: number;
	resultId: number;
}

export const BRANCH = "feature/gift-cards";
const CI = "https://github.com/fernweh/shop/actions/runs";
/** The payment of every second round is refused. */
const RUNS = [
	{ build: "4184", commit: "c80f2d4", isRefused: false },
	{ build: "4185", commit: "0b7d3e6", isRefused: true },
	{ build: "4186", commit: "a94f50c", isRefused: true },
] as const;

interface Attempt {
	title: string;
	/** The text that the shop shows once its outcome is known. */
	shows: string;
	attempt?: number;
	outcome: "passed" | "failed";
	message?: string;
	steps: string[];
}

const attemptsOf = ({ isRefused }: (typeof RUNS)[number]): Attempt[] => [
	{ title: "test_shop_opens", shows: "#shop", outcome: "passed", steps: ["Open the shop", "Six goods are listed"] },
	{
		...{ title: "test_cart_is_counted", shows: "#shop", outcome: "failed", steps: ["Read the cart"] },
		message: "AssertionError: the cart is not counted yet\nassert '0' == '3'",
	},
	{
		...{ title: "test_cart_is_counted", shows: "#checkout", attempt: 2, outcome: "passed" },
		steps: ["Add a tent, a pack and boots", "Read the cart"],
	},
	{
		...{ title: "test_order_is_placed", shows: isRefused ? "#refused" : "#paid" },
		steps: ["Fill in name, e-mail and card", "Pay", "Read the note"],
		...(isRefused ? { outcome: "failed", message: REFUSED } : { outcome: "passed" }),
	},
	{
		...{ title: "test_invoice_is_sent", shows: isRefused ? "#refused" : "#paid", steps: ["Read the inbox"] },
		...(isRefused
			? { outcome: "failed", message: "AssertionError: no invoice was sent\nassert 0 == 1" }
			: { outcome: "passed" }),
	},
];
const REFUSED =
	"AssertionError: the order is not placed\nassert 'The payment service did not answer (504).' == 'Order 20417 is placed. Thank you!'";
const STACK = `    def test_order_is_placed(shop):
        shop.pay(card="4242 4242 4242 4242")
>       assert shop.note() == "Order 20417 is placed. Thank you!", "the order is not placed"
E       AssertionError: the order is not placed

test_shop.py:41: AssertionError`;
/** The frame is one of the recording, and the encoder takes a moment. */
const SEEN_MS = 700;

/** Takes up to two rounds of the shop for each build. @returns the last one. */
export async function recordTestSessions(
	dashboard: Dashboard,
	runnerId: number,
	display: LivelyDisplay,
): Promise<TestSession> {
	let last: TestSession | null = null;
	for (const run of RUNS) last = await recordSession(dashboard, runnerId, display, run);
	if (last === null) throw new Error("there are no runs");
	const { api } = dashboard;
	const { resultId } = last;
	await until(async () => (await api.call<TestResult>("GET", `/v1/tests/${resultId}`)).hasFrame, "the frame");
	return last;
}

async function recordSession(
	{ api }: Dashboard,
	runnerId: number,
	display: LivelyDisplay,
	run: (typeof RUNS)[number],
): Promise<TestSession> {
	const { build, commit, isRefused } = run;
	await display.shows(isRefused ? "#paid" : "#refused");
	const { id } = await api.createJob({
		...{ runnerId, displayId: display.id, stopCondition: "interrupt", name: "shop", outcomeExpected: true },
		labels: { build, branch: BRANCH, commit, "ci.url": `${CI}/${build}` },
	});
	await api.waitFor(id, "recording");
	const results = [];
	let startedAt = new Date();
	for (const { title, shows, attempt = 1, outcome, message, steps } of attemptsOf(run)) {
		await display.shows(shows);
		await new Promise((seen) => setTimeout(seen, SEEN_MS));
		const endedAt = new Date();
		const part = (endedAt.getTime() - startedAt.getTime()) / steps.length;
		const time = (index: number) => new Date(startedAt.getTime() + index * part).toISOString();
		const isLast = (index: number) => index === steps.length - 1;
		results.push({
			...{ key: `${title}#${attempt}`, test: `test_shop › ${title}`, suite: "test_shop", file: "test_shop.py" },
			...{ attempt, outcome, message, ...(message === REFUSED ? { stack: STACK, line: 41 } : {}) },
			...{ startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString() },
			steps: steps.map((title, index) => ({
				...{ title, outcome: isLast(index) ? outcome : "passed", startedAt: time(index), endedAt: time(index + 1) },
			})),
		});
		startedAt = endedAt;
	}
	const { data } = await api.call<{ data: TestResult[] }>("POST", `/v1/jobs/${id}/tests`, results);
	await new Promise((seen) => setTimeout(seen, SEEN_MS));
	await api.call("PATCH", `/v1/jobs/${id}`, { outcome: isRefused ? "failed" : "passed" });
	await api.cancelJob(id);
	const { recording } = await api.waitFor(id, "playable");
	const result = data.find(({ test }) => test.endsWith("test_order_is_placed"));
	return { recordingId: recording?.id ?? 0, build, testId: result?.testId ?? 0, resultId: result?.id ?? 0 };
}
