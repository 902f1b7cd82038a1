/**
 * The part of the X11 protocol that the runner needs: the connection setup, which has the size of the screen, and a
 * subscription to changes of the root window. The connection then stays open: it closes as soon as the display dies,
 * and reconnecting over and over would make an idle X server reset, or a `-terminate` one exit, while programs start
 * on it.
 *
 * A connection to another host can break without notice (a pulled cable, a firewall that dropped it), so remote
 * displays are pinged: one that leaves pings unanswered for 9 to 12 s counts as gone.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { hostname } from "node:os";
import { plainLine } from "../base/terminal.ts";
import type { DisplayName } from "./display-name.ts";
import { type Ask, type ScreenSetup, type Unrecordable, whyUnrecordable } from "./x11-recordable.ts";
import type { XRequests } from "./x11-windows.ts";

export interface XConnection extends XRequests {
	width: number;
	height: number;
	/** Whether a pixel of its pictures is four bytes: blue, green, red and one without meaning. */
	isBgrx: boolean;
	/** Why ffmpeg can't record it; null when it can. */
	unrecordable: Unrecordable | null;
	/** Lets all processes of these users connect from this machine, without a cookie. */
	allow(...uids: number[]): Promise<void>;
	close(): void;
}

export interface XListener {
	resized(width: number, height: number): void;
	/** @param silent it stopped responding, rather than closing the connection. */
	closed(silent: boolean): void;
}

/** The server refuses the connection, such as for a missing cookie. */
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
		// Addresses of hosts are not resolved: the first cookie for that display number is used.
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

/** An Xauthority file with one cookie, for whatever display a server with it becomes. */
export function xauthority(cookie: Buffer): Buffer {
	const field = (value: Buffer) => Buffer.concat([Buffer.from([value.length >> 8, value.length & 0xff]), value]);
	const none = field(Buffer.alloc(0));
	return Buffer.concat([Buffer.from([0xff, 0xff]), none, none, field(Buffer.from(COOKIE, "latin1")), field(cookie)]);
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

/** One screen, from the body of a successful setup answer. */
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
	const visualId = body.readUInt32LE(at + 32);
	const depth = body.readUInt8(at + 38);
	const visual = findVisual(body, at, visualId);
	const isLittleEndian = body.readUInt8(22) === 0;
	return {
		release: body.readUInt32LE(0),
		root: body.readUInt32LE(at),
		width: body.readUInt16LE(at + 20),
		height: body.readUInt16LE(at + 22),
		depth,
		isBgrx: isLittleEndian && visual?.blueMask === 0xff && bitsPerPixel(body, depth) === 32,
		visual,
	};
}

/** Bits per pixel of pictures with this depth; 0 if the server does not say. */
function bitsPerPixel(body: Buffer, depth: number): number {
	const formats = 32 + padded(body.readUInt16LE(16));
	for (let index = 0; index < body.readUInt8(21); index++) {
		if (body.readUInt8(formats + index * 8) === depth) return body.readUInt8(formats + index * 8 + 1);
	}
	return 0;
}

