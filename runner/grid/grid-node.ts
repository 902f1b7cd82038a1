/** The node of a grid that a recorder belongs to: by its id, its URI, or its host. */
import { isIPv6 } from "node:net";
import type { GridNode } from "./read-status.ts";

type NodeName = Pick<GridNode, "id" | "uri">;

/** The time for which a vanished node may come back: a grid's session timeout. */
const ABSENT_MS = 300_000;

/** The nodes of a grid that match. */
export type FoundNode =
	| { kind: "found"; isMeant(node: NodeName): boolean }
	/** The grid does not have the node (any more). */
	| { kind: "absent" }
	/** Several nodes share the name. */
	| { kind: "shared"; uris: string[]; isMeant(node: NodeName): boolean };

/**
 * Finds the node that a name means, from one status to the next. A name that several nodes share means none of them:
 * with the wrong one, the wrong display would be recorded. A node that was found is followed even if another one shares
 * its name later.
 */
export class NodeFinder {
	readonly #name: string;
	readonly #addresses: readonly Address[];
	/** The key of the node that was found last. */
	#found: string | null = null;
	/** When it was there last. */
	#foundAt = 0;
	/** Nodes that share the name, by key, with their URIs. */
	#others = new Map<string, string>();
	#othersAt = 0;

	constructor(name: string) {
		this.#name = name.trim().toLowerCase();
		this.#addresses = addressesOf(this.#name);
	}

	/** @param now a monotonic clock, in ms. */
	find(nodes: readonly NodeName[], now = performance.now()): FoundNode {
		const named = new Map(nodes.filter(this.#named(nodes)).map((node) => [keyOf(node), node.uri || node.id]));
		if (this.#found !== null && now - this.#foundAt > ABSENT_MS && !named.has(this.#found)) this.#found = null;
		if (this.#found === null && now - this.#othersAt > ABSENT_MS) this.#others.clear();
		if (this.#found === null || !named.has(this.#found)) {
			const candidates = [...named.keys()].filter((key) => !this.#others.has(key));
			const [only] = candidates;
			const isClear = candidates.length === 1 && (this.#found !== null || this.#others.size === 0);
			if (only === undefined || !isClear) return this.#unclear(named, now);
			this.#found = only;
		}
		const found = this.#found;
		this.#foundAt = now;
		this.#remember(named, now);
		this.#others.delete(found);
		return { kind: "found", isMeant: (node) => keyOf(node) === found };
	}

	#unclear(named: ReadonlyMap<string, string>, now: number): FoundNode {
		if (this.#found !== null) return { kind: "absent" };
		this.#remember(named, now);
		const others = new Map(this.#others);
		if (others.size === 0) return { kind: "absent" };
		return { kind: "shared", uris: [...others.values()], isMeant: (node) => others.has(keyOf(node)) };
	}

	#remember(named: ReadonlyMap<string, string>, now: number): void {
		if (named.size < 2) return;
		for (const [key, uri] of named) this.#others.set(key, uri);
		this.#othersAt = now;
	}

	/** An id takes precedence over another node's host. */
	#named(nodes: readonly NodeName[]): (node: NodeName) => boolean {
		const hasId = ({ id }: NodeName) => id.toLowerCase() === this.#name;
		if (nodes.some(hasId)) return hasId;
		return ({ uri }) => {
			if (uri === "") return false;
			const addresses = addressesOf(uri);
			if (addresses.length === 0) return uri.toLowerCase() === this.#name;
			return this.#addresses.some((wanted) => addresses.some((address) => isAt(wanted, address)));
		};
	}
}

/** Whether a node at `address` is the one at `wanted`, which need not have a port or a zone. */
function isAt(wanted: Address, address: Address): boolean {
	if (wanted.host !== address.host) return false;
	if (wanted.port !== null && wanted.port !== address.port) return false;
	return wanted.zone === null || address.zone === null || wanted.zone === address.zone;
}

/** Nodes with the same key are one: a restarted node has a new id, and its old entry stays for a while. */
function keyOf({ id, uri }: NodeName): string {
	const [address] = addressesOf(uri);
	return address === undefined ? uri || id : `${address.host}%${address.zone ?? ""} ${address.port ?? ""}`;
}

interface Address {
	/** The host as WHATWG URLs normalize it; IPv6 without brackets, IPv4-mapped addresses as IPv4. */
	host: string;
	/** The zone of an IPv6 address: the interface after `%`. */
	zone: string | null;
	/** Null if the text has none. */
	port: string | null;
}

const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };

/**
 * The addresses that a URI, a host, or a host with its port may mean: one, or none if it is not an address. Only an IPv6
 * address without brackets may also be a shorter one and a port. WHATWG URLs have no zones, and Java's URIs do.
 */
function addressesOf(text: string): Address[] {
	const match = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(?:[^/?#]*@)?([^/?#]*)/i.exec(text);
	const [, scheme, authority = ""] = match ?? [];
	const defaultPort = scheme === undefined ? null : (DEFAULT_PORTS[scheme.toLowerCase()] ?? null);
	const bracketed = /^\[(.*)\](?::(\d*))?$/.exec(authority);
	const parts: [host: string | undefined, port: string | undefined][] = [];
	if (bracketed !== null) parts.push([bracketed[1], bracketed[2]]);
	else {
		const colon = authority.lastIndexOf(":");
		if (colon >= 0 && /^\d*$/.test(authority.slice(colon + 1)))
			parts.push([authority.slice(0, colon), authority.slice(colon + 1)]);
		if (colon < 0 || isIPv6(authority.split("%", 1).join())) parts.unshift([authority, undefined]);
	}
	return parts.flatMap(([host = "", port]) => {
		const at = hostOf(host, bracketed !== null);
		return at === null ? [] : [{ ...at, port: port ? String(Number(port)) : defaultPort }];
	});
}

function hostOf(text: string, isBracketed: boolean): Pick<Address, "host" | "zone"> | null {
	const [, address = "", zone = null] = /^([^%]*)(?:%(?:25)?(.+))?$/.exec(text) ?? [];
	if (isIPv6(address)) {
		const host = new URL(`http://[${address}]`).hostname.slice(1, -1);
		const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
			.exec(host)
			?.slice(1)
			.map((group) => Number.parseInt(group, 16));
		if (mapped === undefined) return { host, zone: zone?.toLowerCase() ?? null };
		return { host: mapped.flatMap((group) => [group >> 8, group & 255]).join("."), zone: null };
	}
	if (isBracketed || text === "" || text.includes(":")) return null;
	return { host: (URL.parse(`http://${text}`)?.hostname ?? text.toLowerCase()).replace(/\.$/, ""), zone: null };
}

/** The nodes of a grid for a message, limited in length. */
export function nodesInWords(nodes: readonly NodeName[]): string {
	return nodes.length === 0 ? "it has no nodes" : `it has ${listed(nodes.map(({ id, uri }) => uri || id))}`;
}

/** URIs for a message, limited in length. */
export function listed(uris: readonly string[]): string {
	const some = uris.slice(0, 5).map((uri) => uri.slice(0, 100));
	const more = uris.length > some.length ? ` and ${uris.length - some.length} more` : "";
	return `${some.join(", ")}${more}`;
}
