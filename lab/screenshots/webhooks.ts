/** Webhooks of the scene, and the log of one of them. */
import { inDatabase } from "#test/databases/database.ts";
import type { Dashboard } from "#test/stack.ts";

const MINUTE_MS = 60_000;
const SLACK = { url: "https://hooks.slack.com/services/T024BE7LD/B0250GQ1R/hooks", kind: "slack", onlyNew: true };

/** The receiver's answers, the newest first, with the minutes since. */
const LOG = [
	{ minutes: 2, type: "build.finished", build: "4183", status: 503, error: "The receiver answered 503.", attempts: 2 },
	{ minutes: 14, type: "runner.online", status: 204, attempts: 1 },
	{ minutes: 21, type: "runner.offline", status: 204, attempts: 1 },
	{ minutes: 96, type: "build.finished", build: "4182", status: 200, attempts: 3 },
	{ minutes: 1_441, type: "build.finished", build: "4181", error: "The host name does not exist.", attempts: 10 },
	{ minutes: 1_530, type: "webhook.test", status: 200, attempts: 1 },
];

/** Nothing is sent: the host does not exist, and what the log shows is written into the database. */
export async function addWebhooks(dashboard: Dashboard): Promise<void> {
	const create = (body: object) => dashboard.api.call<{ id: number }>("POST", "/v1/webhooks", body);
	const { id } = await create({
		url: "https://ci.example.com/hooks/tapedeck",
		events: ["build.finished", "runner.offline", "runner.online"],
		q: "branch:main",
	});
	await create({ ...SLACK, events: ["build.finished"] });
	inDatabase(dashboard, (database) => {
		const add =
			database.prepare(`insert into webhookDelivery (organizationId, webhookId, messageId, type, orderKey, body, state,
			attempts, nextAt, createdAt, lastAttemptAt, status, error, answer, durationMs) values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
		const now = Date.now();
		for (const { minutes, type, build, status, error, attempts } of LOG.toReversed()) {
			const at = now - minutes * MINUTE_MS;
			const isWaiting = error !== undefined && attempts < 10;
			const state = error === undefined ? "delivered" : isWaiting ? "waiting" : "failed";
			const data = build === undefined ? { runner: { id: 1, name: "ci-linux-01" } } : { build: { build, failed: 2 } };
			const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
			const answer = status === undefined ? null : status === 503 ? "upstream is being deployed" : "";
			add.run(
				...[id, `msg_${type}_${minutes}`, type, `${type} ${minutes}`, body, state, attempts],
				...[isWaiting ? now + 28 * MINUTE_MS : null, at, at, status ?? null, error ?? null, answer, status ? 84 : 12],
			);
		}
	});
}
