/**
 * A page that paints the time, and reads it from a picture of the screen: so a test knows which moment a frame shows. Its two
 * rows of bars, at the bottom of the window, are the time in tenths of a second as binary digits, and below it their opposite.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { requireProgram } from "../processes/programs.ts";

const BITS = 16;
const ROW = 150;
const TENTH_MS = 100;
/** Positions are rounded to milliseconds. */
const ROUNDED_SECONDS = 0.001;

/**
 * The document; it paints whatever the size of its window, at 50 times a second. Its `shown()` resolves, once that is on the
 * screen, to the time that it painted last, in milliseconds since 1970: on a busy machine, a screen is behind the clock.
 */
export const CLOCK_PAGE = `<!doctype html><title>clock</title>
<body style="margin:0; background:gray; overflow:hidden"><canvas style="position:fixed; left:0; bottom:0"></canvas>
<script>
const canvas = document.querySelector("canvas");
let painted = 0;
setInterval(() => {
	painted = Date.now();
	[canvas.width, canvas.height] = [innerWidth, ${2 * ROW}];
	const pen = canvas.getContext("2d");
	const time = Math.floor(painted / ${TENTH_MS});
	for (let bit = 0; bit < ${BITS}; bit += 1) {
		const isSet = Math.floor(time / 2 ** bit) % 2 === 1;
		const [from, to] = [bit, bit + 1].map((place) => Math.round((place * innerWidth) / ${BITS}));
		for (const row of [0, 1]) {
			pen.fillStyle = isSet === (row === 0) ? "white" : "black";
			pen.fillRect(from, row * ${ROW}, to - from, ${ROW});
		}
	}
}, 20);
async function shown() {
	const time = painted;
	// The browser asks for another frame once one of those before is on the screen.
	for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
	return time;
}
</script>`;

/** The place of the page's window on its display, in pixels; it reaches down to the display's end. */
export interface ClockPlace {
	display: { width: number; height: number };
	left: number;
	width: number;
}

/**
 * The age of the frame that a player shows at a time of a video, and the time until the next one, in seconds: more than
 * a frame's length if a busy machine captured none. A frame is captured between the two.
 * @param input arguments for ffprobe: a file or a URL, with its options before it.
 */
export async function frameSpan(input: string[], atSeconds: number): Promise<{ age: number; left: number }> {
	const entries = ["-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"];
	const { stdout } = await promisify(execFile)(requireProgram("ffprobe"), ["-v", "error", ...entries, ...input]);
	const begun = stdout.split("\n").map(Number.parseFloat).filter(Number.isFinite);
	const isShown = (seconds: number) => seconds <= atSeconds + ROUNDED_SECONDS;
	return {
		age: atSeconds - Math.max(0, ...begun.filter(isShown)),
		left: Math.max(0, Math.min(...begun.filter((seconds) => !isShown(seconds))) - atSeconds),
	};
}

/** The number of columns of pixels that are read of a bar. The middle one counts. */
const COLUMNS = 5;

/** The source to read: a picture, or the frame that a player shows at a time of a video. */
export interface Seen {
	/** Arguments for ffmpeg: a file or a URL, with its options before it. */
	input: string[];
	/** The position in a video. */
	atSeconds?: number;
}

/**
 * The delay of the painting of the picture after a moment, in milliseconds, accurate to a tenth of a second. The page's
 * time starts again every 109 minutes.
 * @param moment in milliseconds since 1970.
 * @returns null if the picture does not show the page.
 */
export async function paintedAfter(
	{ input, atSeconds }: Seen,
	place: ClockPlace,
	moment: number,
): Promise<number | null> {
	const { display, left, width } = place;
	const part = (value: number, of: number) => (value / of).toFixed(5);
	const crop = [
		`crop=iw*${part(width, display.width)}:ih*${part(2 * ROW, display.height)}`,
		`iw*${part(left, display.width)}:ih*${part(display.height - 2 * ROW, display.height)}`,
	].join(":");
	// A player shows the last frame that has begun; ffmpeg seeks to the next one.
	const shown = atSeconds === undefined ? [] : [`trim=end=${(atSeconds + ROUNDED_SECONDS).toFixed(3)}`];
	const bits = `${crop},scale=${BITS * COLUMNS}:2:flags=area,format=gray,reverse`;
	const output = ["-frames:v", "1", "-vf", [...shown, bits].join(), "-f", "rawvideo", "pipe:1"];
	const child = spawn(requireProgram("ffmpeg"), ["-v", "error", ...input, ...output], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const chunks: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
	await once(child, "close");
	const grey = Buffer.concat(chunks);
	let tenths = 0;
	for (let bit = 0; bit < BITS; bit += 1) {
		const middle = bit * COLUMNS + Math.floor(COLUMNS / 2);
		const [above = 0, below = 0] = [grey[middle], grey[BITS * COLUMNS + middle]];
		if (Math.abs(above - below) < 100) return null;
		if (above > below) tenths += 2 ** bit;
	}
	const all = 2 ** BITS;
	const later = (tenths - (Math.floor(moment / TENTH_MS) % all) + all) % all;
	return (later > all / 2 ? later - all : later) * TENTH_MS;
}
