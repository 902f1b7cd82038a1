/** Webhooks: HTTP requests that the dashboard sends when something happened, signed as Standard Webhooks 1.0.0 says. */
import * as z from "zod";
import "./no-eval.ts";
import { buildSchema } from "./build.ts";
import { jobErrorSchema } from "./job.ts";
import { JOB_STATUSES, STOP_REASONS } from "./job-status.ts";
import { outcomeSchema, storedLabelsSchema } from "./labels.ts";
import { onTheWire } from "./on-the-wire.ts";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { idSchema, plainText, timestampSchema } from "./primitives.ts";
import { searchFaults } from "./query-params.ts";
import { recordingSchema } from "./recording.ts";
import { runnerSchema } from "./runner.ts";
import { MAX_SEARCH_LENGTH } from "./search.ts";
import { missedSessionSchema } from "./session.ts";
import { storageSchema } from "./storage.ts";
import { testResultSchema } from "./test-result.ts";
import { WEBHOOK_EVENTS, WEBHOOK_KINDS } from "./webhook-events.ts";

/** A payload has at most this many bytes. */
export const MAX_WEBHOOK_BYTES = 20_000;
const MAX_URL = 2_000;

const URL_FAULT =
	"Send url as an absolute http or https URL without credentials and without a fragment, such as https://example.com/hooks.";

function isWebhookUrl(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password, hash } = new URL(text);
	return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

const urlSchema = plainText("url", URL_FAULT)
	.max(MAX_URL, { error: `Send a url of at most ${MAX_URL} characters.` })
	.refine(isWebhookUrl, { error: URL_FAULT });

const EVENTS_FAULT = `Send events as a list of ${WEBHOOK_EVENTS.join(", ")}.`;
const eventsSchema = z
	.array(z.enum(WEBHOOK_EVENTS, { error: EVENTS_FAULT }), { error: EVENTS_FAULT })
	.min(1, { error: EVENTS_FAULT })
	.max(WEBHOOK_EVENTS.length, { error: "Send each event once." })
	.transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event)));

const searchSchema = plainText("q")
	.max(MAX_SEARCH_LENGTH, { error: `Send q with at most ${MAX_SEARCH_LENGTH} characters.` })
	.superRefine((q, ctx) => {
		for (const message of searchFaults(q)) ctx.addIssue({ code: "custom", message });
	})
	.transform((q) => q.trim() || null)
	.nullable()
	.describe(
		"A search: events of jobs, recordings, tests and builds that it does not find are left out. Other events are not filtered.",
	);

export const webhookSchema = z.object({
	id: idSchema,
	url: z.string(),
	events: z.array(z.enum(WEBHOOK_EVENTS)),
	q: z.string().nullable(),
	kind: z.enum(WEBHOOK_KINDS),
	onlyNew: z.boolean(),
	/** Whether it has the token of a Slack bot, which is never shown again. */
	hasBotToken: z.boolean(),
	/** Deliveries wait while it is paused. */
	paused: z.boolean(),
	/** Why it was paused by the dashboard: the receiver answered 410 Gone. Null otherwise. */
	pausedBecause: z.string().nullable(),
	/** Until then requests also have a signature of the secret before the current one; null if they have one signature. */
	previousSecretUntil: timestampSchema.nullable(),
	/** Deliveries that wait for their next attempt. */
	waiting: z.int(),
	createdBy: z.string().nullable(),
	createdAt: timestampSchema,
});
export type Webhook = z.infer<typeof webhookSchema>;
export const webhookPageSchema = pageOf(webhookSchema);
/** A new webhook with its secret, which is never shown again. */
export const newWebhookSchema = webhookSchema.extend({ secret: z.string() });
export type NewWebhook = z.infer<typeof newWebhookSchema>;

