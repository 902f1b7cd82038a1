/** The end of a build in chats: what Slack, Teams and Mattermost get of builds whose results are known. */
import { createRequire } from "node:module";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import type { WebhookKind } from "@tapedeck/contract/webhook-events.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MAX_CHAT_BYTES } from "#lib/webhooks/chat/chat-body.ts";
import type { SlackMessage } from "#lib/webhooks/chat/slack.ts";
import { type Person, signIn } from "#test/api-people.ts";
import type { TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { startWebhookReceiver, verified, type WebhookReceiver } from "#test/servers/webhook-receiver.ts";
import { until } from "#test/wait.ts";

// Its main file is for bundlers.
const cards: typeof import("adaptivecards") = createRequire(import.meta.url)("adaptivecards/dist/adaptivecards.js");

onOneDatabase((api) => suite(api), { TAPEDECK_WEBHOOK_ALLOW: "127.0.0.0/8" });

/** Text that is bold, a link or a mention to those who look for it. */
const HOSTILE = "*pays* <!channel> @all [here](http://evil.test) `x` & <b>";
const REASON = `Error: expected 200 ${HOSTILE}`;

function suite(api: () => TestApi): void {
	let receiver: WebhookReceiver;
	let runnerId: number;
	let owner: Person;
	beforeAll(async () => {
		receiver = await startWebhookReceiver();
		runnerId = (await api().signIn()).runnerId;
		owner = await signIn(api());
	});
	afterAll(() => receiver.close());
	beforeEach(async () => {
		const { data } = (await api().call("GET", "/v1/webhooks")).body;
		for (const { id } of data) await api().call("DELETE", `/v1/webhooks/${id}`);
		receiver.arrived.length = 0;
	});

	const create = (kind: WebhookKind, more: object = {}) =>
		api().call("POST", "/v1/webhooks", { body: { url: receiver.url, events: ["build.finished"], kind, ...more } });

	/** A build of one job with these results, which ends. @returns the results by the names of their tests. */
	async function runBuild(repository: string, number: number, ...tests: [string, string, string?, number?][]) {
		const build = `${repository} #${number}`;
		const labels = { build, repository, workflow: "CI", branch: "main", commit: `c0ffee${number}` };
		const order = { runnerId, displayId: ":99", stopCondition: "interrupt", name: "Checkout", labels };
		const { id } = (await api().call("POST", "/v1/jobs", { body: order })).body;
		const results = tests.map(([test, outcome, message, attempt = 1], index) => ({
			...{ key: `${index}`, test, outcome, attempt },
			...(message === undefined ? {} : { message }),
		}));
		const { data } = (await api().call("POST", `/v1/jobs/${id}/tests`, { body: results })).body;
		await api().call("POST", `/v1/jobs/${id}/cancel`);
		const { body } = await api().call("POST", `/v1/builds/${encodeURIComponent(build)}/finish`, { body: {} });
		expect(body.finishedAt).not.toBeNull();
		return { build, results: data as TestResult[] };
	}

	/** The first build, of which everything fails that does, and a second one in which two tests fail anew. */
	async function runBuilds(repository: string) {
		await runBuild(
			repository,
			1,
			["stays red", "failed", "Error: no such cart"],
			["turns green", "failed", "Error: teapot"],
		);
		await receiver.atLeast((await api().call("GET", "/v1/webhooks")).body.data.length);
		receiver.arrived.length = 0;
		return runBuild(
			repository,
			2,
			["stays red", "failed", "Error: no such cart"],
			["turns green", "passed"],
			[HOSTILE, "failed", REASON],
			["pays again", "failed", REASON],
			["flickers", "failed", "Error: socket hang up", 1],
			["flickers", "passed", undefined, 2],
			["is left out", "skipped"],
		);
	}

	const OTHERS = ["Still failing: 1 test", "Flaky: flickers", "Fixed: turns green"];
	const factsOf = (repository: string) => [
		"6 tests: 1 passed, 3 failed, 1 skipped, 1 flaky",
		`branch main, commit c0ffee2, compared with ${repository} #1`,
	];

	test("Slack gets one message with new failures by cause, with owner and link, in which no sign of a test has a meaning", async () => {
		expect((await create("slack")).status).toBe(201);
		const { build, results } = await runBuilds("slack & co");
		const [arrived] = await receiver.atLeast(1);
		const { text, blocks }: SlackMessage = JSON.parse(arrived?.body ?? "");
		expect(text).toBe("slack &amp; co #2: 2 new failures");
		const url = `${api().app.baseUrl}/builds/${encodeURIComponent(build)}`;
		const { id, testId, reason } = resultOf(results, HOSTILE);
		const section = (...elements: object[]) => ({
			type: "rich_text",
			elements: [{ type: "rich_text_section", elements }],
		});
		const lines = (...texts: string[]) =>
			section(...texts.flatMap((text, index) => [...(index ? [line("\n")] : []), line(text)]));
		const line = (text: string) => ({ type: "text", text });
		expect(blocks).toEqual([
			{ type: "header", text: { type: "plain_text", text: "slack & co #2: 2 new failures", emoji: false } },
			lines(...factsOf("slack & co")),
			section(
				{
					...{ type: "link", text: reason, style: { bold: true } },
					url: `${api().app.baseUrl}/tests/${testId}?result=${id}`,
				},
				line("\n"),
				line(`${HOSTILE} and 1 more · no owner`),
			),
			lines(...OTHERS),
			section({ type: "link", url, text: "Open it in Tapedeck" }),
		]);
		await until(async () => {
			const { data } = (await api().call("GET", "/v1/webhooks")).body;
			return data.every(({ waiting }: { waiting: number }) => waiting === 0);
		}, "the message is delivered");
	});

	test("Teams gets an Adaptive Card that the library of Adaptive Cards has nothing against", async () => {
		await create("teams");
		const { results } = await runBuilds("teams");
		const [arrived] = await receiver.atLeast(1);
		const { type, attachments } = JSON.parse(arrived?.body ?? "");
		expect([type, attachments.length]).toEqual(["message", 1]);
		expect(attachments[0].contentType).toBe("application/vnd.microsoft.card.adaptive");
		expect(faultsOf(attachments[0].content)).toEqual([]);
		const texts = attachments[0].content.body.map(({ inlines: [run] }: { inlines: { text: string }[] }) => run?.text);
		expect(texts).toEqual([
			...["teams #2: 2 new failures", ...factsOf("teams")],
			...[resultOf(results, HOSTILE).reason, `${HOSTILE} and 1 more · no owner`, ...OTHERS],
		]);
	});

	test("Mattermost gets Markdown that shows names of tests as they are and mentions nobody", async () => {
		await create("mattermost");
		const { results } = await runBuilds("mattermost");
		const [arrived] = await receiver.atLeast(1);
		const [attachment] = JSON.parse(arrived?.body ?? "").attachments;
		expect(attachment).toMatchObject({ title: "mattermost #2: 2 new failures", fallback: attachment.title });
		const { id, testId } = resultOf(results, HOSTILE);
		expect(attachment.text).toContain(`](${api().app.baseUrl}/tests/${testId}?result=${id})\n`);
		expect(attachment.text).toContain(
			"\\*pays\\* \\<\\!channel\\> \\@\u200ball \\[here\\](http://evil.test) \\`x\\` \\& \\<b\\> and 1 more · no owner",
		);
		expect(attachment.text).not.toContain("@all");
		expect(attachment.text.split("\n\n").slice(-3)).toEqual(OTHERS);
	});

	test("the owner of a cause is named, and a chat that wants news only is told nothing when nothing is new", async () => {
		await create("slack", { onlyNew: true });
		const { results } = await runBuilds("quiet");
		await receiver.atLeast(1);
		const { cause } = resultOf(results, "pays again");
		await owner.call("PUT", "/v1/failure-triage", { body: { cause, assigneeUserId: owner.userId } });
		await create("mattermost");
		receiver.arrived.length = 0;
		const again: [string, string, string][] = [
			["stays red", "failed", "Error: no such cart"],
			["pays again", "failed", REASON],
		];
		await runBuild("quiet", 3, ...again);
		await receiver.atLeast(1);
		// A test that fails for another reason than before is news, also of a known cause.
		await runBuild("quiet", 4, ["stays red", "failed", REASON], again[1] as (typeof again)[0]);
		const messages = (await receiver.atLeast(3)).map(({ body }) => body);
		const [slack, ...others] = messages.toSorted(
			(a, b) => Number("attachments" in JSON.parse(a)) - Number("attachments" in JSON.parse(b)),
		);
		expect(JSON.parse(slack ?? "").text).toBe("quiet #4: 1 new failure");
		expect(slack).toContain(`stays red · owner: ${owner.name}`);
		expect(others.map((body) => JSON.parse(body).attachments[0].title)).toEqual([
			"quiet #3: no new failures",
			"quiet #4: 1 new failure",
		]);
	});

	test("a message of many long causes stays short, and says how many it leaves out", async () => {
		await create("teams");
		const tests = Array.from({ length: 40 }, (_, index): [string, string, string] => {
			const name = `${["a", "b", "c", "d", "e", "f", "g"].map((letter) => letter.repeat((index % 7) + 1)).join("")} ${"𝕏".repeat(900)}`;
			return [`${index} ${name}`, "failed", `Error: ${"漢字".repeat(400)} ${"x".repeat(index + 1)}`];
		});
		await runBuild("long", 1, ...tests);
		const [arrived] = await receiver.atLeast(1);
		expect(Buffer.byteLength(arrived?.body ?? "")).toBeLessThanOrEqual(MAX_CHAT_BYTES);
		expect(faultsOf(JSON.parse(arrived?.body ?? "").attachments[0].content)).toEqual([]);
	});

	test("a test message is of the receiver's kind, and signed", async () => {
		const { id, secret } = (await create("slack")).body;
		await api().call("POST", `/v1/webhooks/${id}/test`);
		const [arrived] = await receiver.atLeast(1);
		expect(verified(arrived as never, secret)).toMatchObject({
			text: "A test from Tapedeck",
			blocks: [{ type: "header" }, { type: "rich_text" }, { type: "rich_text" }],
		});
	});

	test("a chat is refused other events than the ends of builds, and its path is not in the audit log", async () => {
		const refused = { status: 422, body: { errors: [{ path: "events" }] } };
		expect(await create("slack", { events: ["job.ended"] })).toMatchObject(refused);
		const { id } = (await create("slack")).body;
		const change = (body: object) => api().call("PATCH", `/v1/webhooks/${id}`, { body });
		expect(await change({ events: ["build.finished", "job.ended"] })).toMatchObject(refused);
		expect((await change({ onlyNew: true })).body).toMatchObject({ kind: "slack", onlyNew: true });
		const { data } = (await owner.call("GET", "/v1/audit-log?action=webhook.changed")).body;
		expect(data[0].detail).toMatchObject({ webhook: new URL(receiver.url).origin, onlyNew: true });
	});
}

const resultOf = (results: readonly TestResult[], name: string): TestResult =>
	results.find(({ test }) => test === name) as TestResult;

/** The faults that the library of Adaptive Cards finds in a card. */
function faultsOf(content: object): string[] {
	const card = new cards.AdaptiveCard();
	const context = new cards.SerializationContext();
	card.parse(content, context);
	const parsed = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
	return [...parsed, ...card.validateProperties().validationEvents.map(({ message }) => message)];
}
