/** Frames of failures in Slack: a bot uploads them, and the message shows them as files. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { allowedAddresses } from "#lib/webhooks/allowed-address.ts";
import { createSend } from "#lib/webhooks/send.ts";
import { awaitsFrames, withFrames } from "#lib/webhooks/slack-frames.ts";
import type { TestApi } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { type FakeSlack, type SlackPost, startSlack } from "#test/servers/slack.ts";
import { until } from "#test/wait.ts";

onEachDatabase((api) => suite(api), { TAPEDECK_WEBHOOK_ALLOW: "127.0.0.0/8" });

const TOKEN = "xoxb-1-2-secret";
/** One for each build: with other digits only, the cause would be the same as before. */
const CAUSES = ["a teapot", "no such cart", "out of milk", "gone fishing", "too late", "not today"];
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");

function suite(api: () => TestApi): void {
	let slack: FakeSlack;
	let runnerId: number;
	let builds = 0;
	beforeAll(async () => {
		slack = await startSlack(TOKEN);
		runnerId = (await api().signIn()).runnerId;
	});
	afterAll(() => slack.close());
	beforeEach(async () => {
		const { data } = (await api().call("GET", "/v1/webhooks")).body;
		for (const { id } of data) await api().call("DELETE", `/v1/webhooks/${id}`);
		slack.state.refused = slack.state.refusesFiles = 0;
		slack.messages.length = 0;
	});

	const create = (more: object = {}) =>
		api().call("POST", "/v1/webhooks", {
			body: { url: slack.webhookUrl, kind: "slack", events: ["build.finished"], ...more },
		});

	/** A job with a failure. */
	async function startBuild() {
		builds += 1;
		const build = `Slack #${builds}`;
		const order = { runnerId, displayId: ":99", stopCondition: "interrupt", name: "Checkout", labels: { build } };
		const { id: jobId } = (await api().call("POST", "/v1/jobs", { body: order })).body;
		const body = [{ key: "1", test: "pays", outcome: "failed", message: `Error: ${CAUSES[builds]}` }];
		const { data } = (await api().call("POST", `/v1/jobs/${jobId}/tests`, { body })).body;
		return { build, jobId, resultId: data[0].id as number };
	}

	/** Does what happens when the video of the result is stored. */
	async function takeFrame(resultId: number): Promise<void> {
		const { db } = api().app;
		await db.insertInto("testFrame").values({ resultId, jpeg: JPEG }).execute();
		await db.updateTable("testResult").set({ hasFrame: 1 }).where("id", "=", resultId).execute();
	}

	async function runBuild(): Promise<void> {
		const { build, jobId, resultId } = await startBuild();
		await takeFrame(resultId);
		await api().call("POST", `/v1/jobs/${jobId}/cancel`);
		await api().call("POST", `/v1/builds/${encodeURIComponent(build)}/finish`, { body: {} });
	}

	const pictures = ({ blocks }: SlackPost) => blocks.filter(({ type }) => type === "image");

	test("a message shows the frame of each new cause as a file that the bot uploaded", async () => {
		const created = await create({ botToken: TOKEN });
		expect(created.body).toMatchObject({ hasBotToken: true });
		expect(JSON.stringify(created.body)).not.toContain(TOKEN);
		await runBuild();
		const message = await slack.next();
		const [picture] = pictures(message);
		expect(picture).toEqual({
			type: "image",
			slack_file: { id: expect.stringMatching(/^F\d+$/) },
			alt_text: `The screen at: ${CAUSES[builds]}`,
		});
		const { id } = (picture as unknown as { slack_file: { id: string } }).slack_file;
		expect(slack.files.get(id)).toEqual({ length: JPEG.length, bytes: JPEG, isThere: true });
		// It follows its cause.
		expect(message.blocks.map(({ type }) => type)).toEqual(["header", "rich_text", "rich_text", "image", "rich_text"]);
	});

	test("a message has text only without a token, and says why with one that Slack refuses", async () => {
		const { id } = (await create()).body;
		await runBuild();
		expect(pictures(await slack.next())).toEqual([]);
		await api().call("PATCH", `/v1/webhooks/${id}`, { body: { botToken: "xoxb-of-another-app" } });
		await runBuild();
		const message = await slack.next();
		expect(pictures(message)).toEqual([]);
		expect(JSON.stringify(message.blocks.at(-1))).toContain(
			"Without frames: Slack answered invalid_auth to files.getUploadURLExternal.",
		);
	});

	test("a message that Slack refuses twice because of its pictures is sent as text", async () => {
		await create({ botToken: TOKEN });
		slack.state.refusesFiles = 2;
		const before = slack.files.size;
		await runBuild();
		const { data } = (await api().call("GET", "/v1/webhooks")).body;
		// The second attempt is 5 s later.
		await until(
			async () => {
				const set = { nextAt: 1 };
				await api()
					.app.db.updateTable("webhookDelivery")
					.set(set)
					.where("attempts", "=", 1)
					.where("state", "=", "waiting")
					.execute();
				return slack.messages.length > 0;
			},
			() => `a message of webhook ${data[0].id} arrives`,
		);
		const message = await slack.next();
		expect(pictures(message)).toEqual([]);
		expect(JSON.stringify(message.blocks.at(-1))).toContain(
			"Without frames: Slack did not accept the message with them.",
		);
		// It is uploaded once for all attempts.
		expect(slack.files.size).toBe(before + 1);
	});

	test("a message waits for a frame that is about to be taken, for up to a minute", async () => {
		const { id } = (await create({ botToken: TOKEN, q: "branch:never" })).body;
		const { app } = api();
		const { resultId } = await startBuild();
		const webhook = await app.db.selectFrom("webhook").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
		const image = { type: "image", slack_file: { id: `result ${resultId}` }, alt_text: "The screen" };
		const body = JSON.stringify({ text: "", blocks: [image] });
		const ctx = { ...app, actor: { kind: "system", organizationId: webhook.organizationId } } as const;
		const send = createSend(allowedAddresses(["127.0.0.0/8"]));
		const framed = (createdAt: number) =>
			withFrames(ctx, send, { webhook, delivery: { body, createdAt } }, new AbortController().signal);
		expect(awaitsFrames(webhook, body)).toBe(true);
		expect(await framed(app.clock.now())).toBe("later");
		expect(JSON.parse(await framed(app.clock.now() - 60_000))).toMatchObject({ blocks: [] });
		await takeFrame(resultId);
		expect(JSON.parse(await framed(app.clock.now()))).toMatchObject({
			blocks: [{ slack_file: { id: expect.stringMatching(/^F\d+$/) } }],
		});
	});

	test("a token is refused for other receivers, if it is none of a bot, and when the URL changes to another host", async () => {
		const refused = { status: 422, body: { errors: [{ path: "botToken" }] } };
		expect(await create({ kind: "teams", botToken: TOKEN })).toMatchObject(refused);
		expect(await create({ botToken: "xoxp-of-a-person" })).toMatchObject(refused);
		expect(await create({ botToken: `${TOKEN}\r\nx: y` })).toMatchObject(refused);
		const { id } = (await create({ botToken: TOKEN })).body;
		const change = (body: object) => api().call("PATCH", `/v1/webhooks/${id}`, { body });
		expect(await change({ url: "https://collector.example/services/x" })).toMatchObject(refused);
		expect((await change({ url: `${slack.webhookUrl}?again` })).body).toMatchObject({ hasBotToken: true });
		expect((await change({ url: "https://hooks.slack.com/services/x", botToken: null })).body).toMatchObject({
			hasBotToken: false,
		});
		const { id: teams } = (await create({ kind: "teams" })).body;
		expect(await api().call("PATCH", `/v1/webhooks/${teams}`, { body: { botToken: TOKEN } })).toMatchObject(refused);
	});
}
