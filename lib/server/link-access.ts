/** Access by a link instead of credentials: signed URLs and share links. Each is valid for one recording. */
import type { Actor } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import { openShareLink } from "#lib/recordings/share-links.ts";
import type { AppContext } from "./app-context.ts";

type LinkActor = Extract<Actor, { kind: "link" }>;

/**
 * The caller of a signed URL (`GET /v1/recordings/{id}/url`).
 * @returns null when the URL carries no signature.
 * @throws unauthorized for a wrong or expired signature; not_found.
 */
export function bySignature(
	app: AppContext,
	{ recordingId }: { recordingId: number },
	{ searchParams }: URL,
): Promise<LinkActor> | null {
	return searchParams.has("signature") ? openSignedUrl(app, recordingId, searchParams) : null;
}

async function openSignedUrl(app: AppContext, recordingId: number, searchParams: URLSearchParams): Promise<LinkActor> {
	const [expires, signature] = [searchParams.get("expires"), searchParams.get("signature")];
	app.links.verify({ recordingId, expires, signature }, app.clock.now());
	const row = await app.db
		.selectFrom("recording")
		.select("organizationId")
		.where("id", "=", recordingId)
		.executeTakeFirst();
	if (row === undefined) throw notFound("recording");
	return { kind: "link", organizationId: row.organizationId, recordingId };
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
