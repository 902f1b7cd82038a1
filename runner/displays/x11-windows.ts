/** Finds a window of a display by its title, and where it is. */
import { type Region, VIDEO_SIZES } from "@tapedeck/contract/video-kinds.ts";
import type { Ask } from "./x11-recordable.ts";

/** Of a connection to a display. */
export interface XRequests {
	/** The id of the root window. */
	root: number;
	ask: Ask;
}

/** How deep windows are searched: window managers put those of programs into one or two of their own. */
const MAX_DEPTH = 3;
/** In units of four bytes, of a title. */
const TITLE_LENGTH = 256;
const [INPUT_OUTPUT, VIEWABLE] = [1, 2];
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
	const longName = await atom(x, "_NET_WM_NAME");
	const text = wanted.toLowerCase();
	const search = async (parent: number, depth: number): Promise<number | null> => {
		for (const id of (await childrenOf(x, parent)).reverse()) {
			if (!(await isShown(x, id))) continue;
			// Some programs set only one of the two, and some of them keep only one up to date.
			const titles = [await titleOf(x, id, longName, "utf8"), await titleOf(x, id, WM_NAME, "latin1")];
			const isWanted = titles.some((title) => title.toLowerCase().includes(text));
			if (isWanted && (await placeOf(x, id)) !== null) return id;
			const below = depth < MAX_DEPTH ? await search(id, depth + 1) : null;
			if (below !== null) return below;
		}
		return null;
	};
	return search(x.root, 1);
}

/**
 * Where a window is on its display, parts of it perhaps beyond an edge.
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

/** From the lowest to the topmost. */
async function childrenOf({ ask }: XRequests, id: number): Promise<number[]> {
	const tree = await ask(request(15, id)); // QueryTree
	if (tree === null) return [];
	return Array.from({ length: tree.readUInt16LE(16) }, (_, index) => tree.readUInt32LE(32 + 4 * index));
}

async function titleOf({ ask }: XRequests, id: number, name: number, encoding: BufferEncoding): Promise<string> {
	const property = await ask(request(20, id, name, 0, 0, TITLE_LENGTH)); // GetProperty
	// Without the property, its format is 0.
	if (property === null || property.readUInt8(1) !== 8) return "";
	return property.toString(encoding, 32, 32 + property.readUInt32LE(16));
}

async function atom({ ask }: XRequests, name: string): Promise<number> {
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
