/** The address of the connection's peer, and of the caller behind trusted proxies. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";
import type { RequestHeaders } from "#lib/core/request-headers.ts";

/** Internal request header with the peer's address, set by markPeer. */
export const PEER_ADDRESS_HEADER = "x-tapedeck-peer";
/** Internal request header with the caller's address: the peer's, or the one reported by trusted proxies. */
export const CLIENT_ADDRESS_HEADER = "x-tapedeck-client";

/** Whether an address is a proxy whose forwarded headers are trusted. */
export type ProxyTrust = (address: string) => boolean;
export const TRUST_NOBODY: ProxyTrust = () => false;

/**
 * @param proxies IP addresses and networks (`10.0.0.0/8`); empty to trust none.
 * @throws an Error for anything else.
 */
export function trustProxies(proxies: readonly string[]): ProxyTrust {
	const trusts = proxyAddress.compile([...proxies]);
	return (address) => trusts(address, 0);
}

/**
 * Records the peer's and the caller's address on a new request, before anything reads its headers. Values that the
 * client sent in these headers are discarded. The caller behind proxies is the last address of X-Forwarded-For that is
 * not a trusted proxy.
 */
export function markPeer(req: IncomingMessage, trusts: ProxyTrust = TRUST_NOBODY): void {
	for (const name of [PEER_ADDRESS_HEADER, CLIENT_ADDRESS_HEADER]) setHeader(req, name, undefined);
	const peer = req.socket.remoteAddress;
	if (peer === undefined) return;
	setHeader(req, PEER_ADDRESS_HEADER, peer);
	setHeader(req, CLIENT_ADDRESS_HEADER, plainAddress(callerOf(req, peer, trusts)));
}

/** Records the caller's address of a request that another dashboard passed on. */
export function markCaller(req: IncomingMessage, address: string): void {
	setHeader(req, CLIENT_ADDRESS_HEADER, address === "" ? undefined : address);
}

function callerOf(req: IncomingMessage, peer: string, trusts: ProxyTrust): string {
	if (!trusts(peer)) return peer;
	const forwarded = proxyAddress(req, trusts);
	// An invalid address was made up: ignore what the proxy forwarded.
	return isIP(forwarded) === 0 ? peer : forwarded;
}

function setHeader(req: IncomingMessage, name: string, value: string | undefined): void {
	const raw = req.rawHeaders;
	for (let index = raw.length - 2; index >= 0; index -= 2) {
		if (raw[index]?.toLowerCase() === name) raw.splice(index, 2);
	}
	// Deleting makes V8 keep the headers as a hash table, which is larger and slower.
	if (req.headers[name] !== undefined) delete req.headers[name];
	if (value === undefined) return;
	raw.push(name, value);
	req.headers[name] = value;
}

/** Unwraps IPv4 addresses that the system reports as IPv6 (`::ffff:`). */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** The caller's address; null when the connection had already closed. */
export const clientAddress = (headers: RequestHeaders): string | null => headers.get(CLIENT_ADDRESS_HEADER);

const isLoopbackAddress = (address: string): boolean =>
	address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);

const isLoopbackHost = (host: string): boolean => {
	const name = host.replace(/:\d+$/, "").toLowerCase();
	return name === "localhost" || name === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
};

const isForwarded = (headers: RequestHeaders): boolean =>
	["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"].some((name) => headers.has(name));

/**
 * Whether the request comes from a person on this machine. A loopback peer alone does not prove it: it can be a reverse
 * proxy, which adds forwarded headers, or a page whose name was rebound to 127.0.0.1, which sends its own Host.
 */
export function isLocalRequest(headers: RequestHeaders): boolean {
	const peer = headers.get(PEER_ADDRESS_HEADER);
	if (peer === null || !isLoopbackAddress(peer)) return false;
	return !isForwarded(headers) && isLoopbackHost(headers.get("host") ?? "");
}

/**
 * Whether the caller is at one of these addresses. Callers behind an untrusted proxy are not, even if the proxy's own
 * address is listed: it forwards for anyone.
 */
export function isCallerAt(headers: RequestHeaders, addresses: readonly string[]): boolean {
	const caller = clientAddress(headers);
	if (caller === null || !addresses.includes(caller)) return false;
	return caller !== plainAddress(headers.get(PEER_ADDRESS_HEADER) ?? "") || !isForwarded(headers);
}
