/** Webhooks by the client, with a dashboard and a receiver. */
import { expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY } from "../../../test/api-server.ts";
import { startWebhookReceiver, verified } from "../../../test/servers/webhook-receiver.ts";
import { Tapedeck } from "./index.ts";

test("a script creates a webhook, tests it, reads its log and finishes a build, whose end arrives", async () => {
	const receiver = await startWebhookReceiver();
	onTestFinished(() => receiver.close());
	const api = await startTestApi({ TAPEDECK_WEBHOOK_ALLOW: "127.0.0.1" });
	onTestFinished(() => api.stop());
	const { runnerId } = await api.signIn();
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const { id, secret } = await client.webhooks.create({ url: receiver.url, events: ["build.finished"] });
	expect((await client.webhooks.list()).map((webhook) => webhook.id)).toEqual([id]);
	const tested = await client.webhooks.test(id);
	await receiver.atLeast(1);
	for await (const logged of client.webhooks.deliveries(id)) expect(logged.id).toBe(tested.id);
	expect(JSON.parse((await client.webhooks.delivery(id, tested.id)).body)).toMatchObject({ type: "webhook.test" });
	await client.webhooks.resend(id, tested.id);
	await receiver.atLeast(2);
	const order = { runnerId, displayId: ":99", stopCondition: "interrupt", labels: { build: "a/b" } } as const;
	const job = await client.jobs.create(order);
	await client.jobs.cancel(job.id);
	expect(await client.builds.finish("a/b")).toMatchObject({ build: "a/b", endedJobs: 1 });
	const [, , finished] = await receiver.atLeast(3);
	expect(verified(finished as never, secret)).toMatchObject({
		type: "build.finished",
		data: { build: { build: "a/b" } },
	});
	expect((await client.builds.get("a/b")).letThrough).toBe(0);
	expect((await client.webhooks.rotateSecret(id)).secret).not.toBe(secret);
	expect((await client.webhooks.update(id, { paused: true })).paused).toBe(true);
	await client.webhooks.delete(id);
	expect(await client.webhooks.list()).toEqual([]);
});
