/**
 * Links that open a recording without signing in: its page, or one clip or one frame of it. Created by users, stored as
 * hashes, revocable at any time. What a link opens is in its row and nowhere in its URL, so nobody can change it there
 * (docs/decisions/0054-clips-and-frames-by-share-links.md).
 */
import { randomBytes } from "node:crypto";
import { type ClipQuery, DEFAULT_CLIP_BYTES } from "@tapedeck/contract/clip.ts";
import type {
	CreateShareLink,
	NewShareLink,
	SharedPart,
	SharedRecording,
	ShareLink,
	ShownByLink,
} from "@tapedeck/contract/link.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import type { FrameQuery } from "@tapedeck/contract/recording.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Clock, type Context, creatorOf, type Database, inTransaction } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { invalid, notFound, TapedeckError } from "#lib/core/errors.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { futureExpiry, roundedSeconds, timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { ShareLinkTable } from "#lib/db/schema.ts";
import { assertVideo, findRecording, type RecordingRow } from "#lib/lifecycle/recording-store.ts";
import { clipRange } from "./excerpts/clip-range.ts";
import { failMarkerOf, reportedFailureOf } from "./fail-markers.ts";
import { privacyOf } from "./recording-details.ts";
import { listRecordingMarkers } from "./recording-markers.ts";
import { recordingView } from "./recording-view.ts";

const PREFIX_LENGTH = 6;

/**
 * Creates a link that works for anyone who has it.
 * @returns the link with its URL, which is not shown again.
 * @throws not_found; validation_failed if the expiry is in the past, or what it opens is not in the video.
 */
export async function createShareLink(
	ctx: Context,
	recordingId: number,
	{ expiresAt: expiry, ...asked }: CreateShareLink,
): Promise<NewShareLink> {
	const now = ctx.clock.now();
	const expiresAt = futureExpiry(expiry, now);
	const recording = await findRecording(ctx, recordingId);
	const shown: ShownByLink = {
		opens: asked.opens,
		include: asked.include,
		width: asked.width ?? null,
		at: asked.at ?? null,
		from: asked.from ?? null,
		to: asked.to ?? null,
		format: asked.opens === "clip" ? (asked.format ?? "mp4") : null,
	};
	checkMoments(recording, shown);
	const token = randomBytes(24).toString("base64url");
	const by = creatorOf(ctx);
	return inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.insertInto("shareLink")
			.values({
				organizationId: ctx.actor.organizationId,
				recordingId,
				hash: hashSecret(token),
				prefix: token.slice(0, PREFIX_LENGTH),
				createdByUserId: by?.kind === "user" ? by.id : null,
				createdByName: by?.name ?? "Tapedeck",
				createdAt: now,
				expiresAt,
				shown: JSON.stringify(shown),
			})
			.returningAll()
			.executeTakeFirstOrThrow();
		await audit(ctx, {
			action: "link.created",
			target: { kind: "recording", id: recordingId, name: recording.name },
			detail: { linkId: row.id, expiresAt: expiry, opens: shown.opens, include: shown.include },
		});
		const path = shown.opens === "page" ? `/shared/${token}` : `/v1/shared/${token}/${shown.opens}`;
		return { ...shareLinkView(row), url: `${ctx.baseUrl}${path}` };
	});
}

/** A link that can never open is refused when it is created. While a video grows, nobody knows its end. */
function checkMoments(recording: RecordingRow, { opens, at, from, to, format }: ShownByLink): void {
	const durationSeconds = recording.state === "live" ? Number.POSITIVE_INFINITY : recording.durationSeconds;
	if (opens !== "page") assertVideo(recording);
	if (opens === "clip" && from !== null && to !== null) {
		clipRange({ from, to, format: format ?? "mp4" }, durationSeconds, null);
	}
	const [path, moment] = at === null ? (["from", from] as const) : (["at", at] as const);
	if (moment === null || moment <= durationSeconds) return;
	const message = `Send ${path} as at most ${roundedSeconds(durationSeconds)}, the length of the recording.`;
	throw invalid({ path, code: "too_big", message });
}