const KIND_FAULT = `Send kind as one of ${WEBHOOK_KINDS.join(", ")}, or leave it out for standard.`;
const onlyNewSchema = z
	.boolean({ error: "Send onlyNew as true or false." })
	.describe("Leaves out the end of a build in which nothing fails that did not fail with the same cause before.");

const BOT_TOKEN_FAULT =
	"Send botToken as the Bot User OAuth Token of your Slack app, which begins with xoxb-, or null for none.";
const botTokenSchema = z
	.string({ error: BOT_TOKEN_FAULT })
	.trim()
	.regex(/^(?:xoxe\.)?xoxb-[\w.-]{1,500}$/, { error: BOT_TOKEN_FAULT })
	.nullable()
	.describe(
		"The token of a Slack bot with the scope files:write, with which frames of new failures are uploaded to Slack and shown in the message. Only for the kind slack, and never shown again.",
	);
export const BOT_TOKEN_KIND_FAULT = "Leave out botToken, or send kind as slack: no other receiver has bot tokens.";

/** Chats understand nothing else. */
export const CHAT_EVENTS_FAULT = 'Send events as ["build.finished"]: chats get a message at the end of a build.';
export const isForChats = (events: readonly string[]): boolean => events.every((event) => event === "build.finished");

export const createWebhookBodySchema = z
	.strictObject({
		url: urlSchema,
		events: eventsSchema,
		q: searchSchema.default(null),
		kind: z
			.enum(WEBHOOK_KINDS, { error: KIND_FAULT })
			.describe(
				"The format that the receiver understands: standard for signed payloads, or slack, teams and mattermost for a message at the end of a build.",
			)
			.default("standard"),
		onlyNew: onlyNewSchema.default(false),
		botToken: botTokenSchema.default(null),
	})
	.refine(({ kind, events }) => kind === "standard" || isForChats(events), {
		path: ["events"],
		error: CHAT_EVENTS_FAULT,
	})
	.refine(({ kind, botToken }) => kind === "slack" || botToken === null, {
		path: ["botToken"],
		error: BOT_TOKEN_KIND_FAULT,
	});
export type CreateWebhook = z.output<typeof createWebhookBodySchema>;

export const changeWebhookBodySchema = z
	.strictObject({
		url: urlSchema.optional(),
		events: eventsSchema.optional(),
		q: searchSchema.optional(),
		onlyNew: onlyNewSchema.optional(),
		botToken: botTokenSchema.optional(),
		paused: z.boolean({ error: "Send paused as true or false." }).optional(),
	})
	.refine((changes) => Object.keys(changes).length > 0, {
		error: "Send what to change: url, events, q, onlyNew, botToken or paused.",
	})
	.register(onTheWire, { minProperties: 1 });
export type ChangeWebhook = z.output<typeof changeWebhookBodySchema>;

