/** Which grids this runner may ask: `TAPEDECK_GRID_ALLOW`. Judged for every single request, redirects included. */
import { isIP } from "node:net";
import { readList } from "../base/allow-list.ts";

interface Entry {
	/** `http:` or `https:`; null for both. */
	protocol: string | null;
	host: string;
	/** Whether every host below it is meant, and not the host itself. */
	below: boolean;
	/** Null for every port. */
	port: string | null;
	/** Without a slash at its end; empty for every path. */
	path: string;
}

const ENTRY =
	/^(?:(?<scheme>https?):\/\/)?(?<wildcard>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s:/*?#@[\]\\]+)(?::(?<port>\d{1,5}))?(?<path>\/[^\s?#*\\]*)?$/i;

export class AllowedGrids {
	/** As the operator wrote them; null when everything is allowed. */
	readonly words: readonly string[] | null;
	readonly #entries: readonly Entry[];

	private constructor(words: readonly string[] | null, entries: readonly Entry[]) {
		this.words = words;
		this.#entries = entries;
	}

	static readonly all = new AllowedGrids(null, []);

	/**
	 * @param text origins (`http://grid:4444`), hosts with or without port (`grid:4444`, `*.grid.example` for every host
	 * below it), each with a path or without.
	 * @returns the sentence that says what is wrong with it, if anything is.
	 */
	static parse(text: string): AllowedGrids | string {
		const list = readList(text, entryOf, "grids such as http://selenium:4444 or *.grid.example");
		if (typeof list === "string") return list;
		return new AllowedGrids(
			list.map(({ word }) => word),
			list.map(({ entry }) => entry),
		);
	}

	/** @param address an absolute URL, of a grid or of a request to it. */
	has(address: string): boolean {
		if (this.words === null) return true;
		const url = URL.parse(address);
		return url !== null && this.#entries.some((entry) => isWithin(url, entry));
	}
}

/** One sentence with the remedy; the list itself is the operator's, and stays on the runner's machine. */
export const gridNotAllowed = (gridUrl: string): string =>
	`The runner may not ask the grid at ${gridUrl}: its TAPEDECK_GRID_ALLOW does not have it; ` +
	"set gridUrl to a grid that it may ask, or have the runner's operator add this one.";

function entryOf(word: string): Entry | null {
	const { scheme, wildcard, host = "", port, path = "" } = ENTRY.exec(word)?.groups ?? {};
	// Compared as URLs are: hosts in lower case, ports that go without saying left out, paths without dots.
	const url = URL.parse(`${scheme ?? "http"}://${host}${port === undefined ? "" : `:${port}`}${path}`);
	if (host === "" || url === null) return null;
	const below = wildcard !== undefined;
	if (below && isIP(url.hostname.replace(/[[\]]/g, "")) !== 0) return null;
	return {
		protocol: scheme === undefined ? null : url.protocol,
		host: url.hostname,
		below,
		port: scheme === undefined && port === undefined ? null : String(Number(port ?? defaultPort(url))),
		path: url.pathname.replace(/\/+$/, ""),
	};
}

const defaultPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

function isWithin(url: URL, entry: Entry): boolean {
	const isHost = entry.below ? url.hostname.endsWith(`.${entry.host}`) : url.hostname === entry.host;
	const isPort = entry.port === null || entry.port === (url.port || defaultPort(url));
	const isScheme = /^https?:$/.test(url.protocol) && (entry.protocol ?? url.protocol) === url.protocol;
	return isScheme && isHost && isPort && isBelow(url.pathname, entry.path);
}

function isBelow(path: string, prefix: string): boolean {
	if (prefix === "") return true;
	// A proxy may read these as slashes, and so leave the prefix by them.
	if (/%2f|%5c/i.test(path)) return false;
	return path === prefix || path.startsWith(`${prefix}/`);
}