/** A recording's working links, newest first. @throws not_found; validation_failed at `cursor`. */
export async function listShareLinks(
	ctx: Context,
	recordingId: number,
	{ limit, cursor }: PageQuery,
): Promise<Page<ShareLink>> {
	await findRecording(ctx, recordingId);
	const rows = await ctx.reads
		.selectFrom("shareLink")
		.selectAll()
		.where("recordingId", "=", recordingId)
		.where("revokedAt", "is", null)
		.where((link) => link.or([link("expiresAt", "is", null), link("expiresAt", ">", ctx.clock.now())]))
		.$if(cursor !== undefined, (query) => query.where("id", "<", readCursor(cursor ?? "")))
		.orderBy("id", "desc")
		.limit(limit + 1)
		.execute();
	return pageFrom(rows, limit, shareLinkView);
}

/** Revokes a link: what it opens is gone from the next request on. @throws not_found */
export async function revokeShareLink(ctx: Context, recordingId: number, linkId: number): Promise<void> {
	const recording = await findRecording(ctx, recordingId);
	await inTransaction(ctx, async (ctx) => {
		const revoked = await ctx.db
			.updateTable("shareLink")
			.set({ revokedAt: ctx.clock.now() })
			.where("id", "=", linkId)
			.where("recordingId", "=", recordingId)
			.where("revokedAt", "is", null)
			.returning("id")
			.executeTakeFirst();
		if (revoked === undefined) throw notFound("link");
		const target = { kind: "recording", id: recordingId, name: recording.name } as const;
		await audit(ctx, { action: "link.revoked", target, detail: { linkId } });
	});
}

/** The purpose of a request by a link: the page with its video and pictures, the clip, a frame, or a part of the page. */
export type LinkPart = "page" | "clip" | "frame" | Exclude<SharedPart, "steps">;

/** The target of a link's token. */
export interface OpenedLink {
	organizationId: number;
	recordingId: number;
	expiresAt: number | null;
	shown: ShownByLink;
}

/**
 * Resolves a link's token to its recording and what it opens of it.
 * @param part what the caller wants to open with it.
 * @throws not_found if the token is unknown or revoked, or does not open this part; gone if it has expired.
 */
export async function openShareLink(
	{ db, clock }: { db: Database; clock: Clock },
	token: string,
	part: LinkPart,
): Promise<OpenedLink> {
	const row = await db
		.selectFrom("shareLink")
		.select(["organizationId", "recordingId", "expiresAt", "shown"])
		.where("hash", "=", hashSecret(token))
		.where("revokedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) {
		throw new TapedeckError("not_found", "This link no longer works: it was revoked, or only part of it was copied.");
	}
	if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
		throw new TapedeckError("gone", "This link has expired. Ask the person who sent it for a new one.");
	}
	const link = { ...row, shown: shownOf(row) };
	if (!opensPart(link.shown, part)) {
		throw new TapedeckError("not_found", "This link doesn't open this. Use it as it was sent to you.");
	}
	return link;
}

function opensPart({ opens, include }: ShownByLink, part: LinkPart): boolean {
	switch (part) {
		case "tests":
		case "attachments":
		case "tracks":
		case "proof":
			return opens === "page" && include.includes(part);
		case "frame":
			return opens === "page" || opens === "frame";
		default:
			return opens === part;
	}
}

/** The page and nothing besides: what links from before there was a choice open. */
const PAGE: ShownByLink = {
	opens: "page",
	at: null,
	from: null,
	to: null,
	include: [],
	format: null,
	width: null,
};
const shownOf = ({ shown }: Pick<Selectable<ShareLinkTable>, "shown">): ShownByLink =>
	shown === null ? PAGE : { ...PAGE, ...JSON.parse(shown) };

/** Wide enough to read; a narrower video keeps its own width. */
const FRAME_WIDTH = 1_920;

/** The frame of a link that opens one. */
export const frameOf = ({ at, width }: ShownByLink): FrameQuery => ({ at: at ?? 0, width: width ?? FRAME_WIDTH });

