/** Public pages that play one recording: created by users, stored as hashes, revocable at any time. */
import { randomBytes } from "node:crypto";
import type { NewShareLink, SharedRecording, ShareLink } from "@tapedeck/contract/link.ts";
import type { Page, PageQuery } from "@tapedeck/contract/page.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import type { Selectable } from "kysely";
import { audit } from "#lib/audit/write-audit.ts";
import { type Clock, type Context, creatorOf, type Database, inTransaction } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { futureExpiry, timestamp, timestampOrNull } from "#lib/core/times.ts";
import type { ShareLinkTable } from "#lib/db/schema.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { privacyOf } from "./recording-details.ts";
import { listRecordingMarkers } from "./recording-markers.ts";
import { recordingView } from "./recording-view.ts";

const PREFIX_LENGTH = 6;

/**
 * Creates a link to a page that plays this recording for anyone who has it.
 * @returns the link with its URL, which is not shown again.
 * @throws not_found; validation_failed if the expiry is in the past.
 */
export async function createShareLink(
	ctx: Context,
	recordingId: number,
	input: { expiresAt: string | null },
): Promise<NewShareLink> {
	const now = ctx.clock.now();
	const expiresAt = futureExpiry(input.expiresAt, now);
	const recording = await findRecording(ctx, recordingId);
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
			})
			.returningAll()
			.executeTakeFirstOrThrow();
		await audit(ctx, {
			action: "link.created",
			target: { kind: "recording", id: recordingId, name: recording.name },
			detail: { linkId: row.id, expiresAt: input.expiresAt },
		});
		return { ...shareLinkView(row), url: `${ctx.baseUrl}/shared/${token}` };
	});
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

/** Revokes a link: its page and its video are gone from the next request on. @throws not_found */
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

/**
 * Resolves a link's token to its recording.
 * @throws not_found if the token is unknown or revoked; gone if it has expired.
 */
export async function openShareLink(
	{ db, clock }: { db: Database; clock: Clock },
	token: string,
): Promise<{ organizationId: number; recordingId: number; expiresAt: number | null }> {
	const row = await db
		.selectFrom("shareLink")
		.select(["organizationId", "recordingId", "expiresAt"])
		.where("hash", "=", hashSecret(token))
		.where("revokedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) {
		throw new TapedeckError("not_found", "This link no longer works: it was revoked, or only part of it was copied.");
	}
	if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
		throw new TapedeckError("gone", "This link has expired. Ask the person who sent it for a new one.");
	}
	return row;
}

/** As wide as chats show pictures. */
const PICTURE_WIDTH = 1_200;

/** Shared pages have no paging and show the first markers only. */
const MAX_SHOWN_MARKERS = 1_000;
/** The messages of markers on a shared page together, in characters. Those that come later are left out. */
const MAX_SHOWN_TEXT = 1_000_000;

/** What a shared page may show of the recording. @throws as openShareLink; not_found */
export async function readShared(ctx: Context, token: string, expiresAt: number | null): Promise<SharedRecording> {
	if (ctx.actor.kind !== "link") throw notFound("link");
	const row = await findRecording(ctx, ctx.actor.recordingId);
	const { name, outcome, contentType, durationSeconds, width, height } = recordingView(ctx, row);
	const markers = (await listRecordingMarkers(ctx, row.id, { limit: MAX_SHOWN_MARKERS })).data;
	const api = `${ctx.baseUrl}/v1/shared/${token}`;
	let shownText = 0;
	return {
		...{ name, outcome, contentType, durationSeconds, width, height },
		privacy: await privacyOf(ctx, row),
		markers: markers.map(({ jobId: _jobId, at: _at, message, ...marker }) => {
			shownText += message?.length ?? 0;
			return { ...marker, message: shownText > MAX_SHOWN_TEXT ? null : message };
		}),
		expiresAt: timestampOrNull(expiresAt),
		videoUrl: `${api}/video`,
		posterUrl: `${api}/poster`,
		pictureUrl: isFailure(outcome) ? `${api}/frame?of=failure&width=${PICTURE_WIDTH}` : `${api}/poster?size=full`,
	};
}

const shareLinkView = (row: Selectable<ShareLinkTable>): ShareLink => ({
	id: row.id,
	recordingId: row.recordingId,
	prefix: row.prefix,
	createdBy: row.createdByName,
	createdAt: timestamp(row.createdAt),
	expiresAt: timestampOrNull(row.expiresAt),
});
