/** An X server over TCP that answers only the runner's requests, for servers that cannot run in a test. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { freePort } from "../processes/free-port.ts";

export interface FakeXServer {
	/** The value for DISPLAY: `127.0.0.1:<number>`. */
	display: string;
	/** The display's id in jobs. */
	id: string;
	stop(): Promise<void>;
}

export interface FakeXOptions {
	/** Release number of its vendor. */
	release: number;
	extensions: string[];
	/** Names of the outputs that RANDR lists. */
	outputs: string[];
}

const [WIDTH, HEIGHT] = [800, 600];
const RANDR = 140;
const OUTPUT = 0x40;

/** A TrueColor screen with the depth 24. */
export async function startFakeXServer(options: FakeXOptions): Promise<FakeXServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => socket.destroy());
		socket.on("close", () => sockets.delete(socket));
		let input = Buffer.alloc(0);
		let [isSetUp, sequence] = [false, 0];
		socket.on("data", (chunk) => {
			input = Buffer.concat([input, chunk]);
			if (!isSetUp) {
				isSetUp = true;
				// The runner sends its cookie, if it has one, in the same write.
				input = Buffer.alloc(0);
				socket.write(setupAnswer(options.release));
			}
			for (let length = lengthOf(input); length > 0; length = lengthOf(input)) {
				const reply = answer(input.subarray(0, length), ++sequence, options);
				if (reply !== null) socket.write(reply);
				input = input.subarray(length);
			}
		});
	});
	// Display n listens on port 6000 + n.
	const port = await freePort();
	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const number = (server.address() as AddressInfo).port - 6_000;
	return {
		display: `127.0.0.1:${number}`,
		id: `:${number}`,
		async stop() {
			for (const socket of sockets) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** Length of the first request in the input; 0 if it is incomplete. */
function lengthOf(input: Buffer): number {
	if (input.length < 4) return 0;
	const length = input.readUInt16LE(2) * 4;
	return input.length < length ? 0 : length;
}

function setupAnswer(release: number): Buffer {
	const [head, screen, depth, visual] = [Buffer.alloc(8 + 32), Buffer.alloc(40), Buffer.alloc(8), Buffer.alloc(24)];
	head.writeUInt8(1, 0);
	head.writeUInt16LE(11, 2);
	head.writeUInt16LE((32 + 40 + 8 + 24) / 4, 6);
	head.writeUInt32LE(release, 8);
	head.writeUInt8(1, 8 + 20); // screens
	screen.writeUInt32LE(0x500, 0); // root
	screen.writeUInt16LE(WIDTH, 20);
	screen.writeUInt16LE(HEIGHT, 22);
	screen.writeUInt32LE(0x21, 32); // root visual
	screen.writeUInt8(24, 38);
	screen.writeUInt8(1, 39); // depths
	depth.writeUInt8(24, 0);
	depth.writeUInt16LE(1, 2); // visuals
	visual.writeUInt32LE(0x21, 0);
	visual.writeUInt8(4, 4); // TrueColor
	for (const [index, mask] of [0xff0000, 0xff00, 0xff].entries()) visual.writeUInt32LE(mask, 8 + index * 4);
	return Buffer.concat([head, screen, depth, visual]);
}

/** @returns null for requests that have no reply. */
function answer(request: Buffer, sequence: number, { extensions, outputs }: FakeXOptions): Buffer | null {
	const [major, minor] = [request.readUInt8(0), request.readUInt8(1)];
	if (major === 98) {
		const name = request.toString("latin1", 8, 8 + request.readUInt16LE(4));
		const reply = replyOf(sequence, 0);
		reply.writeUInt8(extensions.includes(name) ? 1 : 0, 8);
		reply.writeUInt8(name === "RANDR" ? RANDR : 150, 9);
		return reply;
	}
	if (major === 43) return replyOf(sequence, 0);
	if (major !== RANDR) return null;
	if (minor === 0) return replyOf(sequence, 0);
	if (minor === 25) {
		const reply = replyOf(sequence, outputs.length);
		reply.writeUInt16LE(outputs.length, 18);
		for (const index of outputs.keys()) reply.writeUInt32LE(OUTPUT + index, 32 + index * 4);
		return reply;
	}
	const name = Buffer.from(outputs[request.readUInt32LE(4) - OUTPUT] ?? "", "latin1");
	const reply = replyOf(sequence, 1 + Math.ceil(name.length / 4));
	reply.writeUInt16LE(name.length, 34);
	name.copy(reply, 36);
	return reply;
}

/** @param words how many of 4 bytes follow the first 32 bytes. */
function replyOf(sequence: number, words: number): Buffer {
	const reply = Buffer.alloc(32 + words * 4);
	reply.writeUInt8(1, 0);
	reply.writeUInt16LE(sequence & 0xffff, 2);
	reply.writeUInt32LE(words, 4);
	return reply;
}