/** `waiting` for its first or next attempt; `failed` after the last one. */
export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One event for one webhook. */
export const deliverySchema = z.object({
	id: idSchema,
	webhookId: idSchema,
	/** The header `webhook-id`, the same at every attempt and when it is sent again. */
	messageId: z.string(),
	/** An event, or `webhook.test`. */
	type: z.string(),
	state: z.enum(DELIVERY_STATES),
	attempts: z.int(),
	createdAt: timestampSchema,
	lastAttemptAt: timestampSchema.nullable(),
	/** Null unless it waits. */
	nextAttemptAt: timestampSchema.nullable(),
	/** The status that the receiver answered the last attempt with; null without an answer. */
	status: z.int().nullable(),
	/** Why the last attempt failed; null if it did not. */
	error: z.string().nullable(),
	/** Duration of the last attempt. */
	durationSeconds: z.number().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;
export const deliveryPageSchema = pageOf(deliverySchema);
/** A delivery with the payload, and the beginning of the answer. */
export const wholeDeliverySchema = deliverySchema.extend({
	body: z.string(),
	answer: z.string().nullable(),
});
export type WholeDelivery = z.infer<typeof wholeDeliverySchema>;

export const listDeliveriesQuerySchema = z.object({
	state: z
		.enum(DELIVERY_STATES, { error: `Send state as one of ${DELIVERY_STATES.join(", ")}, or leave it out.` })
		.optional(),
	limit: limitParam,
	cursor: cursorParam,
});
export type ListDeliveriesQuery = z.output<typeof listDeliveriesQuerySchema>;

const EXPECTED = "Send expectedJobs as a whole number from 1 to 100000, or leave it out.";
export const finishBuildBodySchema = z.strictObject({
	expectedJobs: z
		.int({ error: EXPECTED })
		.min(1, { error: EXPECTED })
		.max(100_000, { error: EXPECTED })
		.optional()
		.describe(
			"Jobs and test runs that the build has in all: it is finished when as many have ended. Without it, those that it has now.",
		),
});
export type FinishBuild = z.output<typeof finishBuildBodySchema>;
export const buildEndSchema = z.object({
	build: z.string(),
	expectedJobs: z.int().nullable(),
	/** Jobs and test runs that have ended. */
	endedJobs: z.int(),
	/** Null while jobs of it have not ended or are still expected. */
	finishedAt: timestampSchema.nullable(),
});
export type BuildEnd = z.infer<typeof buildEndSchema>;

/** Fields of every payload: the committed state when it was written, with links to pages. */
const page = { url: z.string() };
const payloadOf = <const T extends string, D extends z.ZodRawShape>(type: T, data: D) =>
	z.object({ type: z.literal(type), timestamp: timestampSchema, data: z.object(data) });

export const webhookPayloadSchema = z.discriminatedUnion("type", [
	payloadOf("job.ended", {
		job: z.object({
			id: idSchema,
			organizationId: idSchema,
			runnerId: idSchema,
			name: z.string(),
			labels: storedLabelsSchema,
			outcome: outcomeSchema.nullable(),
			status: z.enum(JOB_STATUSES),
			stopReason: z.enum(STOP_REASONS).nullable(),
			error: jobErrorSchema.nullable(),
			createdAt: timestampSchema,
			startedAt: timestampSchema.nullable(),
			stoppedAt: timestampSchema.nullable(),
			endedAt: timestampSchema.nullable(),
			/** Null if nothing was recorded. */
			recordingId: idSchema.nullable(),
			...page,
		}),
	}),
	payloadOf("recording.ready", {
		recording: recordingSchema
			.pick({
				id: true,
				organizationId: true,
				jobId: true,
				runnerId: true,
				name: true,
				labels: true,
				outcome: true,
				durationSeconds: true,
				bytes: true,
				width: true,
				height: true,
				verdict: true,
				createdAt: true,
			})
			.extend(page),
	}),
	payloadOf("test.failed", {
		test: testResultSchema
			.pick({
				id: true,
				testId: true,
				jobId: true,
				recordingId: true,
				testRunId: true,
				test: true,
				suite: true,
				file: true,
				line: true,
				project: true,
				attempt: true,
				outcome: true,
				startedAt: true,
				endedAt: true,
				cause: true,
				reason: true,
				flaky: true,
				new: true,
				labels: true,
				failureOffsetSeconds: true,
				isApproximate: true,
			})
			.extend(page),
	}),
	payloadOf("build.finished", { build: buildSchema.extend(page) }),
	payloadOf("runner.offline", { runner: runnerSchema.pick({ id: true, name: true, lastSeenAt: true }).extend(page) }),
	payloadOf("runner.online", { runner: runnerSchema.pick({ id: true, name: true, lastSeenAt: true }).extend(page) }),
	payloadOf("storage.full", { storage: storageSchema.extend(page) }),
	payloadOf("coverage.gap", { session: missedSessionSchema.extend(page) }),
	payloadOf("webhook.test", { message: z.string() }),
]);
export type WebhookPayload = z.infer<typeof webhookPayloadSchema>;
