/** Patterns of grids, as a runner's TAPEDECK_GRID_ALLOW and the limits of a runner token have them. */

export interface GridPattern {
	/** `http:` or `https:`; null for both. */
	protocol: string | null;
	host: string;
	/** Whether it matches all subdomains of the host, but not the host itself. */
	subdomains: boolean;
	/** Null for every port. */
	port: string | null;
	/** The path without a trailing slash; empty for every path. */
	path: string;
}

const PATTERN =
	/^(?:(?<scheme>https?):\/\/)?(?<wildcard>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s:/*?#@[\]\\]+)(?::(?<port>\d{1,5}))?(?<path>\/[^\s?#*\\]*)?$/i;
/** The address as URL normalizes it. */
const IP_ADDRESS = /^\[|^\d+(?:\.\d+){3}$/;

/**
 * @param word an origin (`http://grid:4444`) or a host with or without port (`grid:4444`, `*.grid.example` for all
 * subdomains), each with or without a path.
 * @returns null if it is none.
 */
export function parseGridPattern(word: string): GridPattern | null {
	const { scheme, wildcard, host = "", port, path = "" } = PATTERN.exec(word)?.groups ?? {};
	// Normalized like URLs: lower-case hosts, no default ports, no dot segments in paths.
	const text = `${scheme ?? "http"}://${host}${port === undefined ? "" : `:${port}`}${path}`;
	if (host === "" || !URL.canParse(text)) return null;
	const url = new URL(text);
	const subdomains = wildcard !== undefined;
	if (subdomains && IP_ADDRESS.test(url.hostname)) return null;
	return {
		protocol: scheme === undefined ? null : url.protocol,
		host: url.hostname,
		subdomains,
		port: scheme === undefined && port === undefined ? null : String(Number(port ?? defaultPort(url))),
		path: url.pathname.replace(/\/+$/, ""),
	};
}

/** @param address an absolute URL of a grid, or of a request to it. */
export function isWithinGrids(address: string, patterns: readonly GridPattern[]): boolean {
	if (!URL.canParse(address)) return false;
	const url = new URL(address);
	return patterns.some((pattern) => isWithin(url, pattern));
}

const defaultPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

function isWithin(url: URL, pattern: GridPattern): boolean {
	const isHost = pattern.subdomains ? url.hostname.endsWith(`.${pattern.host}`) : url.hostname === pattern.host;
	const isPort = pattern.port === null || pattern.port === (url.port || defaultPort(url));
	const isScheme = /^https?:$/.test(url.protocol) && (pattern.protocol ?? url.protocol) === url.protocol;
	return isScheme && isHost && isPort && isBelow(url.pathname, pattern.path);
}

function isBelow(path: string, prefix: string): boolean {
	if (prefix === "") return true;
	// A proxy may decode these to slashes, which could lead out of the prefix.
	if (/%2f|%5c/i.test(path)) return false;
	return path === prefix || path.startsWith(`${prefix}/`);
}
