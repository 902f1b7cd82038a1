/** The receiver of webhooks during a run, at a real dashboard. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { Delivery } from "@tapedeck/contract/webhook.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { EventReceiver, RECEIVER_NETWORK } from "./event-receiver.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi({ TAPEDECK_WEBHOOK_ALLOW: RECEIVER_NETWORK });
});
afterAll(() => api.stop());

const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
	(await api.call(method, path, { body })).body as T;

/** A receiver, and jobs whose ends it gets. */
async function scene(count: number): Promise<{ receiver: EventReceiver; jobs: Job[] }> {
	const receiver = await EventReceiver.start(call);
	onTestFinished(() => receiver.stop());
	const { runnerId } = await api.signIn();
	const order = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	const jobs: Job[] = [];
	for (let index = 0; index < count; index += 1) {
		const { id } = await call<Job>("POST", "/v1/jobs", order);
		await call("POST", `/v1/jobs/${id}/cancel`);
		jobs.push(await call<Job>("GET", `/v1/jobs/${id}`));
	}
	return { receiver, jobs };
}

test("a run whose events have all arrived has no problems, also when the receiver has refused some of them at first", async () => {
	const { receiver, jobs } = await scene(20);
	expect(jobs.map(({ status }) => status)).toEqual(Array(20).fill("cancelled"));
	expect(await receiver.problems(call, jobs)).toEqual([]);
	expect(receiver.count).toBe(20);
});

test("an end without an event is a problem, and so is a delivery that never arrived", async () => {
	const { receiver, jobs } = await scene(2);
	expect(await receiver.problems(call, jobs)).toEqual([]);
	const [first] = jobs as [Job];
	const log = async <T>(method: string, path: string): Promise<T> => {
		const answer = await call<T>(method, path);
		if (!path.includes("/deliveries")) return answer;
		const { data } = answer as { data: Delivery[] };
		const lost = { ...data[0], id: 1_000, messageId: "msg_lost", state: "failed" };
		return { ...answer, data: [...data, lost] } as T;
	};
	expect(await receiver.problems(log, [{ ...first, status: "completed" }], 100)).toEqual([
		"the delivery msg_lost of job.ended is failed, and should have arrived",
		`job ${first.id} is completed, and its last event says cancelled`,
	]);
});
