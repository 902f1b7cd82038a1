/** Reads by ffprobe what a WebM contains: its video, and how long it plays. */
import * as z from "zod";
import { hasFoundFault, runFfmpeg, VIDEO_DECODERS } from "../run-ffmpeg.ts";

/** Codecs of WebM that browsers play, and codecs of accompanying streams. ffprobe refuses a file with any other codec. */
const DECODERS = `${VIDEO_DECODERS},opus,libopus,vorbis,libvorbis,pcm_s16le,pcm_f32le,webvtt`;
const VIDEO_CODECS = ["vp8", "vp9", "av1"];
/** Reading gigabytes takes some seconds of processor time, and an idle processor. */
const LIMITS = { cpuSeconds: 20, timeoutMs: 60_000 };
/** Duration of a frame if the file does not state it. */
const FRAME_SECONDS = 0.04;
/** The same as for MP4. */
const MAX_SIDE = 65_535;

export interface WebmInfo {
	/** 0 if unknown. */
	durationSeconds: number;
	width: number | null;
	height: number | null;
}

const UNKNOWN: WebmInfo = { durationSeconds: 0, width: null, height: null };

const pixels = z.int().positive().max(MAX_SIDE).nullable().catch(null);
const probedSchema = z.object({
	streams: z.array(
		z.object({
			index: z.int(),
			codec_type: z.string().optional(),
			codec_name: z.string().optional(),
			width: pixels,
			height: pixels,
		}),
	),
	format: z.object({ duration: z.coerce.number().positive().catch(0) }),
});
type Probed = z.infer<typeof probedSchema>;

/**
 * @param path of a WebM.
 * @returns null if it has no video that browsers play, or no frames. Without ffprobe, and when its limits are reached,
 *   nothing is known of it.
 */
export async function probeWebm(path: string): Promise<WebmInfo | null> {
	const about = ["-show_entries", "stream=index,codec_type,codec_name,width,height:format=duration", "-of", "json"];
	const result = await runFfmpeg("ffprobe", argumentsFor(path, about), LIMITS);
	if (result.reason !== null) return hasFoundFault(result) ? null : UNKNOWN;
	const { streams, format } = probedSchema.parse(JSON.parse(result.stdout.toString()));
	const video = streams.find((one) => one.codec_type === "video" && VIDEO_CODECS.includes(one.codec_name ?? ""));
	if (video === undefined) return null;
	const { width, height } = video;
	const durationSeconds = format.duration || (await measure(path, streams));
	return durationSeconds === null ? null : { durationSeconds, width, height };
}

const argumentsFor = (path: string, options: readonly string[]): string[] => [
	...["-v", "error", "-max_alloc", String(2 ** 29), "-codec_whitelist", DECODERS],
	// The format is fixed, not probed: some formats are lists of other files and URLs.
	...["-protocol_whitelist", "file", "-f", "matroska", ...options, `file:${path}`],
];

/** When the last frame or sound of a WebM ends that states no length. @returns null if it has none; 0 if unknown. */
async function measure(path: string, streams: Probed["streams"]): Promise<number | null> {
	const played = streams.filter((one) => one.codec_type === "video" || one.codec_type === "audio");
	const indexes = new Set(played.map(({ index }) => String(index)));
	let end: number | null = null;
	let rest = "";
	const read = (chunk: Buffer): void => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const [stream = "", begin = "", lasts = ""] = line.split(",");
			const seconds = Number.parseFloat(begin) + (Number.parseFloat(lasts) || FRAME_SECONDS);
			if (indexes.has(stream) && seconds > (end ?? 0)) end = seconds;
		}
	};
	const packets = ["-show_entries", "packet=stream_index,pts_time,duration_time", "-of", "csv=p=0"];
	const { reason } = await runFfmpeg("ffprobe", argumentsFor(path, packets), LIMITS, read);
	return reason === null ? end : 0;
}
