/** Playing without signing in, by a link that was made for it: its address is the credential, for one recording. */
import * as z from "zod";
import { SHARE_TOKEN } from "../contract/link.ts";
import { posterSizeQuerySchema, videoQuerySchema } from "../contract/recording.ts";
import type { Actor } from "../core/context.ts";
import { notFound } from "../core/errors.ts";
import { servePoster } from "../recordings/pictures/poster.ts";
import { serveVideo } from "../recordings/playback/serve-video.ts";
import { openShareLink } from "../recordings/share-links.ts";
import type { AppContext } from "./app-context.ts";
import type { StreamRoute } from "./stream-route.ts";

type Link = Extract<Actor, { kind: "link" }>;

/** Who follows a link of `GET /v1/recordings/{id}/url`; null when the address carries no signature. */
export function bySignature(app: AppContext, { recordingId }: { recordingId: number }, url: URL): Promise<Link> | null {
	if (!url.searchParams.has("signature")) return null;
	return (async () => {
		const { searchParams } = url;
		const [expires, signature] = [searchParams.get("expires"), searchParams.get("signature")];
		app.links.verify({ recordingId, expires, signature }, app.clock.now());
		const row = await app.db
			.selectFrom("recording")
			.select("organizationId")
			.where("id", "=", recordingId)
			.executeTakeFirst();
		if (row === undefined) throw notFound("recording");
		return { kind: "link", organizationId: row.organizationId, recordingId };
	})();
}

/** Who follows the link of a shared page. */
export async function byShareToken(app: AppContext, { token }: { token: string }): Promise<Link> {
	const { organizationId, recordingId } = await openShareLink(app, token);
	return { kind: "link", organizationId, recordingId };
}

const shared = {
	open: true,
	uncounted: true,
	params: z.object({ token: z.string().regex(SHARE_TOKEN) }),
} as const;

const recordingOf = (actor: Actor): number => (actor.kind === "link" ? actor.recordingId : 0);

export const sharedRoutes: StreamRoute[] = [
	{
		method: "GET",
		path: "/v1/shared/:token/video",
		definition: {
			...shared,
			summary: "Play or download the recording of a shared page: Range, ETag and HEAD are understood.",
			query: videoQuerySchema,
			answers: { 200: null, 206: null, 304: null, 416: null },
		},
		byLink: byShareToken,
		handler: ({ ctx, query, req, res }) =>
			serveVideo(ctx, { recordingId: recordingOf(ctx.actor), download: query.download === "1", req, res }),
	},
	{
		method: "GET",
		path: "/v1/shared/:token/poster",
		definition: {
			...shared,
			summary: "The still picture of a shared page's recording, as JPEG; with size=full its first frame.",
			query: posterSizeQuerySchema,
			answers: { 200: null, 304: null },
		},
		byLink: byShareToken,
		handler: ({ ctx, query, req, res }) =>
			servePoster(ctx, { recordingId: recordingOf(ctx.actor), full: query.size === "full", req, res }),
	},
];
