/** Closes connections without traffic: a stalled upload, a video that nobody reads. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

const CHECKS_PER_TIMEOUT = 12;

/**
 * Closes a connection once nothing has been received or sent on it for `timeoutMs`. Node's own timer,
 * `server.setTimeout`, restarts once while bytes wait to be sent, and so takes up to twice as long. Connections between
 * two requests are closed sooner, by `server.keepAliveTimeout`.
 *
 * @returns the open connections, including upgraded ones, which the server itself stops tracking.
 */
export function closeStalledConnections(server: Server, timeoutMs: number): ReadonlySet<Socket> {
	const open = new Map<Socket, { progress: string; since: number }>();
	const sockets = new Set<Socket>();
	server.timeout = 0;
	server.on("connection", (socket: Socket) => {
		sockets.add(socket);
		open.set(socket, { progress: progressOf(socket), since: performance.now() });
		socket.once("close", () => {
			sockets.delete(socket);
			open.delete(socket);
		});
	});
	const timer = setInterval(() => {
		const now = performance.now();
		for (const [socket, last] of open) {
			const progress = progressOf(socket);
			if (progress !== last.progress) open.set(socket, { progress, since: now });
			else if (now - last.since >= timeoutMs) socket.destroy();
		}
	}, timeoutMs / CHECKS_PER_TIMEOUT);
	timer.unref();
	server.once("close", () => clearInterval(timer));
	return sockets;
}

/** Changes with every byte received and every byte that the kernel accepted for sending, but not with queued bytes. */
function progressOf(socket: Socket): string {
	// Node exposes how much of the current write is left only here.
	const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
	return `${socket.bytesRead} ${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
}
