/** Access by a link instead of credentials: signed URLs and share links. Each is valid for one recording. */
import type { Actor } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { SignedFile } from "#lib/recordings/playback/signed-link.ts";
import { openShareLink } from "#lib/recordings/share-links.ts";
import type { AppContext } from "./app-context.ts";

type LinkActor = Extract<Actor, { kind: "link" }>;

/**
 * The caller of a signed URL of this file (`GET /v1/recordings/{id}/url`).
 * @returns what finds the caller, or null when the URL carries no signature. It throws unauthorized for a wrong or
 *   expired signature, and not_found.
 */
export const bySignature =
	(file: SignedFile["file"]) =>
	(app: AppContext, { recordingId }: { recordingId: number }, { searchParams }: URL): Promise<LinkActor> | null =>
		searchParams.has("signature") ? openSignedUrl(app, file, recordingId, searchParams) : null;

async function openSignedUrl(
	app: AppContext,
	file: SignedFile["file"],
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
	const link = { expires: searchParams.get("expires"), signature: searchParams.get("signature") };
	app.links.verify({ file, recording }, link, app.clock.now());
	return { kind: "link", organizationId: recording.organizationId, recordingId };
}

/** The caller of a share link. @throws not_found, gone */
export async function byShareToken(app: AppContext, { token }: { token: string }): Promise<LinkActor> {
	const { organizationId, recordingId } = await openShareLink(app, token);
	return { kind: "link", organizationId, recordingId };
}

/** The recording that a link is valid for. */
export function linkedRecording(actor: Actor): number {
	if (actor.kind !== "link") throw new Error(`a ${actor.kind} cannot follow a link`);
	return actor.recordingId;
}
