/** Payloads of webhooks: what an event's subject is now, thin, with links to pages and nothing that plays a video. */
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { MAX_WEBHOOK_BYTES, type WebhookPayload } from "@tapedeck/contract/webhook.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { WebhookEventTable } from "#lib/db/schema.ts";
import { jobView } from "#lib/jobs/job-view.ts";
import { selectJobs } from "#lib/lifecycle/job-store.ts";
import { buildConditions } from "#lib/recordings/build-search.ts";
import { readBuild } from "#lib/recordings/builds.ts";
import { missedView } from "#lib/recordings/coverage.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { recordingView } from "#lib/recordings/recording-view.ts";
import { getStorage } from "#lib/recordings/space/storage-status.ts";
import type { SearchedTable } from "#lib/search/plan.ts";
import { resultViews } from "#lib/test-results/result-view.ts";
import { type OwnerIds, ownerColumn } from "#lib/test-results/store/result-owner.ts";
import { type BuildNews, readBuildNews } from "./chat/build-news.ts";

export type EventRow = Selectable<WebhookEventTable>;
type Data<T extends WebhookPayload["type"]> = Extract<WebhookPayload, { type: T }>["data"];

export interface Message {
	/** JSON of a WebhookPayload. */
	body: string;
	/** Messages with the same key are delivered in order. */
	orderKey: string;
	/** The subject that a webhook's search must find; null for events that are not filtered. */
	searched: SearchedRow | SearchedBuild | null;
	/** The news for chats. Null for events that chats do not get. */
	news: (() => Promise<BuildNews | null>) | null;
}

export interface SearchedRow {
	table: SearchedTable;
	id: number;
}
interface SearchedBuild {
	table: "build";
	isFoundBy(q: string): Promise<boolean>;
}

type Read = Omit<Message, "body" | "news"> & { news?: Message["news"]; data: WebhookPayload["data"] };

/** @returns null if there is nothing to tell any more: the job continues, or the recording was deleted. */
export async function messageOf(ctx: RecordingContext, event: EventRow): Promise<Message | null> {
	const owned = { ...ctx, actor: { kind: "system", organizationId: event.organizationId } } as const;
	const read = await READERS[event.type](owned, event.subject);
	if (read === null) return null;
	const { data, news = null, ...message } = read;
	return {
		...message,
		news,
		body: fitted({ type: event.type, timestamp: timestamp(event.at), data } as WebhookPayload),
	};
}

/** A message that only tells that it arrives. */
export const testBody = (ctx: Pick<Context, "clock">): string =>
	fitted({
		type: "webhook.test",
		timestamp: timestamp(ctx.clock.now()),
		data: { message: "A test from Tapedeck. Requests with this signature come from this dashboard." },
	});

