/**
 * Access by a link instead of credentials: signed URLs and share links. Each is valid for one recording, and for the
 * part of it that it was made for.
 */
import type { IncomingMessage } from "node:http";
import type { Actor } from "#lib/core/context.ts";
import { notFound, TapedeckError } from "#lib/core/errors.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { type LinkPart, type OpenedLink, openShareLink } from "#lib/recordings/share-links.ts";
import { type AppContext, contextFor } from "./app-context.ts";

type LinkActor = Extract<Actor, { kind: "link" }>;

/**
 * The caller of a signed URL of this file (`GET /v1/recordings/{id}/url`).
 * @returns what finds the caller, or null when the URL carries no signature. It throws unauthorized for a wrong or
 *   expired signature, and not_found.
 */
export const bySignature =
	(file: "video" | "poster") =>
	(app: AppContext, { recordingId }: { recordingId: number }, { searchParams }: URL): Promise<LinkActor> | null =>
		searchParams.has("signature") ? openSignedUrl(app, file, recordingId, searchParams) : null;

async function openSignedUrl(
	app: AppContext,
	file: "video" | "poster",
	recordingId: number,
	searchParams: URLSearchParams,
): Promise<LinkActor> {
	const recording = await app.db
		.selectFrom("recording")
		.select(["id", "uploadId", "createdAt", "organizationId"])
		.where("id", "=", recordingId)
		.where("deletedAt", "is", null)
		.executeTakeFirst();
	if (recording === undefined) throw notFound("recording");
	app.links.verify({ file: `${file} of recording`, row: recording }, searchParams, app.clock.now());
	return { kind: "link", organizationId: recording.organizationId, recordingId };
}

/**
 * The caller of a share link that opens this part of its recording.
 * @returns a function that finds the caller. It throws not_found and gone.
 */
export const byShareToken =
	(part: LinkPart) =>
	async (app: AppContext, { token }: { token: string }): Promise<LinkActor> =>
		actorOf(await openShareLink(app, token, part));

/**
 * Follows a share link in a handler that has no other caller.
 * @returns the context of the link's holder, and the link's target.
 * @throws not_found, gone
 */
export async function followShareLink(
	app: AppContext,
	token: string,
	part: LinkPart,
): Promise<OpenedLink & { ctx: RecordingContext }> {
	const link = await openShareLink(app, token, part);
	return { ...link, ctx: contextFor(app, actorOf(link)) };
}

const actorOf = ({ organizationId, recordingId }: OpenedLink): LinkActor => ({
	kind: "link",
	organizationId,
	recordingId,
});

/**
 * The URL of one clip or one frame has no parameters: the link itself defines the target.
 * @throws not_found for a URL with parameters.
 */
export function refuseParameters({ url = "" }: IncomingMessage): void {
	if (url.includes("?"))
		throw new TapedeckError("not_found", "This link opens one excerpt. Open it without parameters, as it was sent.");
}

/** The recording that a link is valid for. */
export function linkedRecording(actor: Actor): number {
	if (actor.kind !== "link" || actor.recordingId === null) throw new Error(`a ${actor.kind} opens no recording`);
	return actor.recordingId;
}
