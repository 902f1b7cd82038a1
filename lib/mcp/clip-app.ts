/**
 * The view in which hosts of MCP Apps play the video of an answer, in the chat. The video comes by a signed URL: the view
 * runs in a sandbox that has no credentials.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { refusalOf } from "#lib/access/authorize.ts";
import type { AppContext } from "#lib/http/app-context.ts";
import { signedUrl } from "#lib/recordings/playback/signed-link.ts";
import type { ToolCall } from "./tool.ts";

/** The extension's name, by which clients say that they show views. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui";
export const CLIP_APP = {
	uri: "ui://tapedeck/clip",
	name: "Recording",
	description: "Plays the recording of an answer, from shortly before its failure",
	mimeType: "text/html;profile=mcp-app",
} as const;

/** The key of `_meta` with a `PlayedVideo`. Models do not see it. */
export const PLAYED_KEY = "tapedeck/clip";
/** A chat that is opened later shows the frames and the link. */
const PLAYS_SECONDS = 86_400;
/** Seconds shown before the failure. */
const BEFORE_SECONDS = 5;

export interface PlayedVideo {
	title: string;
	/** Null if the caller may not make links, with the reason in `refusal`. */
	videoUrl: string | null;
	posterUrl: string | null;
	refusal: string | null;
	/** The page of the whole recording. */
	pageUrl: string;
	/** Seconds. The view begins there, and repeats a stretch with an end. */
	from: number;
	to: number | null;
}

/** @param shown `failedAt` of a recording that failed, or the stretch of a clip. */
export async function playedVideo(
	{ ctx, app }: ToolCall,
	{ id, name }: { id: number; name: string },
	shown: { failedAt: number | null } | { from: number; to: number },
): Promise<PlayedVideo> {
	const refusal = refusalOf("recordings:share", ctx.actor);
	const link = refusal === null ? await signedUrl(ctx, app.links, id, PLAYS_SECONDS) : null;
	const range = "to" in shown ? shown : { from: Math.max(0, (shown.failedAt ?? 0) - BEFORE_SECONDS), to: null };
	return {
		title: name,
		videoUrl: link?.url ?? null,
		posterUrl: link?.posterUrl ?? null,
		refusal,
		pageUrl: `${ctx.baseUrl}/recordings/${id}`,
		...range,
	};
}

/** The view, which may load nothing but what the dashboard serves. */
export async function readClipApp({ rootDir }: AppContext, baseUrl: string): Promise<ReadResourceResult> {
	const text = await readFile(join(rootDir, "lib", "mcp", "clip-app.html"), "utf8");
	const csp = { resourceDomains: [new URL(baseUrl).origin] };
	const { uri, mimeType } = CLIP_APP;
	return { contents: [{ uri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }] };
}
