/** Who is at the other end of the connection, as the process that accepted it tells. */
import type { IncomingMessage } from "node:http";

/** Request header that carries the peer's address inside the process (markPeer). */
export const PEER_ADDRESS_HEADER = "x-tapedeck-peer";

/**
 * Notes the peer's address on a request that has just arrived, before anything reads its headers. What the
 * client itself sent under this name is thrown away, so that it is never believed.
 */
export function markPeer(req: IncomingMessage): void {
	const raw = req.rawHeaders;
	for (let index = raw.length - 2; index >= 0; index -= 2) {
		if (raw[index]?.toLowerCase() === PEER_ADDRESS_HEADER) raw.splice(index, 2);
	}
	delete req.headers[PEER_ADDRESS_HEADER];
	const address = req.socket.remoteAddress;
	if (address === undefined) return;
	raw.push(PEER_ADDRESS_HEADER, address);
	req.headers[PEER_ADDRESS_HEADER] = address;
}

const isLoopbackAddress = (address: string): boolean =>
	address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);

const isLoopbackHost = (host: string): boolean => {
	const name = host.replace(/:\d+$/, "").toLowerCase();
	return name === "localhost" || name === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
};

/**
 * Whether a person at this very machine is asking. A loopback peer alone does not prove it: a reverse proxy
 * is one too (it forwards), and so is a page whose name was rebound to 127.0.0.1 (its Host gives it away).
 */
export function isLocalRequest(headers: Headers): boolean {
	const peer = headers.get(PEER_ADDRESS_HEADER);
	if (peer === null || !isLoopbackAddress(peer)) return false;
	if (["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"].some((name) => headers.has(name))) {
		return false;
	}
	return isLoopbackHost(headers.get("host") ?? "");
}

/** Whether the connection itself comes from one of these addresses; what a proxy forwards is not looked at. */
export function isPeer(headers: Headers, addresses: readonly string[]): boolean {
	const peer = headers.get(PEER_ADDRESS_HEADER)?.replace(/^::ffff:/i, "");
	return peer !== undefined && addresses.includes(peer);
}
