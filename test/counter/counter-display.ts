/** A virtual display that shows the counter, painted with a few requests of the X11 protocol. */
import { connectTo } from "#test/displays/x-client.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { BLOCK, bitmapOf, COLUMNS } from "./counter.ts";

const WIDTH = 320;
const HEIGHT = 240;
/** Faster than the 15 recorded frames per second, so that every frame can have its own number. */
const PAINT_MS = 40;
const GRAPHICS_CONTEXT = 1;
const LINE_BYTES = (COLUMNS * BLOCK) / 8;
const NOISE_ROWS = 8;

export interface CounterDisplay {
	/** The display's id in jobs: `:99`. */
	readonly id: string;
	/** All painted counters, in order: a number that was never shown cannot be missing from a recording. */
	readonly painted: readonly number[];
	stop(): Promise<void>;
}

/** @param now milliseconds since the run began. */
export async function startCounterDisplay(now: () => number): Promise<CounterDisplay> {
	const display = await startXvfb({ width: WIDTH, height: HEIGHT });
	const painted: number[] = [];
	try {
		const paint = await openPainter(display);
		const timer = setInterval(() => {
			const value = Math.round(now());
			if (paint.show(value)) painted.push(value);
		}, PAINT_MS);
		return {
			id: display.id,
			painted,
			async stop() {
				clearInterval(timer);
				paint.close();
				await display.stop();
			},
		};
	} catch (error) {
		await display.stop();
		throw error;
	}
}

interface Painter {
	/** @returns false while the X server has not accepted the previous picture. */
	show(value: number): boolean;
	close(): void;
}

async function openPainter(display: VirtualDisplay): Promise<Painter> {
	const { socket, ids, root } = await connectTo(display);
	const context = ids | GRAPHICS_CONTEXT;
	socket.write(createContext(context, root));
	return {
		show(value) {
			if (socket.writableLength > 0) return false;
			// A single request paints everything, because an X server never shows half of a request.
			socket.write(putBitmap(root, context, Buffer.concat([bitmapOf(value), noise()])));
			return !socket.destroyed;
		},
		close: () => socket.destroy(),
	};
}

/** CreateGC with white as foreground (for ones) and black as background. */
function createContext(id: number, drawable: number): Buffer {
	const request = Buffer.alloc(24);
	request.writeUInt8(55, 0);
	request.writeUInt16LE(6, 2);
	request.writeUInt32LE(id, 4);
	request.writeUInt32LE(drawable, 8);
	request.writeUInt32LE(0x4 | 0x8, 12);
	request.writeUInt32LE(0xffffff, 16);
	request.writeUInt32LE(0, 20);
	return request;
}

/** Random blocks of half the size: without them, recordings would have only a few bytes, too few to interrupt an upload. */
function noise(): Buffer {
	const line = () => Buffer.from(Array.from({ length: LINE_BYTES }, () => (Math.random() < 0.5 ? 0 : 0xff)));
	const rows = Array.from({ length: NOISE_ROWS }, line);
	return Buffer.concat(rows.flatMap((row) => Array.from({ length: BLOCK / 2 }, () => row)));
}

/** PutImage of one plane, at the top left. */
function putBitmap(drawable: number, context: number, bitmap: Buffer): Buffer {
	const head = Buffer.alloc(24);
	head.writeUInt8(72, 0);
	head.writeUInt16LE(6 + bitmap.length / 4, 2);
	head.writeUInt32LE(drawable, 4);
	head.writeUInt32LE(context, 8);
	head.writeUInt16LE(COLUMNS * BLOCK, 12);
	head.writeUInt16LE(bitmap.length / LINE_BYTES, 14);
	head.writeUInt8(1, 21);
	return Buffer.concat([head, bitmap]);
}
