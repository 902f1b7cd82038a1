/** The flags by which commands ask something of the video. What they leave out, the organization or the runner says. */
import { faultsOf } from "@tapedeck/contract/faults.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import * as z from "zod";
import { videoOptionsOf, videoShape } from "../config/video-settings.ts";
import { type Call, usageError } from "./command.ts";
import { option } from "./define-command.ts";

export const VIDEO_FLAGS = [
	option(
		"--preset <preset>",
		"balanced, sharp (larger files) or small; default as the runner is configured, like the next",
	),
	option("--fps <number>", "frames per second, from 1 to 60"),
	option("--max-width <pixels>", "scale a wider display down to this even number of pixels"),
	option("--max-height <pixels>", "the same for a higher one"),
	option("--crf <number>", "instead of the preset's quality: 0 (lossless) to 51"),
	option("--max-bitrate <bits>", "the most bits per second, such as 1000k"),
	option("--hide-cursor", "record without the pointer"),
	option("--region <region>", "record only this part of the display, such as 800x600+100+50"),
	option(
		"--window <window>",
		"record only this window, and follow it: a part of its title, or its id such as 0x1e00003",
	),
];

const settingsSchema = z.object(videoShape);

/** @returns undefined without these flags. @throws CommandError for a value that is none. */
export function videoOf({ values }: Pick<Call, "values">): VideoOptions | undefined {
	const raw = {
		"video-preset": values.preset,
		"video-fps": values.fps,
		"video-max-width": values.maxWidth,
		"video-max-height": values.maxHeight,
		"video-crf": values.crf,
		"video-max-bitrate": values.maxBitrate,
		"video-cursor": values.hideCursor === true ? "false" : undefined,
		"video-region": values.region,
		"video-window": values.window,
	};
	const read = settingsSchema.safeParse(raw);
	if (!read.success) {
		const [fault] = faultsOf(read.error.issues, raw);
		throw usageError(`${fault?.path.replace("video-", "--")}: ${fault?.message}`);
	}
	if (values.region !== undefined && values.window !== undefined)
		throw usageError("--window: Use either this or --region.");
	const asked = Object.entries(videoOptionsOf(read.data)).filter(([, value]) => value !== undefined);
	return asked.length === 0 ? undefined : Object.fromEntries(asked);
}
