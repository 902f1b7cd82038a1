/** The tool that makes a clip: a link to a stretch of a recording, and its frames. */
import { CLIP_FORMATS, type ClipFormat, clipQuerySchema } from "@tapedeck/contract/clip.ts";
import type { CreateShareLink } from "@tapedeck/contract/link.ts";
import { sourceLength } from "@tapedeck/media/byte-source.ts";
import * as z from "zod";
import { timestamp } from "#lib/core/times.ts";
import { makeContactSheet } from "#lib/recordings/excerpts/contact-sheet.ts";
import { withClip } from "#lib/recordings/excerpts/make-clip.ts";
import { createShareLink } from "#lib/recordings/share-links.ts";
import { planClip } from "#lib/test-results/serve-clip.ts";
import { playedVideo } from "./clip-app.ts";
import { assertMay, id, parseInput, pictureOr, tool } from "./tool.ts";

const SHARED_DAYS = 7;
const DAY_MS = 86_400_000;
/** Frames of the clip in the picture. */
const FRAMES = 4;

export const clip = tool({
	name: "clip",
	description:
		"Cut a clip out of a recording: between two moments, or without them around its failure. Returns a link to the MP4 or GIF.",
	hasVideo: true,
	input: z.strictObject({
		recording: id("recording"),
		from: z.number().optional().describe("Seconds"),
		to: z.number().optional(),
		format: z.enum(CLIP_FORMATS).optional(),
		share: z.boolean().optional().describe(`The link opens for everyone, for ${SHARED_DAYS} days`),
	}),
	async run(call, { recording, share = false, ...asked }) {
		assertMay(call, "recordings:read");
		if (share) assertMay(call, "recordings:write");
		const { ctx, signal } = call;
		const sent = Object.entries(asked).map(([name, value]) => [name, String(value)]);
		const query = parseInput(clipQuerySchema, Object.fromEntries(sent));
		const { row, clipCall, key } = await planClip(ctx, { ...query, recordingId: recording });
		const made = await withClip(ctx, { ...clipCall, key, signal }, async ({ from, to, source }) => ({
			from,
			to,
			bytes: sourceLength(source),
		}));
		const [from, to] = [made.from.toFixed(3), made.to.toFixed(3)].map(Number) as [number, number];
		const { format } = query;
		const url = share
			? (await createShareLink(ctx, recording, sharedClip(ctx.clock.now(), { from, to, format }))).url
			: `${ctx.baseUrl}/v1/recordings/${recording}/clip?from=${from}&to=${to}&format=${format}`;
		const access = share
			? `It opens for everyone for ${SHARED_DAYS} days.`
			: "It needs a sign-in or an API key as Bearer token; share: true makes a link for everyone.";
		const step = (to - from) / FRAMES;
		const times = Array.from({ length: FRAMES }, (_, index) => from + step * (index + 0.5));
		const size = `${Math.max(0.1, made.bytes / 1e6).toFixed(1)} MB`;
		return {
			text: [
				`Clip of recording ${recording} from ${from} to ${to} s, ${format}, ${size}: ${url}\n${access}\nThe whole recording: ${ctx.baseUrl}/recordings/${recording}`,
			],
			...(await pictureOr(() => makeContactSheet(ctx, row, times, signal))),
			...(call.showsViews ? { video: await playedVideo(call, row, { from, to }) } : {}),
		};
	},
});

const sharedClip = (now: number, shown: { from: number; to: number; format: ClipFormat }): CreateShareLink => ({
	opens: "clip",
	expiresAt: timestamp(now + SHARED_DAYS * DAY_MS),
	include: [],
	...shown,
});
