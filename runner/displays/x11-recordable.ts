/** What of a display x11grab would record black or in false colours, or not at all. */
import type { ScreenSetup } from "./x11-setup.ts";

/** Sends a request that has a reply. @returns the reply; null when the server answered with an error. */
export type Ask = (request: Buffer) => Promise<Buffer | null>;

const TRUE_COLOR = 4;
/** The depths that x11grab reads with true colours. */
const DEPTHS = [15, 16, 24, 32];
/** The release from which XWayland without a root window of its own hides MIT-SCREEN-SAVER. */
const XWAYLAND_22_1 = 12_201_000;

/** @returns the rest of a sentence that begins with the display's name, with the remedy; null when it can be recorded. */
export async function whyUnrecordable(screen: ScreenSetup, ask: Ask): Promise<string | null> {
	const { width, height, depth, visual } = screen;
	const remedy = `start it with a depth of 24 (for Xvfb: -screen 0 ${width}x${height}x24`;
	if (!DEPTHS.includes(depth)) {
		return depth > 24
			? `has a colour depth of ${depth}, which ffmpeg cannot capture; ${remedy}).`
			: `has a colour depth of ${depth}, of which ffmpeg captures false colours; ${remedy}).`;
	}
	// Other classes look colours up in a table that ffmpeg does not read.
	if (visual !== null && (visual.class !== TRUE_COLOR || visual.redMask < visual.blueMask)) {
		return `encodes colours in a way that ffmpeg does not understand; ${remedy}, without -cc).`;
	}
	if (await isRootlessXWayland(screen, ask)) {
		return (
			"is XWayland, whose windows are drawn by the Wayland compositor, so that a recording of it is black; " +
			"start an X server for what is to be recorded, such as Xvfb :99."
		);
	}
	return null;
}

/** Whether windows are not on the X screen but with a Wayland compositor, as those of every Wayland desktop are. */
async function isRootlessXWayland({ root, release }: ScreenSetup, ask: Ask): Promise<boolean> {
	if ((await extension("XWAYLAND", ask)) === null && !(await hasXWaylandOutput(root, ask))) return false;
	// An XWayland that is one window with a whole screen in it can be recorded.
	return release < XWAYLAND_22_1 || (await extension("MIT-SCREEN-SAVER", ask)) === null;
}

/** Before 23.1 there was no extension that names XWayland, but its outputs have always been XWAYLAND0, XWAYLAND1, … */
async function hasXWaylandOutput(root: number, ask: Ask): Promise<boolean> {
	const randr = await extension("RANDR", ask);
	if (randr === null) return false;
	// RandR wants to be told a version first, and lists outputs since 1.3.
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

/** The name of an output stands behind the lists of its controllers, modes and clones. */
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
