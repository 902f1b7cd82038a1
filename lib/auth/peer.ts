/** Who is at the other end of the connection, as the process that accepted it tells. */

/**
 * Request header that carries the peer's address inside the process. The HTTP server overwrites it on every
 * request, so that what a client sends under this name is never believed.
 */
export const PEER_ADDRESS_HEADER = "x-tapedeck-peer";

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
