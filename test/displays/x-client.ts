/** A connection to a virtual display, for tests that send it requests of the X11 protocol. */
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type { VirtualDisplay } from "./xvfb.ts";

export interface XClient {
	socket: Socket;
	/** The first id that this client may use for its resources. */
	ids: number;
	root: number;
}

export async function connectTo({ number }: Pick<VirtualDisplay, "number">): Promise<XClient> {
	const socket = createConnection(`/tmp/.X11-unix/X${number}`);
	await once(socket, "connect");
	// Connection setup: little endian, protocol 11.0, no authorization.
	socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
	const { ids, root } = parseSetup(await setupAnswer(socket));
	socket.on("data", () => undefined);
	socket.on("error", () => undefined);
	return { socket, ids, root };
}

async function setupAnswer(socket: Socket): Promise<Buffer> {
	let answer = Buffer.alloc(0);
	while (answer.length < 8 || answer.length < 8 + answer.readUInt16LE(6) * 4) {
		const [chunk] = (await once(socket, "data")) as [Buffer];
		answer = Buffer.concat([answer, chunk]);
	}
	if (answer.readUInt8(0) !== 1) throw new Error("The virtual display refused the connection.");
	return answer;
}

function parseSetup(answer: Buffer): { ids: number; root: number } {
	const vendorLength = answer.readUInt16LE(24);
	const formats = answer.readUInt8(29);
	const screen = 40 + Math.ceil(vendorLength / 4) * 4 + formats * 8;
	return { ids: answer.readUInt32LE(12), root: answer.readUInt32LE(screen) };
}
