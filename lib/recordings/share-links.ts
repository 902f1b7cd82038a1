/** Public pages that play one recording: made by people, kept as hashes, ended at any time. */
import { createHash, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { NewShareLink, SharedRecording, ShareLink } from "../contract/link.ts";
import { assertMayWrite, creatorOf } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Clock, Context, Database } from "../core/context.ts";
import { invalid, notFound, TapedeckError } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import type { ShareLinkTable } from "../db/schema.ts";
import { listRecordingMarkers } from "./recording-markers.ts";
import { findRecording } from "../lifecycle/recording-store.ts";
import { recordingView } from "./recording-view.ts";

const PREFIX_LENGTH = 6;
const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * Makes a link to a page that plays this recording to everybody who has it.
 * @returns the link, with its address: the only time that it is shown.
 * @throws forbidden for those who may only look; not_found; validation_failed for an expiry that has passed.
 */
export async function createShareLink(
	ctx: Context,
	recordingId: number,
	input: { expiresAt: string | null },
): Promise<NewShareLink> {
	assertMayWrite(ctx);
	const now = ctx.clock.now();
	const expiresAt = input.expiresAt === null ? null : Date.parse(input.expiresAt);
	if (expiresAt !== null && expiresAt <= now) {
		throw invalid({ path: "expiresAt", code: "too_small", message: "Send a time that is still to come, or null." });
	}
	const recording = await findRecording(ctx, recordingId);
	const token = randomBytes(24).toString("base64url");
	const by = creatorOf(ctx);
	return inTransaction(ctx, async (ctx) => {
		const row = await ctx.db
			.insertInto("shareLink")
			.values({
				organizationId: ctx.actor.organizationId,
				recordingId,
				hash: hashOf(token),
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

/** A recording's links that still work, newest first. @throws forbidden for those who may only look; not_found. */
export async function listShareLinks(ctx: Context, recordingId: number): Promise<ShareLink[]> {
	assertMayWrite(ctx);
	await findRecording(ctx, recordingId);
	const rows = await ctx.db
		.selectFrom("shareLink")
		.selectAll()
		.where("recordingId", "=", recordingId)
		.where("revokedAt", "is", null)
		.where((link) => link.or([link("expiresAt", "is", null), link("expiresAt", ">", ctx.clock.now())]))
		.orderBy("id", "desc")
		.execute();
	return rows.map(shareLinkView);
}

/** Ends a link: its page and its video are gone from the next request on. @throws forbidden, not_found */
export async function revokeShareLink(ctx: Context, recordingId: number, linkId: number): Promise<void> {
	assertMayWrite(ctx);
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
 * Which recording a link's token opens.
 * @throws not_found for a token that is none, or was revoked; gone for one that has expired.
 */
export async function openShareLink(
	{ db, clock }: { db: Database; clock: Clock },
	token: string,
): Promise<{ organizationId: number; recordingId: number; expiresAt: number | null }> {
	const row = await db
		.selectFrom("shareLink")
		.select(["organizationId", "recordingId", "expiresAt"])
		.where("hash", "=", hashOf(token))
		.where("revokedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) {
		throw new TapedeckError("not_found", "This link leads nowhere: it was ended, or not all of it was copied.");
	}
	if (row.expiresAt !== null && row.expiresAt <= clock.now()) {
		throw new TapedeckError("gone", "This link has expired. Ask who sent it for a new one.");
	}
	return row;
}

/** What a shared page shows, and nothing else of the recording. @throws as openShareLink; not_found */
export async function readShared(ctx: Context, token: string, expiresAt: number | null): Promise<SharedRecording> {
	if (ctx.actor.kind !== "link") throw notFound("link");
	const row = await findRecording(ctx, ctx.actor.recordingId);
	const { name, contentType, durationSeconds, width, height } = recordingView(ctx, row);
	const markers = (await listRecordingMarkers(ctx, row.id)).data;
	const api = `${ctx.baseUrl}/v1/shared/${token}`;
	return {
		...{ name, contentType, durationSeconds, width, height },
		markers: markers.map(({ id, label, kind, offsetSeconds }) => ({ id, label, kind, offsetSeconds })),
		expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
		videoUrl: `${api}/video`,
		posterUrl: `${api}/poster`,
	};
}

const shareLinkView = (row: Selectable<ShareLinkTable>): ShareLink => ({
	id: row.id,
	recordingId: row.recordingId,
	prefix: row.prefix,
	createdBy: row.createdByName,
	createdAt: new Date(row.createdAt).toISOString(),
	expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).toISOString(),
});
