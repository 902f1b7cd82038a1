/** Proxies of the environment for the runner's connections. The client has the rules by which one is chosen. */
import * as http from "node:http";
import * as https from "node:https";
import { proxyFor as proxySetting } from "@tapedeck/client-source/proxy.ts";

type Environment = Readonly<Record<string, string | undefined>>;

// biome-ignore lint/style/noProcessEnv: proxies are a setting of the machine, not of the runner
const ownEnvironment = (): Environment => process.env;

/** The proxy for requests to a URL; null for none. */
export function proxyFor(url: URL): URL | null {
	const setting = proxySetting(url, ownEnvironment());
	return setting === null || setting.problem !== null ? null : setting.url;
}

/** Why the proxy that the environment names for a URL is not used, as a sentence; null when there is nothing to say. */
export const proxyProblem = (url: URL, env: Environment = ownEnvironment()): string | null =>
	proxySetting(url, env)?.problem ?? null;

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
