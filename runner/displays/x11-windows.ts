/** The windows of a display: which one has a title, where it is, and which one is active. */
import { isUtf8 } from "node:buffer";
import { type Region, VIDEO_SIZES } from "@tapedeck/contract/video-kinds.ts";
import type { Ask } from "./x11-recordable.ts";

/** Requests on a connection to a display. */
export interface XRequests {
	/** The id of the root window. */
	root: number;
	ask: Ask;
}

/** A window in which a user works. */
export interface ActiveWindow {
	id: number;
	title: Title;
}

export interface Title {
	text: string;
	/** Whether it is longer than what was read of it. */
	isCut: boolean;
}

/** Maximum depth of the search for windows: window managers wrap those of programs in one or two of their own. */
const MAX_DEPTH = 3;
/** Maximum number of windows around a focused one. */
const MAX_PARENTS = 16;
/** In units of four bytes, of a title. */
const TITLE_LENGTH = 256;
const [INPUT_OUTPUT, VIEWABLE] = [1, 2];
/** Focus values that are not a window. */
const [NONE, POINTER_ROOT] = [0, 1];
const WM_NAME = 39;

export const isWindowId = (wanted: string): boolean => /^0x[\da-f]{1,8}$/i.test(wanted);

/**
 * @param wanted an id as X programs write it (`0x1e00003`), or a part of its title, in any case.
 * @returns the id of the topmost window that is shown and has this title; null when there is none.
 */
export async function findWindow(x: XRequests, wanted: string): Promise<number | null> {
	if (isWindowId(wanted)) {
		const id = Number(wanted);
		return (await placeOf(x, id)) === null ? null : id;
	}
	const text = wanted.toLowerCase();
	return topmost(x, x.root, async (id) => {
		// Some programs keep only one of the two up to date.
		const isWanted = (await titlesOf(x, id)).some((title) => title.text.toLowerCase().includes(text));
		return isWanted && (await placeOf(x, id)) !== null ? id : null;
	});
}

/**
 * The window that the window manager calls active; without one, that with the focus, or the one with a title that it is in; and
 * where none has it, the topmost one that is shown and has a title.
 * @returns null when no window with a title is shown.
 */
export async function activeWindow(x: XRequests): Promise<ActiveWindow | null> {
	const named = await atom(x, "_NET_ACTIVE_WINDOW");
	const [property, focus] = await Promise.all([
		x.ask(request(20, x.root, named, 0, 0, 1)), // GetProperty
		x.ask(request(43)), // GetInputFocus
	]);
	const isId = property !== null && property.readUInt8(1) === 32 && property.readUInt32LE(16) === 1;
	const active = isId ? property.readUInt32LE(32) : NONE;
	// One of a window manager that has ended may be gone.
	const found = active !== NONE && (await isShown(x, active)) ? await titled(x, active) : null;
	return (
		found ??
		(await titledAround(x, focus?.readUInt32LE(8) ?? NONE)) ??
		(await topmost(x, x.root, (id) => titled(x, id)))
	);
}

/** The first of a window and those that it is in that has a title. */
async function titledAround(x: XRequests, focus: number): Promise<ActiveWindow | null> {
	let id = focus;
	for (let parents = 0; id > POINTER_ROOT && id !== x.root && parents <= MAX_PARENTS; parents++) {
		const found = await titled(x, id);
		if (found !== null) return found;
		id = (await x.ask(request(15, id)))?.readUInt32LE(12) ?? NONE; // QueryTree
	}
	return null;
}

async function titled(x: XRequests, id: number): Promise<ActiveWindow | null> {
	const title = (await titlesOf(x, id)).find(({ text }) => text.trim() !== "");
	return title === undefined ? null : { id, title };
}

/** Returns the first result of `take` that is not null, beginning with the topmost shown window. */
async function topmost<T>(
	x: XRequests,
	parent: number,
	take: (id: number) => Promise<T | null>,
	depth = 1,
): Promise<T | null> {
	const children = (await childrenOf(x, parent)).reverse();
	const shown = await Promise.all(children.map((id) => isShown(x, id)));
	for (const id of children.filter((_, index) => shown[index])) {
		const found = (await take(id)) ?? (depth < MAX_DEPTH ? await topmost(x, id, take, depth + 1) : null);
		if (found !== null) return found;
	}
	return null;
}

