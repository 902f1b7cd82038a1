/** A video as a runner's ffmpeg writes it, in the pieces that it is sent in: 25 kB twice a second. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const PIECE_BYTES = 25_000;
const PIECES_PER_SECOND = 2;
const FRAMES_PER_SECOND = 20;

/** Encodes a fragmented MP4 of constant rate. */
export async function makePieces(file: string, seconds: number): Promise<void> {
	const rate = String(PIECE_BYTES * PIECES_PER_SECOND * 8);
	const frames = FRAMES_PER_SECOND / PIECES_PER_SECOND;
	const source = `testsrc2=size=640x360:rate=${FRAMES_PER_SECOND}`;
	await promisify(execFile)("ffmpeg", [
		...["-loglevel", "error", "-f", "lavfi", "-i", source, "-t", String(seconds)],
		...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", String(frames)],
		...["-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", "100k", "-x264-params", "nal-hrd=cbr"],
		...["-movflags", "+frag_keyframe+empty_moov+default_base_moof", file],
	]);
}
