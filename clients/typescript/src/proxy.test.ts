import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../test/processes/free-port.ts";
import { startHttpProxy } from "../../../test/servers/http-proxy.ts";
import { startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { Tapedeck } from "./index.ts";
import { proxyFor } from "./proxy.ts";

const of = (url: string, env: Record<string, string>) => {
	const { url: proxy, problem = null } = proxyFor(new URL(url), env) ?? {};
	return proxy === undefined || problem !== null ? null : proxy.href;
};
const SECURE = "https://deck.example.com/v1";
const PLAIN = "http://deck.example.com/v1";

test.for<[string, Record<string, string>, string | null]>([
	[SECURE, {}, null],
	[SECURE, { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
	[SECURE, { https_proxy: "http://low:3128", HTTPS_PROXY: "http://up:3128" }, "http://low:3128/"],
	[SECURE, { https_proxy: "", HTTPS_PROXY: "http://up:3128" }, "http://up:3128/"],
	[SECURE, { http_proxy: "http://proxy:3128" }, null],
	[PLAIN, { http_proxy: "http://proxy:3128" }, "http://proxy:3128/"],
	// A CGI server sets it from the header "Proxy".
	[PLAIN, { HTTP_PROXY: "http://proxy:3128" }, null],
	[PLAIN, { ALL_PROXY: "http://all:3128" }, "http://all:3128/"],
	[SECURE, { ALL_PROXY: "socks5://all:1080", HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128/"],
	[SECURE, { ALL_PROXY: "socks5h://all:1080" }, null],
	[SECURE, { HTTPS_PROXY: "proxy" }, "http://proxy:1080/"],
	[SECURE, { HTTPS_PROXY: "http://proxy:80/" }, "http://proxy/"],
	[SECURE, { HTTPS_PROXY: "https://user:p%40ss@[fd00::1]:3128" }, "https://user:p%40ss@[fd00::1]:3128/"],
	[SECURE, { HTTPS_PROXY: "http://" }, null],
	["http://localhost:3000", { http_proxy: "http://proxy:3128" }, "http://proxy:3128/"],
])("for %s and %o, the proxy is %s, as with curl", ([url, env, proxy]) => {
	expect(of(url, env)).toBe(proxy);
});

test.for<[string, string, boolean]>([
	["*", "https://any.example", true],
	["example.com", "https://deck.example.com", true],
	["example.com", "https://anexample.com", false],
	[".example.com,other", "https://deck.example.com", true],
	["*.example.com", "https://deck.example.com", true],
	["EXAMPLE.com.", "https://Deck.example.com", true],
	["example.com:8443", "https://example.com:8443", true],
	["example.com:8443", "https://example.com", false],
	["localhost 127.0.0.1 ::1", "http://[::1]:3000", true],
	["example.com:443", "https://example.com", true],
	["example.com", "https://example.com.", true],
	["[::1]", "http://[::1]:3000", true],
	["[::1]:3000", "http://[::1]:3000", true],
	["::1", "http://127.0.0.1", false],
	["[::1]:3000", "http://[::1]:3001", false],
	["0:0:0:0:0:0:0:1", "http://[::1]", true],
	["fd00::/8", "http://[fd12::5]", true],
	["fd00::/8", "http://[fe80::5]", false],
	["::ffff:127.0.0.1", "http://127.0.0.1", false],
	["10.0.0.0/8", "http://10.200.3.4", true],
	["10.0.0.0/8", "http://11.0.0.1", false],
	["10.0.0.0/99", "http://10.0.0.1", false],
	["0.0.1", "http://10.0.0.1", false],
	["nonsense]::[,,example.com", "https://example.com", true],
])("NO_PROXY=%s exempts %s: %s", ([list, url, isExempt]) => {
	const env = { http_proxy: "http://proxy:3128", HTTPS_PROXY: "http://proxy:3128", NO_PROXY: list };
	expect(of(url, env) === null).toBe(isExempt);
});

test("calls go through the proxy of the environment, with its credentials, and their bodies arrive", async () => {
	const job = { id: 7, status: "queued" };
	const body = { name: "Zürich" };
	const server = await startReplayServer([
		{ request: { method: "PATCH", path: "/v1/jobs/7", body }, response: { status: 200, body: job } },
	]);
	const proxy = await startHttpProxy({ "deck.test": Number(new URL(server.url).port) });
	vi.stubEnv("http_proxy", proxy.url.replace("//", "//user:p%40ss@"));
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await Promise.all([proxy.stop(), server.stop()]);
	});
	const client = new Tapedeck({ url: "http://deck.test", apiKey: VECTOR_KEY });
	expect(await client.jobs.update(7, body)).toEqual(job);
	expect(proxy.requests).toEqual(["PATCH http://deck.test/v1/jobs/7"]);
	expect(proxy.authorization()).toBe(`Basic ${btoa("user:p@ss")}`);
	expect(server.complaints()).toEqual([]);
});

test("an https dashboard is called through a tunnel, and a proxy that refuses is named", async () => {
	const proxy = await startHttpProxy({});
	vi.stubEnv("https_proxy", proxy.url);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await proxy.stop();
	});
	const client = new Tapedeck({ url: "https://deck.test", apiKey: VECTOR_KEY, retries: 0 });
	await expect(client.jobs.get(7)).rejects.toThrow(`status 502 through the proxy ${proxy.url}`);
	expect(proxy.requests).toEqual(["CONNECT deck.test:443"]);
});

test("a proxy that is not supported is not used, and the error says so", async () => {
	vi.stubEnv("ALL_PROXY", "socks5://127.0.0.1:1080");
	onTestFinished(() => void vi.unstubAllEnvs());
	const url = `http://127.0.0.1:${await freePort()}`;
	const client = new Tapedeck({ url, apiKey: VECTOR_KEY, retries: 0 });
	await expect(client.jobs.get(7)).rejects.toThrow(
		/ECONNREFUSED.*ALL_PROXY names a socks5 proxy\. Only http and https proxies are supported, so it is not used\.$/,
	);
});
