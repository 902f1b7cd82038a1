/**
 * The few words of the X11 protocol that the runner speaks itself: the connection setup, which tells the
 * size of the screen, and a wish to be told when the root window changes. The connection then stays open:
 * it tells at once when the display dies, and opening and closing it again and again would make an idle
 * X server reset, or a `-terminate` one exit, under the feet of the programs that start on it.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import type { DisplayName } from "./display-name.ts";

export interface XConnection {
	width: number;
	height: number;
	close(): void;
}

export interface XListener {
	resized(width: number, height: number): void;
	closed(): void;
}

/** The server is there and says no, such as for a missing authority. */
export class XRefusedError extends Error {
	override name = "XRefusedError";
}

const COOKIE = "MIT-MAGIC-COOKIE-1";
const STRUCTURE_NOTIFY = 0x00020000;
const CONFIGURE_NOTIFY = 22;

/** Finds the cookie of a display in an Xauthority file; null when there is none. */
export function findCookie(file: Buffer, display: DisplayName, ownHost: string): Buffer | null {
	let at = 0;
	const field = (): Buffer => {
		const length = file.readUInt16BE(at);
		const value = file.subarray(at + 2, at + 2 + length);
		at += 2 + length;
		return value;
	};
	const FAMILY_LOCAL = 256;
	const FAMILY_WILD = 65_535;
	let candidate: Buffer | null = null;
	while (at + 10 <= file.length) {
		const family = file.readUInt16BE(at);
		at += 2;
		const [address, number, name, data] = [field(), field(), field(), field()];
		const numberFits = number.length === 0 || number.toString("latin1") === String(display.number);
		if (!numberFits || name.toString("latin1") !== COOKIE) continue;
		const local = family === FAMILY_LOCAL && address.toString("latin1") === ownHost;
		if (display.host === null && local) return Buffer.from(data);
		// Addresses of hosts are not resolved: the first cookie for that display number has to do.
		if (family === FAMILY_WILD || display.host !== null) candidate ??= Buffer.from(data);
	}
	return candidate;
}

function readCookie(path: string, display: DisplayName): Buffer | null {
	try {
		return findCookie(readFileSync(path), display, hostname());
	} catch {
		return null;
	}
}

const padded = (length: number): number => (length + 3) & ~3;

function setupRequest(cookie: Buffer | null): Buffer {
	const name = Buffer.from(cookie ? COOKIE : "", "latin1");
	const data = cookie ?? Buffer.alloc(0);
	const request = Buffer.alloc(12 + padded(name.length) + padded(data.length));
	request.write("l", 0, "latin1");
	request.writeUInt16LE(11, 2);
	request.writeUInt16LE(name.length, 6);
	request.writeUInt16LE(data.length, 8);
	name.copy(request, 12);
	data.copy(request, 12 + padded(name.length));
	return request;
}

export interface ScreenSetup {
	root: number;
	width: number;
	height: number;
}

/** The root window and the size of one screen, from the body of a successful setup answer. */
export function parseSetup(body: Buffer, screen: number): ScreenSetup {
	const vendorLength = body.readUInt16LE(16);
	const roots = body.readUInt8(20);
	const formats = body.readUInt8(21);
	if (screen >= roots) throw new XRefusedError(`It has no screen ${screen}.`);
	let at = 32 + padded(vendorLength) + formats * 8;
	for (let index = 0; index < screen; index++) {
		let depths = body.readUInt8(at + 39);
		at += 40;
		for (; depths > 0; depths--) at += 8 + body.readUInt16LE(at + 2) * 24;
	}
	return { root: body.readUInt32LE(at), width: body.readUInt16LE(at + 20), height: body.readUInt16LE(at + 22) };
}

function watchRoot(root: number): Buffer {
	const request = Buffer.alloc(16);
	request.writeUInt8(2, 0); // ChangeWindowAttributes
	request.writeUInt16LE(4, 2);
	request.writeUInt32LE(root, 4);
	request.writeUInt32LE(0x800, 8); // event-mask
	request.writeUInt32LE(STRUCTURE_NOTIFY, 12);
	return request;
}

function socketOf(display: DisplayName, abstract: boolean): Socket {
	if (display.host !== null) {
		return connect({ host: display.host.replace(/^\[|\]$/g, ""), port: 6000 + display.number });
	}
	return connect({ path: `${abstract ? "\0" : ""}/tmp/.X11-unix/X${display.number}` });
}

const SETUP_TIMEOUT_MS = 3_000;

/**
 * Connects to a display and stays connected.
 * @param abstract through the abstract socket of the same name.
 * @throws XRefusedError when the server refuses; a socket error when nobody answers.
 */
export function openDisplay(
	display: DisplayName,
	options: { xauthority: string; abstract?: boolean },
	listener: XListener,
): Promise<XConnection> {
	const { promise, resolve, reject } = Promise.withResolvers<XConnection>();
	const socket = socketOf(display, options.abstract ?? false);
	const timer = setTimeout(() => socket.destroy(new Error("the X server does not answer")), SETUP_TIMEOUT_MS);
	let input: Buffer = Buffer.alloc(0);
	let open = false;

	const setUp = (): boolean => {
		if (input.length < 8) return false;
		const length = 8 + input.readUInt16LE(6) * 4;
		if (input.length < length) return false;
		const body = input.subarray(8, length);
		if (input.readUInt8(0) !== 1) {
			const reason = body.subarray(0, input.readUInt8(1)).toString("latin1").trim();
			throw new XRefusedError(reason === "" ? "It asks for an authentication that is not supported." : reason);
		}
		const screen = parseSetup(body, display.screen);
		input = input.subarray(length);
		clearTimeout(timer);
		open = true;
		socket.write(watchRoot(screen.root));
		resolve({ width: screen.width, height: screen.height, close: () => socket.destroy() });
		return true;
	};
	const readEvents = (): void => {
		while (input.length >= 32) {
			const kind = input.readUInt8(0) & 0x7f;
			// A reply or a generic event may be longer; none was asked for, but none may break the framing.
			const length = kind === 1 || kind === 35 ? 32 + input.readUInt32LE(4) * 4 : 32;
			if (input.length < length) return;
			if (kind === CONFIGURE_NOTIFY) listener.resized(input.readUInt16LE(20), input.readUInt16LE(22));
			input = input.subarray(length);
		}
	};

	socket.on("connect", () => socket.write(setupRequest(readCookie(options.xauthority, display))));
	socket.on("data", (chunk: Buffer) => {
		input = input.length === 0 ? chunk : Buffer.concat([input, chunk]);
		try {
			if (open || setUp()) readEvents();
		} catch (error) {
			socket.destroy(error as Error);
		}
	});
	socket.on("error", reject);
	socket.on("close", () => {
		clearTimeout(timer);
		if (open) listener.closed();
		else reject(new Error("the X server closed the connection"));
	});
	return promise;
}
