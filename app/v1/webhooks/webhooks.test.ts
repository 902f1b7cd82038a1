/** Webhooks by the API, from the event to its arrival at a receiver that checks the signature. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { Delivery, NewWebhook } from "@tapedeck/contract/webhook.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestApi } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { startWebhookReceiver, verified, type WebhookReceiver } from "#test/servers/webhook-receiver.ts";
import { until } from "#test/wait.ts";

onEachDatabase((api) => suite(api), { TAPEDECK_WEBHOOK_ALLOW: "127.0.0.0/8" });

function suite(api: () => TestApi): void {
	let receiver: WebhookReceiver;
	let runnerId: number;
	beforeAll(async () => {
		receiver = await startWebhookReceiver();
		runnerId = (await api().signIn()).runnerId;
	});
	afterAll(() => receiver.close());
	beforeEach(async () => {
		const { data } = (await api().call("GET", "/v1/webhooks")).body;
		for (const { id } of data) await api().call("DELETE", `/v1/webhooks/${id}`);
		receiver.arrived.length = 0;
		receiver.state.answer = 204;
	});

	const create = async (body: object): Promise<NewWebhook> => {
		const answer = await api().call("POST", "/v1/webhooks", { body: { url: receiver.url, ...body } });
		expect(answer.status).toBe(201);
		return answer.body;
	};
	const createJob = async (labels: Record<string, string> = {}): Promise<Job> => {
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt", name: "Checkout", labels };
		return (await api().call("POST", "/v1/jobs", { body })).body;
	};
	/** A job that ends at once: nothing was captured. */
	const endJob = async (labels?: Record<string, string>): Promise<Job> => {
		const { id } = await createJob(labels);
		return (await api().call("POST", `/v1/jobs/${id}/cancel`)).body;
	};
	const deliveries = async (id: number, query = ""): Promise<Delivery[]> =>
		(await api().call("GET", `/v1/webhooks/${id}/deliveries${query}`)).body.data;

	test("the end of a job arrives signed, with the job as it is and a link to its page", async () => {
		const { id, secret } = await create({ events: ["job.ended"] });
		const job = await endJob({ build: "7" });
		const [arrived] = await receiver.atLeast(1);
		const payload = verified(arrived as never, secret);
		expect(payload).toMatchObject({
			type: "job.ended",
			data: {
				job: {
					...{ id: job.id, name: "Checkout", status: "cancelled", endedAt: job.endedAt, labels: { build: "7" } },
					...{ recordingId: null, url: `${api().app.baseUrl}/jobs/${job.id}` },
				},
			},
		});
		expect(() => verified(arrived as never, `whsec_${Buffer.alloc(32).toString("base64")}`)).toThrow();
		const [delivery] = await until(async () => {
			const list = await deliveries(id, "?state=delivered");
			return list.length > 0 ? list : null;
		}, "the delivery is logged");
		expect(delivery).toMatchObject({
			...{ type: "job.ended", attempts: 1, status: 204, error: null, nextAttemptAt: null },
			messageId: arrived?.headers["webhook-id"],
		});
		const whole = await api().call("GET", `/v1/webhooks/${id}/deliveries/${delivery?.id}`);
		expect(whole.body).toMatchObject({ body: arrived?.body, answer: "" });
		expect(await deliveries(id, "?state=failed")).toEqual([]);
	});

	test("a failed test arrives when it fails, before the end of its job, and only where the search finds it", async () => {
		const main = await create({ events: ["test.failed", "job.ended"], q: "branch:main" });
		await create({ events: ["test.failed", "job.ended"], q: "-branch:main" });
		const job = await createJob({ branch: "main" });
		const result = { key: "pays", test: "pays", outcome: "failed", message: "Error: no" };
		await api().call("POST", `/v1/jobs/${job.id}/tests`, {
			body: [result, { ...result, key: "b", outcome: "passed" }],
		});
		await receiver.atLeast(1);
		// Nothing new is said of it.
		await api().call("POST", `/v1/jobs/${job.id}/tests`, { body: [{ ...result, message: "Error: no, at all" }] });
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		const [failed, ended] = (await receiver.atLeast(2)).map((one) => verified(one, main.secret));
		expect(failed).toMatchObject({
			type: "test.failed",
			data: { test: { test: "pays", outcome: "failed", new: true } },
		});
		expect(ended).toMatchObject({ type: "job.ended", data: { job: { id: job.id } } });
		expect(receiver.arrived).toHaveLength(2);
	});

	test("deliveries wait while a webhook is paused, and arrive in order when it is resumed", async () => {
		const { id, secret } = await create({ events: ["job.ended"] });
		await api().call("PATCH", `/v1/webhooks/${id}`, { body: { paused: true } });
		const jobs = [await endJob(), await endJob(), await endJob()];
		await until(async () => (await deliveries(id)).length === 3, "the deliveries are written");
		expect((await api().call("GET", `/v1/webhooks/${id}`)).body).toMatchObject({ paused: true, waiting: 3 });
		// A request that a person asks for is sent all the same.
		const tested = await api().call("POST", `/v1/webhooks/${id}/test`);
		expect(tested).toMatchObject({ status: 201, body: { type: "webhook.test", state: "waiting" } });
		await receiver.atLeast(1);
		expect(receiver.arrived.map((one) => verified(one, secret).type)).toEqual(["webhook.test"]);
		await api().call("PATCH", `/v1/webhooks/${id}`, { body: { paused: false } });
		await receiver.atLeast(4);
		const ids = receiver.arrived.slice(1).map((one) => verified(one, secret).data.job.id);
		expect(ids.sort()).toEqual(jobs.map((job) => job.id).sort());
	});

	test("a message that is sent again has the same id and body", async () => {
		const { id } = await create({ events: ["job.ended"] });
		await endJob();
		await receiver.atLeast(1);
		const [first] = await deliveries(id);
		const again = await api().call("POST", `/v1/webhooks/${id}/deliveries/${first?.id}/resend`);
		expect(again).toMatchObject({ status: 201, body: { messageId: first?.messageId } });
		const [one, other] = await receiver.atLeast(2);
		expect(other?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
		expect(other?.body).toBe(one?.body);
	});

	test("both secrets verify a message after one rotation, and the two last ones after another", async () => {
		const { id, secret: first } = await create({ events: ["job.ended"] });
		const rotate = async () => (await api().call("POST", `/v1/webhooks/${id}/rotate-secret`)).body as NewWebhook;
		const second = await rotate();
		expect(second.previousSecretUntil).not.toBeNull();
		await api().call("POST", `/v1/webhooks/${id}/test`);
		const [arrived] = await receiver.atLeast(1);
		for (const secret of [first, second.secret]) verified(arrived as never, secret);
		const third = await rotate();
		await api().call("POST", `/v1/webhooks/${id}/test`);
		const [, next] = await receiver.atLeast(2);
		for (const { secret } of [second, third]) verified(next as never, secret);
		expect(() => verified(next as never, first)).toThrow();
	});

	test("a receiver that answers 410 pauses its webhook", async () => {
		receiver.state.answer = 410;
		const { id } = await create({ events: ["job.ended"] });
		await endJob();
		const webhook = await until(async () => {
			const { body } = await api().call("GET", `/v1/webhooks/${id}`);
			return body.paused && body;
		}, "the webhook is paused");
		expect(webhook).toMatchObject({ pausedBecause: expect.stringContaining("410"), waiting: 0 });
		expect(await deliveries(id)).toMatchObject([{ state: "failed", status: 410, attempts: 1 }]);
	});

	test("a build finishes once as many jobs have ended as are expected", async () => {
		const { secret } = await create({ events: ["build.finished"] });
		const build = `pipeline ${Math.random()}`;
		const finish = (body: object) => api().call("POST", `/v1/builds/${encodeURIComponent(build)}/finish`, { body });
		expect((await finish({})).status).toBe(404);
		await endJob({ build });
		expect(await finish({ expectedJobs: 2 })).toMatchObject({
			status: 200,
			body: { build, expectedJobs: 2, endedJobs: 1, finishedAt: null },
		});
		await endJob({ build });
		const [arrived] = await receiver.atLeast(1);
		expect(verified(arrived as never, secret)).toMatchObject({
			type: "build.finished",
			data: { build: { build, jobs: 2, url: `${api().app.baseUrl}/builds/${encodeURIComponent(build)}` } },
		});
		await endJob({ build });
		expect((await finish({})).body.finishedAt).not.toBeNull();
		const later = await create({ events: ["build.finished"] });
		await api().call("POST", `/v1/webhooks/${later.id}/test`);
		await receiver.atLeast(2);
		expect(receiver.arrived).toHaveLength(2);
	});

	test("a runner that signs out is offline, and online when it signs in again", async () => {
		const { secret } = await create({ events: ["runner.offline", "runner.online"] });
		const { sessionId } = await api().signIn("passer-by");
		const told = async (count: number) =>
			(await receiver.atLeast(count)).map((one) => {
				const { type, data } = verified(one, secret);
				return `${data.runner.name} ${type}`;
			});
		await until(() => receiver.arrived.some(({ body }) => body.includes("passer-by")), "it is told that it is online");
		const before = receiver.arrived.length;
		const token = "tdr_test_0123456789abcdef";
		await api().call("POST", "/v1/runner/sign-out", { token, body: { sessionId } });
		expect((await told(before + 1)).at(-1)).toBe("passer-by runner.offline");
		await api().signIn("passer-by");
		expect((await told(before + 2)).at(-1)).toBe("passer-by runner.online");
	});

	test.each([
		["url", { url: "http://10.0.0.1/" }, "not_allowed"],
		["url", { url: "http://[::1]/" }, "not_allowed"],
		["url", { url: "http://0x7f.1:80/hooks", events: ["job.ended"] }, null],
		["url", { url: "ftp://example.com" }, "invalid"],
		["url", { url: "https://me:secret@example.com/" }, "invalid"],
		["events", { events: [] }, "too_small"],
		["events.0", { events: ["job.began"] }, "invalid_value"],
		["q", { q: "outcome:maybe" }, "invalid"],
	])("a webhook is refused at %s: %j", async (path, body, code) => {
		const whole = { url: receiver.url, events: ["job.ended"], ...body };
		const answer = await api().call("POST", "/v1/webhooks", { body: whole });
		// It names 127.0.0.1, which is allowed here.
		if (code === null) expect(answer.status).toBe(201);
		else expect(answer).toMatchObject({ status: 422, body: { errors: [{ path, code }] } });
	});
}
