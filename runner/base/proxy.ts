/**
 * HTTP proxies, as curl takes them from the environment: `http_proxy` (in lower case alone, since a CGI server sets
 * HTTP_PROXY from a request's header), `https_proxy` and `all_proxy` in either case, and `no_proxy`. SOCKS proxies are not
 * supported: connections are direct then.
 */
import * as http from "node:http";
import * as https from "node:https";
import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** curl's. */
const DEFAULT_PORT = 1080;

// biome-ignore lint/style/noProcessEnv: proxies are a setting of the machine, not of the runner
const ownEnvironment = (): Environment => process.env;

/** A proxy, or the sentence why the one of the environment is not used. */
type Setting = { proxy: URL } | { problem: string } | null;

/** The proxy for requests to a URL; null for none. */
export function proxyFor(url: URL, env: Environment = ownEnvironment()): URL | null {
	const setting = settingFor(url, env);
	return setting !== null && "proxy" in setting ? setting.proxy : null;
}

/** Why the proxy that the environment names for a URL is not used, as a sentence; null when there is nothing to say. */
export function proxyProblem(url: URL, env: Environment = ownEnvironment()): string | null {
	const setting = settingFor(url, env);
	return setting !== null && "problem" in setting ? setting.problem : null;
}

function settingFor(url: URL, env: Environment): Setting {
	const names =
		url.protocol === "https:"
			? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
			: ["http_proxy", "all_proxy", "ALL_PROXY"];
	const name = names.find((each) => env[each]);
	if (name === undefined || isExempt(url, env.no_proxy || env.NO_PROXY || "")) return null;
	return read(name, env[name] ?? "");
}

function read(name: string, value: string): Setting {
	const text = value.trim();
	const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
	if (proxy === null || proxy.hostname === "") {
		return { problem: `${name} is not the address of a proxy: it is ignored.` };
	}
	if (proxy.protocol !== "http:" && proxy.protocol !== "https:") {
		const scheme = proxy.protocol.replace(/:$/, "");
		return {
			problem: `${name} names a proxy of the kind ${scheme}, and only http and https are supported: it is ignored.`,
		};
	}
	// The port is also empty when it is given and the scheme's default.
	const hasPort = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:\[[^\]]*\]|[^/:]*):\d+/i.test(text);
	if (!hasPort && proxy.protocol === "http:") proxy.port = String(DEFAULT_PORT);
	return { proxy };
}

/**
 * Whether `no_proxy` covers the host of a URL. Entries are names, which include subdomains, addresses and networks,
 * each with or without a port.
 */
function isExempt(url: URL, list: string): boolean {
	const host = withoutDot(url.hostname.replace(/^\[|\]$/g, "").toLowerCase());
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return list
		.toLowerCase()
		.split(/[\s,]+/)
		.filter((entry) => entry !== "")
		.some((entry) => entry === "*" || isNamed(entry, host, port));
}

const withoutDot = (name: string): string => name.replace(/\.$/, "");

function isNamed(entry: string, host: string, port: string): boolean {
	// An IPv6 address without brackets has no port.
	const [, bracketed, rest = ""] = /^\[([^\]]*)\](.*)$/.exec(entry) ?? [];
	const [, plain = entry, own] = bracketed === undefined ? (/^([^:]*):(\d+)$/.exec(entry) ?? []) : [];
	const [name, entryPort] = bracketed === undefined ? [plain, own] : [bracketed, /^:(\d+)$/.exec(rest)?.[1]];
	if (entryPort !== undefined && entryPort !== port) return false;
	const prefix = bracketed !== undefined && rest.startsWith("/") ? rest : "";
	return isIP(host) === 0 ? isSuffix(name, host) : isInNetwork(`${name}${prefix}`, host);
}

function isSuffix(entry: string, host: string): boolean {
	const name = withoutDot(entry.replace(/^\*?\./, ""));
	return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function isInNetwork(entry: string, address: string): boolean {
	const [network = "", bits] = entry.split("/");
	const family = isIP(network);
	if (family === 0 || family !== isIP(address)) return false;
	const longest = family === 4 ? 32 : 128;
	const length = bits === undefined ? longest : Number(bits);
	if (!Number.isInteger(length) || length < 0 || length > longest || bits === "") return false;
	const kind = family === 4 ? "ipv4" : "ipv6";
	const block = new BlockList();
	block.addSubnet(network, length, kind);
	return block.check(address, kind);
}

/** A connection pool. @param proxy null for direct connections. */
export function agentFor(url: URL, proxy: URL | null, options: http.AgentOptions = {}): http.Agent {
	const proxyEnv: Environment = proxy === null ? {} : { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href };
	const through = { ...options, proxyEnv: proxyEnv as NodeJS.ProcessEnv };
	return url.protocol === "https:" ? new https.Agent(through) : new http.Agent(through);
}

/** Says in the message of an error that the connection was one through a proxy. */
export function throughProxy<E extends Error>(error: E, proxy: URL): E {
	error.message = `${error.message} through the proxy ${proxy.protocol}//${proxy.host}`;
	return error;
}
