/** Which grids a runner may poll: `TAPEDECK_GRID_ALLOW`. Checked for every single request, redirects included. */
import { isIP } from "node:net";
import { parseList } from "../base/allow-list.ts";
import type { Fault } from "../base/fault.ts";

interface Entry {
	/** `http:` or `https:`; null for both. */
	protocol: string | null;
	host: string;
	/** Whether it matches all subdomains of the host, but not the host itself. */
	subdomains: boolean;
	/** Null for every port. */
	port: string | null;
	/** Without a trailing slash; empty for every path. */
	path: string;
}

const ENTRY =
	/^(?:(?<scheme>https?):\/\/)?(?<wildcard>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s:/*?#@[\]\\]+)(?::(?<port>\d{1,5}))?(?<path>\/[^\s?#*\\]*)?$/i;

export class AllowedGrids {
	/** The entries as the operator wrote them; null when every grid is allowed. */
	readonly words: readonly string[] | null;
	readonly #entries: readonly Entry[];

	private constructor(words: readonly string[] | null, entries: readonly Entry[]) {
		this.words = words;
		this.#entries = entries;
	}

	static readonly all = new AllowedGrids(null, []);

	/**
	 * @param text origins (`http://grid:4444`) or hosts with or without port (`grid:4444`, `*.grid.example` for all
	 * subdomains), each with or without a path, separated by commas.
	 * @returns an error message if it is invalid.
	 */
	static parse(text: string): AllowedGrids | string {
		const list = parseList(text, entryOf, "grids such as http://selenium:4444 or *.grid.example");
		if (typeof list === "string") return list;
		return new AllowedGrids(
			list.map(({ word }) => word),
			list.map(({ entry }) => entry),
		);
	}

	/** @param address an absolute URL of a grid, or of a request to it. */
	has(address: string): boolean {
		if (this.words === null) return true;
		const url = URL.parse(address);
		return url !== null && this.#entries.some((entry) => isWithin(url, entry));
	}
}

/** A grid is not on the list. The message does not disclose the list, which belongs to the operator. */
export const gridNotAllowed = (gridUrl: string): Fault<"grid_not_allowed"> => ({
	code: "grid_not_allowed",
	what: `The grid at ${gridUrl} is not in the runner's TAPEDECK_GRID_ALLOW`,
	remedy: "set gridUrl to an allowed grid, or ask the runner's operator to add this one",
});

function entryOf(word: string): Entry | null {
	const { scheme, wildcard, host = "", port, path = "" } = ENTRY.exec(word)?.groups ?? {};
	// Normalized like URLs: lower-case hosts, no default ports, no dot segments in paths.
	const url = URL.parse(`${scheme ?? "http"}://${host}${port === undefined ? "" : `:${port}`}${path}`);
	if (host === "" || url === null) return null;
	const subdomains = wildcard !== undefined;
	if (subdomains && isIP(url.hostname.replace(/[[\]]/g, "")) !== 0) return null;
	return {
		protocol: scheme === undefined ? null : url.protocol,
		host: url.hostname,
		subdomains,
		port: scheme === undefined && port === undefined ? null : String(Number(port ?? defaultPort(url))),
		path: url.pathname.replace(/\/+$/, ""),
	};
}

const defaultPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

function isWithin(url: URL, entry: Entry): boolean {
	const isHost = entry.subdomains ? url.hostname.endsWith(`.${entry.host}`) : url.hostname === entry.host;
	const isPort = entry.port === null || entry.port === (url.port || defaultPort(url));
	const isScheme = /^https?:$/.test(url.protocol) && (entry.protocol ?? url.protocol) === url.protocol;
	return isScheme && isHost && isPort && isBelow(url.pathname, entry.path);
}

function isBelow(path: string, prefix: string): boolean {
	if (prefix === "") return true;
	// A proxy may decode these to slashes, which could lead out of the prefix.
	if (/%2f|%5c/i.test(path)) return false;
	return path === prefix || path.startsWith(`${prefix}/`);
}
