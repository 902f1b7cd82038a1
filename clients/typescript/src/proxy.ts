/**
 * Proxies of the environment, in Node, as curl takes them: `http_proxy` in lower case alone, `https_proxy` and `all_proxy`
 * in either case, and `no_proxy`. Browsers have proxies of their own. Node's `fetch` takes none by itself.
 */

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxySetting {
	url: URL;
	/** Why it cannot be used, as a sentence; null if it can. */
	problem: string | null;
}

/** curl's. */
const DEFAULT_PORT = "1080";

/** The proxy for calls of a URL; null for none. */
export function proxyFor(url: URL, env: Environment): ProxySetting | null {
	const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"];
	const name = [...names, "all_proxy", "ALL_PROXY"].find((each) => env[each]?.trim());
	if (name === undefined || isExempt(url, env.no_proxy || env.NO_PROXY || "")) return null;
	const text = env[name]?.trim() ?? "";
	let proxy: URL;
	try {
		proxy = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
	} catch {
		return { url, problem: `${name} is no address of a proxy, and is not used.` };
	}
	if (!/^https?:$/.test(proxy.protocol) || proxy.hostname === "") {
		const kind = proxy.protocol.replace(/:$/, "");
		return {
			url: proxy,
			problem: `${name} names a ${kind} proxy. Only http and https proxies are supported, so it is not used.`,
		};
	}
	// An URL has no port either if it has the default one of its scheme.
	const hasPort = /:\d+\/?$/.test(text);
	if (proxy.protocol === "http:" && !hasPort) proxy.port = DEFAULT_PORT;
	return { url: proxy, problem: null };
}

/**
 * Whether `no_proxy` covers the host: by a name, which includes subdomains, by an address or by a network, each with or
 * without a port.
 */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
	const host = hostname.toLowerCase().replace(/\.$/, "");
	const usedPort = port || (protocol === "https:" ? "443" : "80");
	return list
		.toLowerCase()
		.split(/[\s,]+/)
		.some((entry) => entry === "*" || (entry !== "" && isNamed(entry, host, usedPort)));
}

function isNamed(entry: string, host: string, port: string): boolean {
	// IPv6 has a port only after brackets.
	const [, inBrackets, afterBrackets = ""] = /^\[([^\]]*)\](.*)$/.exec(entry) ?? [];
	const isPlainIpv6 = inBrackets === undefined && entry.split(":").length > 2;
	const [, beforePort, plainPort] = (!isPlainIpv6 && /^([^:]*):(\d+)$/.exec(entry)) || [];
	const entryPort = inBrackets === undefined ? plainPort : /^:(\d+)$/.exec(afterBrackets)?.[1];
	if (entryPort !== undefined && entryPort !== port) return false;
	const name = inBrackets === undefined ? (beforePort ?? entry) : inBrackets + /^(?:\/\d+)?/.exec(afterBrackets)?.[0];
	const address = bitsOf(host.replace(/^\[|\]$/g, ""));
	if (address !== null) return isInNetwork(name, address);
	const suffix = name.replace(/^\*?\./, "").replace(/\.$/, "");
	return suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}

function isInNetwork(entry: string, address: string): boolean {
	const [network = "", length] = entry.split("/");
	const bits = bitsOf(network);
	const count = length === undefined ? address.length : /^\d+$/.test(length) ? Number(length) : Number.NaN;
	return bits?.length === address.length && count <= address.length && bits.slice(0, count) === address.slice(0, count);
}

/** The bits of an IPv4 or IPv6 address; null for anything else. */
function bitsOf(text: string): string | null {
	if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) {
		const bytes = text.split(".").map(Number);
		return bytes.every((byte) => byte < 256) ? bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("") : null;
	}
	if (!text.includes(":")) return null;
	let hostname: string;
	try {
		// In the shortest form, without IPv4 notation at its end.
		hostname = new URL(`http://[${text}]`).hostname.slice(1, -1);
	} catch {
		return null;
	}
	const [left = "", right] = hostname.split("::");
	const groups = (part: string) => part.split(":").filter(Boolean);
	const known = [groups(left), groups(right ?? "")] as const;
	const zeros = Array<string>(Math.max(0, 8 - known[0].length - known[1].length)).fill("0");
	return [...known[0], ...zeros, ...known[1]]
		.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
		.join("");
}