const READERS: Record<EventRow["type"], (ctx: RecordingContext, subject: string) => Promise<Read | null>> = {
	"job.ended": async (ctx, subject) => {
		const row = await selectJobs(ctx.db).where("job.id", "=", Number(subject)).executeTakeFirst();
		if (row === undefined || !isEnded(row.status)) return null;
		const { id, organizationId, runnerId, name, labels, outcome, status, stopReason, error, ...job } = jobView(
			ctx,
			row,
		);
		const { createdAt, startedAt, stoppedAt, endedAt } = job;
		const data: Data<"job.ended"> = {
			job: {
				id,
				organizationId,
				runnerId,
				name,
				labels,
				outcome,
				status,
				stopReason,
				error,
				createdAt,
				startedAt,
				stoppedAt,
				endedAt,
				recordingId: job.recording?.id ?? null,
				url: `${ctx.baseUrl}/jobs/${id}`,
			},
		};
		return { data, orderKey: `job ${id}`, searched: { table: "job", id } };
	},
	"recording.ready": async (ctx, subject) => {
		const row = await ctx.db
			.selectFrom("recording")
			.selectAll()
			.where("id", "=", Number(subject))
			.where("deletedAt", "is", null)
			.executeTakeFirst();
		if (row === undefined) return null;
		const { id, organizationId, jobId, runnerId, name, labels, outcome, ...recording } = recordingView(ctx, row);
		const { durationSeconds, bytes, width, height, verdict, createdAt, url } = recording;
		const data: Data<"recording.ready"> = {
			recording: {
				id,
				organizationId,
				jobId,
				runnerId,
				name,
				labels,
				outcome,
				durationSeconds,
				bytes,
				width,
				height,
				verdict,
				createdAt,
				url,
			},
		};
		return {
			data,
			orderKey: ownerKey({ jobId, recordingId: id, testRunId: null }),
			searched: { table: "recording", id },
		};
	},
	"test.failed": async (ctx, subject) => {
		const row = await ctx.db.selectFrom("testResult").selectAll().where("id", "=", Number(subject)).executeTakeFirst();
		if (row === undefined || row.failedAt === null) return null;
		const [result] = await resultViews(ctx, [row]);
		if (result === undefined) return null;
		const { id, testId, jobId, recordingId, testRunId, suite, file, line, project, attempt, outcome, ...rest } = result;
		const { startedAt, endedAt, cause, reason, flaky, labels, failureOffsetSeconds, isApproximate } = rest;
		const data: Data<"test.failed"> = {
			test: {
				id,
				testId,
				jobId,
				recordingId,
				testRunId,
				test: rest.test,
				suite,
				file,
				line,
				project,
				attempt,
				outcome,
				startedAt,
				endedAt,
				cause,
				reason,
				flaky,
				new: rest.new,
				labels,
				failureOffsetSeconds,
				isApproximate,
				url: `${ctx.baseUrl}/tests/${testId}`,
			},
		};
		return { data, orderKey: ownerKey(row), searched: { table: "testResult", id } };
	},
	"build.finished": async (ctx, name) => {
		const build = await readBuild(ctx, name).catch(nullIfNotFound);
		if (build === null) return null;
		const data: Data<"build.finished"> = {
			build: { ...build, url: `${ctx.baseUrl}/builds/${encodeURIComponent(name)}` },
		};
		let news: Promise<BuildNews | null> | undefined;
		return {
			data,
			orderKey: `build ${name}`,
			searched: { table: "build", isFoundBy: (q) => isBuildFoundBy(ctx, name, q) },
			news() {
				news ??= readBuildNews(ctx, name).catch(nullIfNotFound);
				return news;
			},
		};
	},
	"runner.offline": readRunner,
	"runner.online": readRunner,
	"storage.full": async (ctx) => {
		const data: Data<"storage.full"> = { storage: { ...(await getStorage(ctx)), url: `${ctx.baseUrl}/settings` } };
		return { data, orderKey: "storage", searched: null };
	},
	"coverage.gap": async (ctx, sessionId) => {
		const row = await ctx.db
			.selectFrom("gridSession")
			.selectAll()
			.where("organizationId", "=", ctx.actor.organizationId)
			.where("sessionId", "=", sessionId)
			.where("recorded", "=", 0)
			.executeTakeFirst();
		if (row === undefined) return null;
		const data: Data<"coverage.gap"> = { session: { ...missedView(row), url: `${ctx.baseUrl}/coverage` } };
		return { data, orderKey: `session ${sessionId}`, searched: null };
	},
};

async function readRunner(ctx: RecordingContext, subject: string): Promise<Read | null> {
	const row = await ctx.db
		.selectFrom("runner")
		.select(["id", "name", "lastSeenAt"])
		.where("id", "=", Number(subject))
		.where("removedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) return null;
	const { id, name } = row;
	const data: Data<"runner.offline"> = {
		runner: { id, name, lastSeenAt: timestampOrNull(row.lastSeenAt), url: `${ctx.baseUrl}/runners` },
	};
	return { data, orderKey: `runner ${id}`, searched: null };
}

function nullIfNotFound(error: unknown): null {
	if (isTapedeckError(error) && error.code === "not_found") return null;
	throw error;
}

/** Events of a job, its recording and its tests are delivered in order. */
function ownerKey(owner: OwnerIds): string {
	const { column, id } = ownerColumn({ ...owner, recordingId: owner.jobId === null ? owner.recordingId : null });
	return column === "jobId" ? `job ${id}` : `${column} ${id}`;
}

async function isBuildFoundBy(ctx: Context, name: string, q: string): Promise<boolean> {
	const conditions = await buildConditions(ctx, q);
	const found = await ctx.db
		.selectFrom("build")
		.select("name")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("name", "=", name)
		.where(({ and }) => and(conditions))
		.executeTakeFirst();
	return found !== undefined;
}

/** Labels that stay in a payload that would be too long. */
const CHIEF_LABELS: readonly string[] = ["build", "branch", "commit", "repository", "workflow", "test", "suite"];
const CUT_TEXT = 500;

/** @returns JSON of at most MAX_WEBHOOK_BYTES: with fewer labels and shorter texts if it would be longer. */
function fitted(payload: WebhookPayload): string {
	const whole = JSON.stringify(payload);
	if (Buffer.byteLength(whole) <= MAX_WEBHOOK_BYTES) return whole;
	return JSON.stringify(payload, (key, value) => {
		if (key === "labels")
			return Object.fromEntries(Object.entries(value).filter(([name]) => CHIEF_LABELS.includes(name)));
		return typeof value === "string" && key !== "url" ? [...value].slice(0, CUT_TEXT).join("") : value;
	});
}
