/** Paints the root window of an X display in one colour: three requests of the X11 protocol, nothing between. */
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

export type Flash = { paint: (white: boolean) => void; close: () => void };

/** @param displayNumber of a local display that asks for no authorization. */
export async function openFlash(displayNumber: number): Promise<Flash> {
	const socket = createConnection(`/tmp/.X11-unix/X${displayNumber}`);
	await once(socket, "connect");
	// Connection setup: little endian, protocol 11.0, no authorization.
	socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
	const reply = await setupReply(socket);
	const vendorLength = reply.readUInt16LE(24);
	const formats = reply.readUInt8(29);
	const root = reply.readUInt32LE(40 + Math.ceil(vendorLength / 4) * 4 + formats * 8);
	socket.on("data", () => {});
	const paint = (white: boolean) => {
		const change = Buffer.alloc(16);
		change.writeUInt8(2, 0);
		change.writeUInt16LE(4, 2);
		change.writeUInt32LE(root, 4);
		change.writeUInt32LE(2, 8);
		change.writeUInt32LE(white ? 0xffffff : 0, 12);
		const clear = Buffer.alloc(16);
		clear.writeUInt8(61, 0);
		clear.writeUInt16LE(4, 2);
		clear.writeUInt32LE(root, 4);
		socket.write(Buffer.concat([change, clear]));
	};
	return { paint, close: () => socket.destroy() };
}

/**
 * The whole answer to the connection setup, which may arrive in several parts: 8 bytes with the length of the rest,
 * then the rest.
 */
async function setupReply(socket: Socket): Promise<Buffer> {
	let reply = Buffer.alloc(0);
	while (reply.length < 8 || reply.length < 8 + reply.readUInt16LE(6) * 4) {
		const [piece] = (await once(socket, "data")) as [Buffer];
		reply = Buffer.concat([reply, piece]);
	}
	return reply;
}
