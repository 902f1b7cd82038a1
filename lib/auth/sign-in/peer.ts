/** Who is at the other end of the connection, as the process that accepted it tells, and who stands behind a proxy. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import proxyAddress from "proxy-addr";

/** Request header that carries the peer's address inside the process (markPeer). */
export const PEER_ADDRESS_HEADER = "x-tapedeck-peer";
/** Request header that carries the caller's address inside the process: the peer's, or what trusted proxies tell. */
export const CLIENT_ADDRESS_HEADER = "x-tapedeck-client";

/** Whether an address is a proxy whose forwarded headers are believed. */
export type ProxyTrust = (address: string) => boolean;
export const TRUST_NOBODY: ProxyTrust = () => false;

/**
 * @param proxies IP addresses and networks (`10.0.0.0/8`); empty: nobody is believed.
 * @throws an Error for what is neither.
 */
export function trustProxies(proxies: readonly string[]): ProxyTrust {
	const trusts = proxyAddress.compile([...proxies]);
	return (address) => trusts(address, 0);
}

/**
 * Notes on a request that has just arrived, before anything reads its headers, the peer's address and the
 * caller's. What the client itself sent under these names is thrown away, so that it is never believed. A caller
 * behind proxies is the last address of X-Forwarded-For that is not a trusted proxy.
 */
export function markPeer(req: IncomingMessage, trusts: ProxyTrust = TRUST_NOBODY): void {
	for (const name of [PEER_ADDRESS_HEADER, CLIENT_ADDRESS_HEADER]) setHeader(req, name, undefined);
	const peer = req.socket.remoteAddress;
	if (peer === undefined) return;
	setHeader(req, PEER_ADDRESS_HEADER, peer);
	setHeader(req, CLIENT_ADDRESS_HEADER, plainAddress(callerOf(req, peer, trusts)));
}

function callerOf(req: IncomingMessage, peer: string, trusts: ProxyTrust): string {
	if (!trusts(peer)) return peer;
	const told = proxyAddress(req, trusts);
	// What is no address was made up: nothing behind the proxy is believed.
	return isIP(told) === 0 ? peer : told;
}

function setHeader(req: IncomingMessage, name: string, value: string | undefined): void {
	const raw = req.rawHeaders;
	for (let index = raw.length - 2; index >= 0; index -= 2) {
		if (raw[index]?.toLowerCase() === name) raw.splice(index, 2);
	}
	delete req.headers[name];
	if (value === undefined) return;
	raw.push(name, value);
	req.headers[name] = value;
}

/** An IPv4 address as such, also where the system tells it inside an IPv6 one. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** The caller's address; null when the connection had none left to tell. */
export const clientAddress = (headers: Headers): string | null => headers.get(CLIENT_ADDRESS_HEADER);

const isLoopbackAddress = (address: string): boolean =>
	address === "::1" || /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);

const isLoopbackHost = (host: string): boolean => {
	const name = host.replace(/:\d+$/, "").toLowerCase();
	return name === "localhost" || name === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
};

const isForwarded = (headers: Headers): boolean =>
	["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"].some((name) => headers.has(name));

/**
 * Whether a person at this very machine is asking. A loopback peer alone does not prove it: a reverse proxy
 * is one too (it forwards), and so is a page whose name was rebound to 127.0.0.1 (its Host gives it away).
 */
export function isLocalRequest(headers: Headers): boolean {
	const peer = headers.get(PEER_ADDRESS_HEADER);
	if (peer === null || !isLoopbackAddress(peer)) return false;
	return !isForwarded(headers) && isLoopbackHost(headers.get("host") ?? "");
}

/**
 * Whether the caller is at one of these addresses. Whoever comes through a proxy that is not trusted is not, although
 * the proxy may be: it speaks for anybody.
 */
export function isCallerAt(headers: Headers, addresses: readonly string[]): boolean {
	const caller = clientAddress(headers);
	if (caller === null || !addresses.includes(caller)) return false;
	return caller !== plainAddress(headers.get(PEER_ADDRESS_HEADER) ?? "") || !isForwarded(headers);
}