/** @param at offset of the screen in the body. */
function findVisual(body: Buffer, at: number, id: number): ScreenSetup["visual"] {
	let depths = body.readUInt8(at + 39);
	for (let depthAt = at + 40; depths > 0; depths--) {
		const visuals = body.readUInt16LE(depthAt + 2);
		for (let index = 0; index < visuals; index++) {
			const visualAt = depthAt + 8 + index * 24;
			if (body.readUInt32LE(visualAt) !== id) continue;
			const redMask = body.readUInt32LE(visualAt + 8);
			return { class: body.readUInt8(visualAt + 4), redMask, blueMask: body.readUInt32LE(visualAt + 16) };
		}
		depthAt += 8 + visuals * 24;
	}
	return null;
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

/** As `xhost +si:localuser:#1000`. */
function allowUser(uid: number): Buffer {
	const SERVER_INTERPRETED = 5;
	const user = Buffer.from(`localuser\0#${uid}`, "latin1");
	const request = Buffer.alloc(8 + padded(user.length));
	request.writeUInt8(109, 0); // ChangeHosts
	request.writeUInt16LE(request.length / 4, 2);
	request.writeUInt8(SERVER_INTERPRETED, 4);
	request.writeUInt16LE(user.length, 6);
	user.copy(request, 8);
	return request;
}

function socketOf(display: DisplayName, abstract: boolean): Socket {
	if (display.host !== null) {
		return connect({ host: display.host.replace(/^\[|\]$/g, ""), port: 6000 + display.number });
	}
	return connect({ path: `${abstract ? "\0" : ""}/tmp/.X11-unix/X${display.number}` });
}

const SETUP_TIMEOUT_MS = 3_000;
const PING_MS = 3_000;
/** Counts pings, not time: the runner itself may have been paused. */
const MAX_UNANSWERED_PINGS = 3;
/** GetInputFocus: a reply of fixed size, without side effects. */
const PING = Buffer.from([43, 0, 1, 0]);
const ERROR = 0;
const REPLY = 1;
const GENERIC_EVENT = 35;

/**
 * Connects to a display and stays connected.
 * @param options.abstract connect to the abstract socket of the same name.
 * @throws XRefusedError when the server refuses; a socket error when nothing responds.
 */
export function openDisplay(
	display: DisplayName,
	options: { xauthority: string; abstract?: boolean },
	listener: XListener,
): Promise<XConnection> {
	const { promise, resolve, reject } = Promise.withResolvers<XConnection>();
	const socket = socketOf(display, options.abstract ?? false);
	const timer = setTimeout(() => socket.destroy(new Error("the X server does not respond")), SETUP_TIMEOUT_MS);
	let pinger: NodeJS.Timeout | undefined;
	let input: Buffer = Buffer.alloc(0);
	let screen: ScreenSetup | null = null;
	let [open, silent] = [false, false];
	let sequence = 0;
	const asked: { sequence: number; answer(reply: Buffer | null): void }[] = [];

	const send = (request: Buffer): number => {
		socket.write(request);
		sequence = (sequence + 1) & 0xffff;
		return sequence;
	};
	const ask: Ask = (request) =>
		new Promise((answer) => {
			if (socket.destroyed) answer(null);
			else asked.push({ sequence: send(request), answer });
		});
	const setUp = (): ScreenSetup | null => {
		if (input.length < 8) return null;
		const length = 8 + input.readUInt16LE(6) * 4;
		if (input.length < length) return null;
		const body = input.subarray(8, length);
		if (input.readUInt8(0) !== 1) {
			const said = input.readUInt8(0) === 0 ? body.subarray(0, input.readUInt8(1)) : body;
			const reason = plainLine(said.toString("latin1"));
			throw new XRefusedError(reason === "" ? "It requires an unsupported authentication." : reason);
		}
		input = input.subarray(length);
		const found = parseSetup(body, display.screen);
		send(watchRoot(found.root));
		void whyUnrecordable(found, ask).then((unrecordable) => begin(found, unrecordable), fail);
		return found;
	};
	const begin = ({ root, width, height, isBgrx }: ScreenSetup, unrecordable: Unrecordable | null): void => {
		clearTimeout(timer);
		open = true;
		if (display.host !== null) pinger = keepPinging();
		const allow = async (...uids: number[]) => {
			for (const uid of uids) send(allowUser(uid));
			await ask(PING);
		};
		resolve({ root, ask, width, height, isBgrx, unrecordable, allow, close: () => socket.destroy() });
	};
	const fail = (error: unknown): void => void socket.destroy(error as Error);
	const keepPinging = (): NodeJS.Timeout => {
		let unanswered = 0;
		return setInterval(() => {
			silent = unanswered >= MAX_UNANSWERED_PINGS;
			if (silent) return socket.destroy();
			unanswered++;
			void ask(PING).then(() => {
				unanswered = 0;
			});
		}, PING_MS);
	};
	const readMessages = (found: ScreenSetup): void => {
		while (input.length >= 32) {
			const kind = input.readUInt8(0) & 0x7f;
			const length = kind === REPLY || kind === GENERIC_EVENT ? 32 + input.readUInt32LE(4) * 4 : 32;
			if (input.length < length) return;
			const message = input.subarray(0, length);
			input = input.subarray(length);
			if (kind === CONFIGURE_NOTIFY) {
				Object.assign(found, { width: message.readUInt16LE(20), height: message.readUInt16LE(22) });
				if (open) listener.resized(found.width, found.height);
			} else if ((kind === REPLY || kind === ERROR) && asked[0]?.sequence === message.readUInt16LE(2)) {
				asked.shift()?.answer(kind === REPLY ? message : null);
			}
		}
	};

	socket.on("connect", () => socket.write(setupRequest(readCookie(options.xauthority, display))));
	socket.on("data", (chunk: Buffer) => {
		input = input.length === 0 ? chunk : Buffer.concat([input, chunk]);
		try {
			screen ??= setUp();
			if (screen !== null) readMessages(screen);
		} catch (error) {
			fail(error);
		}
	});
	socket.on("error", reject);
	socket.on("close", () => {
		clearTimeout(timer);
		clearInterval(pinger);
		for (const { answer } of asked.splice(0)) answer(null);
		if (open) listener.closed(silent);
		else reject(new Error("the X server closed the connection"));
	});
	return promise;
}
