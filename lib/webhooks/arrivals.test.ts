/** Events of recordings, storage and coverage, from what causes them to their arrival at a receiver that checks the signature. */
import { readFile } from "node:fs/promises";
import type { SeenSession } from "@tapedeck/contract/session.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import { storageWatch } from "#lib/recordings/space/storage-status.ts";
import { storeSeenSessions } from "#lib/runners/seen-sessions.ts";
import { openTestRecordings } from "#test/recordings.ts";
import { startWebhookReceiver, verified } from "#test/servers/webhook-receiver.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { finishBuild } from "./build-ends.ts";
import { webhookDelivery } from "./deliver.ts";
import { expandEvents } from "./expand-events.ts";
import { createSend } from "./send.ts";
import { createWebhook } from "./webhooks.ts";

afterAll(removeTestFolder);

/** A webhook for these events, its receiver, and the deliverer at work. */
async function scene() {
	const t = await openTestRecordings();
	const receiver = await startWebhookReceiver();
	const ctx = t.as("key");
	const delivery = webhookDelivery(createSend(() => true));
	const stop = new AbortController();
	const running = delivery.run(ctx, stop.signal);
	onTestFinished(async () => {
		stop.abort();
		await running;
		await receiver.close();
		await t.close();
	});
	const { secret } = await createWebhook(ctx, () => true, {
		...{ url: receiver.url, events: ["recording.ready", "storage.full", "coverage.gap"], q: null },
		...{ kind: "standard", onlyNew: false, botToken: null },
	});
	const told = async (count: number) => {
		delivery.wake();
		return (await receiver.atLeast(count)).map((one) => verified(one, secret));
	};
	return { t, ctx, receiver, told };
}

async function record({ t }: Awaited<ReturnType<typeof scene>>): Promise<number> {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const jobId = await t.addJob("uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, video, { length: video.length });
	return jobId;
}

test("recording.ready arrives when the last byte is stored, with the recording and a link to its page", async () => {
	const s = await scene();
	const jobId = await record(s);
	const [recording] = await s.t.recordings();
	expect(await s.told(1)).toMatchObject([
		{
			type: "recording.ready",
			data: {
				recording: {
					...{ id: recording?.id, jobId, name: recording?.name },
					url: `http://tapedeck.test/recordings/${recording?.id}`,
				},
			},
		},
	]);
});

test("storage.full arrives once when the quota is used up, and again after there was space in between", async () => {
	const s = await scene();
	await record(s);
	await s.told(1);
	const watch = storageWatch();
	const withQuota = (organizationBytes: number) => ({ ...s.ctx, quotas: { ...s.ctx.quotas, organizationBytes } });
	await watch(withQuota(1));
	await watch(withQuota(1));
	expect((await s.told(2)).slice(1)).toMatchObject([
		{ type: "storage.full", data: { storage: { url: "http://tapedeck.test/settings" } } },
	]);
	await watch(withQuota(1e12));
	await watch(withQuota(1));
	expect((await s.told(3)).map(({ type }) => type)).toEqual(["recording.ready", "storage.full", "storage.full"]);
});

test("coverage.gap arrives for a session that nothing recorded, not for one whose recording is reported within 30 s", async () => {
	const s = await scene();
	const runner = await s.ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("organizationId", "=", 1)
		.executeTakeFirstOrThrow();
	const session = (sessionId: string): SeenSession => ({
		...{ sessionId, name: `Checkout ${sessionId}`, node: "http://node-1:5555", endedAt: null },
		...{ startedAt: new Date(s.ctx.clock.now()).toISOString(), reason: "recording_failed" },
	});
	await storeSeenSessions(s.ctx, runner, [session("late"), session("missed")], 0);
	// Seen again: it is one gap.
	await storeSeenSessions(s.ctx, runner, [session("missed")], 0);
	await s.ctx.db.updateTable("gridSession").set({ recorded: 1 }).where("sessionId", "=", "late").execute();
	s.t.advance(31_000);
	expect(await s.told(1)).toMatchObject([
		{
			type: "coverage.gap",
			data: {
				session: { sessionId: "missed", reason: "recording_failed", url: "http://tapedeck.test/coverage" },
			},
		},
	]);
	expect(await s.ctx.db.selectFrom("webhookEvent").selectAll().execute()).toEqual([]);
	expect(s.receiver.arrived).toHaveLength(1);
});

test("a webhook gets nothing about another organization's build of the same name", async () => {
	const t = await openTestRecordings();
	onTestFinished(() => t.close());
	const [ours, theirs] = [t.as("key"), t.as("foreignKey")];
	const hook = {
		...{ url: "http://a.test/", events: ["build.finished" as const], q: null },
		kind: "standard" as const,
		botToken: null,
	};
	await createWebhook(ours, () => true, { ...hook, onlyNew: false });
	const { id: webhookId } = await createWebhook(theirs, () => true, { ...hook, onlyNew: false });
	const build = { organizationId: 1, name: "42", recordings: 0, jobs: 1, firstAt: 1, lastAt: ours.clock.now() };
	await ours.db.insertInto("build").values(build).execute();
	await noteEvents(ours, "build.finished", 1, ["42"]);
	await expandEvents(ours);
	const delivered = await ours.db.selectFrom("webhookDelivery").select(["webhookId", "body"]).execute();
	expect(delivered).toEqual([{ webhookId: expect.any(Number), body: expect.stringContaining('"build":"42"') }]);
	expect(delivered[0]?.webhookId).not.toBe(webhookId);
	await noteEvents(theirs, "build.finished", 2, ["42"]);
	await expandEvents(theirs);
	expect(await ours.db.selectFrom("webhookDelivery").select("id").execute()).toHaveLength(1);
	await expect(finishBuild(theirs, "42", {})).rejects.toMatchObject({ code: "not_found" });
});
