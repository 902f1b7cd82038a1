/** A window of one color on a virtual display without a window manager. */
import { once } from "node:events";
import { connectTo } from "./x-client.ts";
import type { VirtualDisplay } from "./xvfb.ts";

export interface WindowOptions {
	title: string;
	/** 0xrrggbb. */
	color: number;
	x: number;
	y: number;
	width: number;
	height: number;
}

export interface TestWindow {
	/** As X programs write it: `0x200001`. */
	id: string;
	moveTo(x: number, y: number): void;
	resize(width: number, height: number): void;
	close(): Promise<void>;
}

const [WM_NAME, STRING] = [39, 31];
const [X, Y, WIDTH, HEIGHT] = [1, 2, 4, 8];

export async function openWindow(display: VirtualDisplay, options: WindowOptions): Promise<TestWindow> {
	const { title, color, x, y, width, height } = options;
	const { socket, ids, root } = await connectTo(display);
	const id = ids | 1;
	const create = request(1, 9);
	create.writeUInt32LE(id, 4);
	create.writeUInt32LE(root, 8);
	for (const [index, value] of [x, y, width, height, 0, 1].entries()) create.writeInt16LE(value, 12 + 2 * index);
	// Its background is all it shows.
	create.writeUInt32LE(2, 28);
	create.writeUInt32LE(color, 32);
	const name = Buffer.alloc((title.length + 3) & ~3);
	name.write(title, "latin1");
	const setTitle = request(18, 6);
	for (const [index, value] of [id, WM_NAME, STRING].entries()) setTitle.writeUInt32LE(value, 4 + 4 * index);
	setTitle.writeUInt8(8, 16);
	setTitle.writeUInt32LE(title.length, 20);
	setTitle.writeUInt16LE(6 + name.length / 4, 2);
	const map = request(8, 2);
	map.writeUInt32LE(id, 4);
	socket.write(Buffer.concat([create, setTitle, name, map]));

	const configure = (mask: number, first: number, second: number): void => {
		const change = request(12, 5);
		change.writeUInt32LE(id, 4);
		change.writeUInt16LE(mask, 8);
		change.writeInt32LE(first, 12);
		change.writeInt32LE(second, 16);
		socket.write(change);
	};
	return {
		id: `0x${id.toString(16)}`,
		moveTo: (left, top) => configure(X | Y, left, top),
		resize: (wide, high) => configure(WIDTH | HEIGHT, wide, high),
		async close() {
			// The server destroys what a client created.
			if (socket.closed) return;
			socket.destroy();
			await once(socket, "close");
		},
	};
}

/** @param words its length in units of four bytes. */
function request(opcode: number, words: number): Buffer {
	const bytes = Buffer.alloc(words * 4);
	bytes.writeUInt8(opcode, 0);
	bytes.writeUInt16LE(words, 2);
	return bytes;
}
