/** A window of one color on a virtual display without a window manager. */
import { once } from "node:events";
import type { Socket } from "node:net";
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
	/** The id as X programs write it: `0x200001`. */
	id: string;
	moveTo(x: number, y: number): void;
	resize(width: number, height: number): void;
	setTitle(title: string): void;
	/** Gives the focus to the window, or to a window without a title inside it. */
	focus(where?: "itself" | "inside"): void;
	close(): Promise<void>;
}

const [WM_NAME, STRING, WINDOW] = [39, 31, 33];
const [X, Y, WIDTH, HEIGHT] = [1, 2, 4, 8];

export async function openWindow(display: Pick<VirtualDisplay, "number">, options: WindowOptions): Promise<TestWindow> {
	const { title, color, x, y, width, height } = options;
	const { socket, ids, root } = await connectTo(display);
	const id = ids | 1;
	const create = request(1, 9);
	create.writeUInt32LE(id, 4);
	create.writeUInt32LE(root, 8);
	for (const [index, value] of [x, y, width, height, 0, 1].entries()) create.writeInt16LE(value, 12 + 2 * index);
	// The window shows nothing but its background.
	create.writeUInt32LE(2, 28);
	create.writeUInt32LE(color, 32);
	const [longName, text] = await internAtoms(socket, "_NET_WM_NAME", "UTF8_STRING");
	const names = (title: string): Buffer =>
		Buffer.concat([
			property(id, WM_NAME, STRING, Buffer.from(title, "latin1")),
			property(id, longName, text, Buffer.from(title)),
		]);
	socket.write(Buffer.concat([create, names(title), map(id)]));

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
		setTitle: (title) => void socket.write(names(title)),
		focus(where = "itself") {
			const inner = id + 1;
			if (where === "inside") socket.write(Buffer.concat([createInside(id, inner), map(inner)]));
			const focus = request(42, 3);
			focus.writeUInt32LE(where === "inside" ? inner : id, 4);
			socket.write(focus);
		},
		async close() {
			// The server destroys the windows of a client that disconnects.
			if (socket.closed) return;
			socket.destroy();
			await once(socket, "close");
		},
	};
}

/** Sets the active window like a window manager. */
export async function setActiveWindow(display: VirtualDisplay, window: string): Promise<void> {
	const { socket, root } = await connectTo(display);
	const [name] = await internAtoms(socket, "_NET_ACTIVE_WINDOW", "UTF8_STRING");
	const change = request(18, 7);
	for (const [index, value] of [root, name, WINDOW].entries()) change.writeUInt32LE(value, 4 + 4 * index);
	change.writeUInt8(32, 16);
	change.writeUInt32LE(1, 20);
	change.writeUInt32LE(Number(window), 24);
	socket.end(change);
	await once(socket, "close");
}

/** A request that creates a window of one pixel. */
function createInside(parent: number, id: number): Buffer {
	const create = request(1, 8);
	create.writeUInt32LE(id, 4);
	create.writeUInt32LE(parent, 8);
	for (const [index, value] of [0, 0, 1, 1, 0, 1].entries()) create.writeInt16LE(value, 12 + 2 * index);
	return create;
}

function map(id: number): Buffer {
	const map = request(8, 2);
	map.writeUInt32LE(id, 4);
	return map;
}

/** The numbers of names that the server does not have from the start. */
async function internAtoms(socket: Socket, ...names: [string, string]): Promise<[number, number]> {
	const intern = async (name: string): Promise<number> => {
		const bytes = padded(Buffer.from(name, "latin1"));
		const asked = request(16, 2 + bytes.length / 4);
		asked.writeUInt16LE(name.length, 4);
		bytes.copy(asked, 8);
		socket.write(asked);
		const [reply] = (await once(socket, "data")) as [Buffer];
		return reply.readUInt32LE(8);
	};
	return [await intern(names[0]), await intern(names[1])];
}

/** ChangeProperty to a text. */
function property(window: number, name: number, type: number, text: Buffer): Buffer {
	const bytes = padded(text);
	const change = request(18, 6 + bytes.length / 4);
	for (const [index, value] of [window, name, type].entries()) change.writeUInt32LE(value, 4 + 4 * index);
	change.writeUInt8(8, 16);
	change.writeUInt32LE(text.length, 20);
	bytes.copy(change, 24);
	return change;
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** @param words its length in units of four bytes. */
function request(opcode: number, words: number): Buffer {
	const bytes = Buffer.alloc(words * 4);
	bytes.writeUInt8(opcode, 0);
	bytes.writeUInt16LE(words, 2);
	return bytes;
}
