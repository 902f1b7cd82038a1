/** Lets clients read a response that was sent before their request had arrived completely. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** How long a client may keep sending before its connection is closed. */
const LINGER_MS = 2_000;

/**
 * Closing a connection with unread bytes resets it, and the client may lose the response (RFC 9112, section 9.6). Where
 * Node would close at once, this ends our side after the response, discards what still arrives, and closes the
 * connection when the client does, or after 2 s.
 */
export function lingerAfterEarlyAnswers(server: Server): void {
	const requests = new WeakMap<Socket, IncomingMessage>();
	// Runs before the listeners that may answer at once.
	server.prependListener("request", (req) => {
		const { socket } = req;
		requests.set(socket, req);
		// Kept until the connection's next request, it would outlive young garbage, with all that it refers to.
		req.once("close", () => {
			if (req.complete && requests.get(socket) === req) requests.delete(socket);
		});
	});
	server.on("connection", (socket: Socket) => {
		const destroySoon = socket.destroySoon.bind(socket);
		socket.destroySoon = () => {
			const req = requests.get(socket);
			if (req === undefined || req.complete || socket.destroyed) return destroySoon();
			socket.end();
			req.resume();
			const timer = setTimeout(() => socket.destroy(), LINGER_MS);
			socket.once("close", () => clearTimeout(timer));
		};
	});
}