/** The clip of a link that opens one: exact, because nothing that is before it was meant to be shown. */
export const clipOf = ({ from, to, format, width }: ShownByLink): ClipQuery => ({
	...(from === null || to === null ? {} : { from, to }),
	exact: "1",
	format: format ?? "mp4",
	maxBytes: DEFAULT_CLIP_BYTES,
	size: width ?? undefined,
});

/** Chats show pictures in this width. */
const PICTURE_WIDTH = 1_200;

/** Shared pages have no paging and show the first markers only. */
const MAX_SHOWN_MARKERS = 1_000;
/** The messages of markers on a shared page together, in characters. Those that come later are left out. */
const MAX_SHOWN_TEXT = 1_000_000;

/** @returns the fields of the recording that every shared page may show. @throws not_found */
export async function readShared(
	ctx: Context,
	token: string,
	{ expiresAt, shown }: Pick<OpenedLink, "expiresAt" | "shown">,
): Promise<SharedRecording> {
	if (ctx.actor.kind !== "link" || ctx.actor.recordingId === null) throw notFound("link");
	const row = await findRecording(ctx, ctx.actor.recordingId);
	const { name, outcome, kind, contentType, durationSeconds, width, height } = recordingView(ctx, row);
	const markers = (await listRecordingMarkers(ctx, row.id, { limit: MAX_SHOWN_MARKERS })).data;
	const api = `${ctx.baseUrl}/v1/shared/${token}`;
	const { at, from, to, include } = shown;
	const moment = at ?? from;
	const picture = isFailure(outcome) ? "of=failure" : moment === null ? null : `at=${moment}`;
	let shownText = 0;
	return {
		name,
		outcome,
		kind,
		contentType,
		durationSeconds,
		width,
		height,
		privacy: await privacyOf(ctx, row),
		markers: markers.map(({ jobId: _jobId, at: _at, message, ...marker }) => {
			shownText += message?.length ?? 0;
			return { ...marker, message: shownText > MAX_SHOWN_TEXT ? null : message };
		}),
		at,
		from,
		to,
		include,
		failureOffsetSeconds: isFailure(outcome) ? await failureSecondsOf(ctx, row) : null,
		expiresAt: timestampOrNull(expiresAt),
		videoUrl: `${api}/video`,
		posterUrl: `${api}/poster`,
		pictureUrl: picture === null ? `${api}/poster?size=full` : `${api}/frame?${picture}&width=${PICTURE_WIDTH}`,
	};
}

/** In seconds from the first frame; null if nobody reported when it failed. */
const failureSecondsOf = async (ctx: Context, row: RecordingRow): Promise<number | null> =>
	(await failMarkerOf(ctx, row)) ?? (await reportedFailureOf(ctx, row))?.offsetSeconds ?? null;

/**
 * The failure's text on a shared page, for previews of the link: the message or the label of its first marker of the
 * kind `fail`, or without one those of the first failure that was reported, if the link includes tests. Null without a failure.
 * @throws not_found
 */
export async function sharedFailure(
	ctx: Context,
	{ shown: { include } }: Pick<OpenedLink, "shown">,
	{ markers }: Pick<SharedRecording, "markers">,
): Promise<string | null> {
	const marker = markers.find(({ kind }) => kind === "fail");
	if (marker !== undefined) return marker.message ?? marker.label;
	if (ctx.actor.kind !== "link" || ctx.actor.recordingId === null || !include.includes("tests")) return null;
	const failure = await reportedFailureOf(ctx, await findRecording(ctx, ctx.actor.recordingId));
	return failure === null ? null : (failure.message ?? failure.test);
}

const shareLinkView = (row: Selectable<ShareLinkTable>): ShareLink => ({
	id: row.id,
	recordingId: row.recordingId,
	prefix: row.prefix,
	...shownOf(row),
	createdBy: row.createdByName,
	createdAt: timestamp(row.createdAt),
	expiresAt: timestampOrNull(row.expiresAt),
});
