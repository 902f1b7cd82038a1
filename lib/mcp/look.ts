/** The tool that looks: at a display now, or at a recording. */
import * as z from "zod";
import { invalid, isTapedeckError } from "#lib/core/errors.ts";
import { findRecording } from "#lib/lifecycle/recording-store.ts";
import { makeContactSheet } from "#lib/recordings/excerpts/contact-sheet.ts";
import { changedPart } from "#lib/recordings/pictures/changed-part.ts";
import { watchDisplay } from "#lib/runners/watch-display.ts";
import { findDisplay } from "./displays.ts";
import { describeRecording } from "./record.ts";
import { assertMay, id, MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, type ToolAnswer, type ToolCall, tool } from "./tool.ts";

const MAX_MOMENTS = 9;
/** The scale of a second attempt at a picture that has too many bytes. */
const SMALLER = 0.5;
const MOMENTS = `Send at as 1 to ${MAX_MOMENTS} moments in seconds, such as [12.5], or leave it out.`;

export const look = tool({
	name: "look",
	description:
		"See a display as it is now, or a recording: at moments, or without at, what happened in it with the frames of its failures.",
	isReadOnly: true,
	input: z.strictObject({
		display: z.string().optional(),
		runner: z.coerce.string().optional(),
		since: z
			.string()
			.regex(/^[\w-]{1,100}$/, { error: "Send since as an earlier look said, or leave it out." })
			.optional()
			.describe("From an earlier look: one line if nothing has changed"),
		recording: id("recording").optional(),
		at: z
			.array(z.number({ error: MOMENTS }).min(0, { error: MOMENTS }).max(1_000_000_000, { error: MOMENTS }), {
				error: MOMENTS,
			})
			.min(1, { error: MOMENTS })
			.max(MAX_MOMENTS, { error: MOMENTS })
			.optional()
			.describe("Seconds in the recording"),
	}),
	async run(call, { recording, at, ...display }) {
		if (recording === undefined) {
			if (at === undefined) return lookAtDisplay(call, display);
			throw invalid({ path: "recording", code: "required", message: "Send recording too: at is a time in one." });
		}
		assertMay(call, "recordings:read");
		if (at === undefined) return describeRecording(call, recording);
		const row = await findRecording(call.ctx, recording);
		const picture = await makeContactSheet(call.ctx, row, at, call.signal);
		const order = at.length === 1 ? "" : ", from left to right and from top to bottom";
		const length = row.state === "live" ? "which still records" : `which is ${row.durationSeconds.toFixed(1)} s long`;
		return { text: [`Recording ${recording}, ${length}, at ${at.join(", ")} s${order}.`], picture };
	},
});

async function lookAtDisplay(
	call: ToolCall,
	wanted: { display?: string | undefined; runner?: string | undefined; since?: string | undefined },
): Promise<ToolAnswer> {
	const { ctx, app, signal } = call;
	const { runnerId, runner, displayId, width, height } = await findDisplay(call, wanted);
	const largest = Math.floor(Math.min(width, (MAX_PICTURE_SIDE * width) / Math.max(width, height)));
	const name = `${displayId} of ${runner}`;
	try {
		for (const shown of [largest, Math.floor(largest * SMALLER)]) {
			const shot = { runnerId, displayId, width: shown };
			const { jpeg, etag } = await watchDisplay(ctx, app.pictures, shot, signal);
			const before = wanted.since === undefined ? null : app.pictures.earlier(runnerId, shot, wanted.since);
			const isSame =
				wanted.since === etag ||
				(before !== null && (await changedPart(ctx, { before, after: jpeg }, signal)) === "same");
			if (isSame) return { text: [`Nothing has changed on ${name} since then.`] };
			if (jpeg.length <= MAX_PICTURE_BYTES) {
				return { text: [`${name} now. To see only a change, send since: ${etag}`], picture: jpeg };
			}
		}
		return { text: [`No picture: that of ${name} has too many bytes. Record it, and look at the recording.`] };
	} catch (error) {
		// A display that is private, or whose runner has stopped, is nothing that the caller did wrong.
		if (isTapedeckError(error) && error.code === "picture_unavailable")
			return { text: [`No picture: ${error.message}`] };
		throw error;
	}
}
