/** Answers that are given before their request was read whole: whoever sent it gets to read them. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** So long a client may go on sending before the connection is closed under it. */
const LINGER_MS = 2_000;

/**
 * A connection that is closed while bytes of it are unread is reset, and its client may lose the answer that was on its
 * way (RFC 9112, 9.6). Where Node would close at once, our side is ended after the answer, what still comes is thrown
 * away, and the connection is closed when the client has closed it, or after 2 s.
 */
export function lingerAfterEarlyAnswers(server: Server): void {
	const requests = new WeakMap<Socket, IncomingMessage>();
	// Before those that answer, which may do so at once.
	server.prependListener("request", (req) => requests.set(req.socket, req));
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