/**
 * The position of a window on its display; parts of it may be beyond an edge.
 * @returns null when it is closed, not shown, or too small to be recorded.
 */
export async function placeOf(x: XRequests, id: number): Promise<Region | null> {
	if (!(await isShown(x, id))) return null;
	const geometry = await x.ask(request(14, id)); // GetGeometry
	const position = await x.ask(request(40, id, x.root, 0)); // TranslateCoordinates
	if (geometry === null || position === null) return null;
	const [width, height] = [geometry.readUInt16LE(16), geometry.readUInt16LE(18)];
	if (width < VIDEO_SIZES.min || height < VIDEO_SIZES.min) return null;
	return { x: position.readInt16LE(12), y: position.readInt16LE(14), width, height };
}

async function isShown({ ask }: XRequests, id: number): Promise<boolean> {
	const attributes = await ask(request(3, id)); // GetWindowAttributes
	return attributes !== null && attributes.readUInt16LE(12) === INPUT_OUTPUT && attributes.readUInt8(26) === VIEWABLE;
}

/** Whether a display shows no window of any program. */
export async function showsNothing(x: XRequests): Promise<boolean> {
	const shown = await Promise.all((await childrenOf(x, x.root)).map((id) => isShown(x, id)));
	return !shown.includes(true);
}

/** From the lowest to the topmost. */
async function childrenOf({ ask }: XRequests, id: number): Promise<number[]> {
	const tree = await ask(request(15, id)); // QueryTree
	if (tree === null) return [];
	return Array.from({ length: tree.readUInt16LE(16) }, (_, index) => tree.readUInt32LE(32 + 4 * index));
}

/** The long one and the old one; some programs set only one of the two. */
const titlesOf = async (x: XRequests, id: number): Promise<Title[]> =>
	Promise.all([titleOf(x, id, await atom(x, "_NET_WM_NAME"), "utf8"), titleOf(x, id, WM_NAME, "latin1")]);

/** @param encoding of what is no whole UTF-8. */
async function titleOf({ ask }: XRequests, id: number, name: number, encoding: BufferEncoding): Promise<Title> {
	const property = await ask(request(20, id, name, 0, 0, TITLE_LENGTH)); // GetProperty
	// Without the property, its format is 0.
	if (property === null || property.readUInt8(1) !== 8) return { text: "", isCut: false };
	const bytes = property.subarray(32, 32 + property.readUInt32LE(16));
	return { text: bytes.toString(isUtf8(bytes) ? "utf8" : encoding), isCut: property.readUInt32LE(12) > 0 };
}

/** The numbers of names, which a server keeps as long as the connection to it. */
const atoms = new WeakMap<Ask, Map<string, number>>();

/** @returns 0 when the display is gone. */
async function atom({ ask }: XRequests, name: string): Promise<number> {
	const known = atoms.get(ask) ?? new Map<string, number>();
	atoms.set(ask, known);
	const number = known.get(name) ?? (await internAtom(ask, name));
	if (number !== 0) known.set(name, number);
	return number;
}

async function internAtom(ask: Ask, name: string): Promise<number> {
	const intern = Buffer.alloc(8 + ((name.length + 3) & ~3));
	intern.writeUInt8(16, 0); // InternAtom
	intern.writeUInt16LE(intern.length / 4, 2);
	intern.writeUInt16LE(name.length, 4);
	intern.write(name, 8, "latin1");
	return (await ask(intern))?.readUInt32LE(8) ?? 0;
}

/** A request of numbers of four bytes each. */
function request(opcode: number, ...numbers: number[]): Buffer {
	const bytes = Buffer.alloc(4 + 4 * numbers.length);
	bytes.writeUInt8(opcode, 0);
	bytes.writeUInt16LE(bytes.length / 4, 2);
	for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 + 4 * index);
	return bytes;
}
