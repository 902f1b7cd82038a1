/** Detects displays that x11grab would record in black, in false colors, or not at all. */
import type { Fault } from "../base/fault.ts";

/** A server's description of a screen when a connection begins. */
export interface ScreenSetup {
	/** Release number of the server's vendor. */
	release: number;
	root: number;
	width: number;
	height: number;
	/** Bits per pixel that carry color. */
	depth: number;
	/** Whether a pixel of its pictures is four bytes: blue, green, red and one without meaning. */
	isBgrx: boolean;
	/** Visual of the root window; null when the server does not describe it. */
	visual: { class: number; redMask: number; blueMask: number } | null;
}

/** Sends a request that has a reply. @returns the reply; null when the server answered with an error, or is gone. */
export type Ask = (request: Buffer) => Promise<Buffer | null>;

const TRUE_COLOR = 4;
/** Why a display can't be recorded: `what` is the rest of a sentence that begins with the display's name. */
export type Unrecordable = Omit<Fault, "code">;

/** The depths that x11grab captures in true colors. */
const DEPTHS = [15, 16, 24, 32];
/** From this release on, rootless XWayland does not have MIT-SCREEN-SAVER. */
const XWAYLAND_22_1 = 12_201_000;

/** @returns null when the display can be recorded. */
export async function whyUnrecordable(screen: ScreenSetup, ask: Ask): Promise<Unrecordable | null> {
	const { width, height, depth, visual } = screen;
	const remedy = `start it with a depth of 24 (for Xvfb: -screen 0 ${width}x${height}x24`;
	if (!DEPTHS.includes(depth)) {
		const problem = depth > 24 ? "which ffmpeg cannot capture" : "of which ffmpeg captures false colors";
		return { what: `has a color depth of ${depth}, ${problem}`, remedy: `${remedy})` };
	}
	// Other classes use a color table, which ffmpeg does not read.
	if (visual !== null && (visual.class !== TRUE_COLOR || visual.redMask < visual.blueMask)) {
		return { what: "encodes colors in a way that ffmpeg does not support", remedy: `${remedy}, without -cc)` };
	}
	if (await isRootlessXWayland(screen, ask)) {
		return {
			what: "is XWayland, whose windows are drawn by the Wayland compositor, so that a recording of it is black",
			remedy: "start an X server for what you want to record, such as Xvfb :99",
		};
	}
	return null;
}

/** Whether windows are drawn by a Wayland compositor instead of on the X screen, as on every Wayland desktop. */
async function isRootlessXWayland({ root, release }: ScreenSetup, ask: Ask): Promise<boolean> {
	if ((await extension("XWAYLAND", ask)) === null && !(await hasXWaylandOutput(root, ask))) return false;
	// An XWayland that shows a whole screen in one window can be recorded.
	return release < XWAYLAND_22_1 || (await extension("MIT-SCREEN-SAVER", ask)) === null;
}

/** XWayland before 23.1 has no extension of its own, but its outputs have always been XWAYLAND0, XWAYLAND1, … */
async function hasXWaylandOutput(root: number, ask: Ask): Promise<boolean> {
	const randr = await extension("RANDR", ask);
	if (randr === null) return false;
	// RandR requires the client's version first, and lists outputs since 1.3.
	const version = request(randr, 0, 12);
	version.writeUInt32LE(1, 4);
	version.writeUInt32LE(3, 8);
	await ask(version);
	const getResources = request(randr, 25, 8);
	getResources.writeUInt32LE(root, 4);
	const resources = await ask(getResources);
	if (resources === null) return false;
	const timestamp = resources.readUInt32LE(12);
	const [controllers, outputs] = [resources.readUInt16LE(16), resources.readUInt16LE(18)];
	for (let index = 0; index < outputs; index++) {
		const getOutput = request(randr, 9, 12);
		getOutput.writeUInt32LE(resources.readUInt32LE(32 + controllers * 4 + index * 4), 4);
		getOutput.writeUInt32LE(timestamp, 8);
		const output = await ask(getOutput);
		if (output !== null && nameOf(output).startsWith("XWAYLAND")) return true;
	}
	return false;
}

/** The name of an output follows the lists of its controllers, modes and clones. */
function nameOf(output: Buffer): string {
	const listed = output.readUInt16LE(26) + output.readUInt16LE(28) + output.readUInt16LE(32);
	const at = 36 + listed * 4;
	return output.subarray(at, at + output.readUInt16LE(34)).toString("latin1");
}

/** @returns the major opcode of an extension; null when the server does not have it. */
async function extension(name: string, ask: Ask): Promise<number | null> {
	const query = Buffer.alloc(8 + ((name.length + 3) & ~3));
	query.writeUInt8(98, 0); // QueryExtension
	query.writeUInt16LE(query.length / 4, 2);
	query.writeUInt16LE(name.length, 4);
	query.write(name, 8, "latin1");
	const reply = await ask(query);
	return reply?.readUInt8(8) === 1 ? reply.readUInt8(9) : null;
}

function request(major: number, minor: number, bytes: number): Buffer {
	const buffer = Buffer.alloc(bytes);
	buffer.writeUInt8(major, 0);
	buffer.writeUInt8(minor, 1);
	buffer.writeUInt16LE(bytes / 4, 2);
	return buffer;
}
