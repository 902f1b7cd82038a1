import { expect, test } from "vitest";
import { proxyFor, proxyProblem } from "./proxy.ts";

const of = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href ?? null;
const HTTPS = "https://tapedeck.example.com/v1";
const HTTP = "http://tapedeck.example.com/v1";

test.for<[string, Record<string, string>, string | null]>([
	[HTTPS, {}, null],
	[HTTPS, { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
	[HTTPS, { https_proxy: "http://lower:3128", HTTPS_PROXY: "http://upper:3128" }, "http://lower:3128/"],
	[HTTPS, { https_proxy: "", HTTPS_PROXY: "http://upper:3128" }, "http://upper:3128/"],
	[HTTPS, { http_proxy: "http://proxy:3128" }, null],
	[HTTP, { http_proxy: "http://proxy:3128" }, "http://proxy:3128/"],
	// A web server sets it from the header "Proxy" of a request.
	[HTTP, { HTTP_PROXY: "http://proxy:3128" }, null],
	[HTTP, { HTTPS_PROXY: "http://proxy:3128" }, null],
	[HTTP, { ALL_PROXY: "http://all:3128" }, "http://all:3128/"],
	[HTTPS, { all_proxy: "http://all:3128" }, "http://all:3128/"],
	[HTTPS, { ALL_PROXY: "socks5h://all:1080", HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
	[HTTPS, { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128/"],
	[HTTPS, { HTTPS_PROXY: "proxy" }, "http://proxy:1080/"],
	[HTTPS, { HTTPS_PROXY: "http://proxy:80" }, "http://proxy/"],
	[HTTPS, { HTTPS_PROXY: "https://proxy" }, "https://proxy/"],
	[HTTPS, { HTTPS_PROXY: "http://user:p%40ss@[fd00::1]:3128/" }, "http://user:p%40ss@[fd00::1]:3128/"],
	[HTTPS, { HTTPS_PROXY: "socks5://127.0.0.1:1080" }, null],
	[HTTPS, { HTTPS_PROXY: "http://" }, null],
	["http://localhost:3000", { http_proxy: "http://proxy:3128" }, "http://proxy:3128/"],
])("for %s and %o, the proxy is %s, as with curl", ([url, env, proxy]) => {
	expect(of(url, env)).toBe(proxy);
});

test.for<[string, string, boolean]>([
	["*", "https://any.example", true],
	["example.com", "https://example.com", true],
	["example.com", "https://tapedeck.example.com", true],
	["example.com", "https://anexample.com", false],
	[".example.com", "https://tapedeck.example.com", true],
	[".example.com", "https://example.com", true],
	["*.example.com", "https://tapedeck.example.com", true],
	["EXAMPLE.com.", "https://tapedeck.Example.COM", true],
	["example.com", "https://example.com.", true],
	["other.test, example.com", "https://example.com", true],
	["other.test example.com", "https://example.com", true],
	["other.test,,", "https://example.com", false],
	["example.com:8443", "https://example.com:8443", true],
	["example.com:8443", "https://example.com", false],
	["example.com:443", "https://example.com", true],
	["localhost,127.0.0.1,::1", "http://[::1]:3000", true],
	["localhost,127.0.0.1,[::1]", "http://[::1]:3000", true],
	["[::1]:3000", "http://[::1]:3000", true],
	["[::1]:3000", "http://[::1]:3001", false],
	["0:0:0:0:0:0:0:1", "http://[::1]:3000", true],
	["fd00::/8", "http://[fd12::5]", true],
	["fd00::/8", "http://[fe80::5]", false],
	["::1", "http://127.0.0.1", false],
	["127.0.0.1", "http://127.0.0.1:3000", true],
	["10.0.0.0/8", "http://10.200.3.4", true],
	["10.0.0.0/8", "http://11.0.0.1", false],
	["10.0.0.0/99", "http://10.0.0.1", false],
	["0.0.1", "http://10.0.0.1", false],
	["nonsense]::[,example.com", "https://example.com", true],
])("NO_PROXY=%s exempts %s: %s", ([list, url, exempt]) => {
	const proxies = { http_proxy: "http://proxy:3128", HTTPS_PROXY: "http://proxy:3128" };
	expect(of(url, { ...proxies, NO_PROXY: list }) === null).toBe(exempt);
	expect(of(url, { ...proxies, no_proxy: list, NO_PROXY: "else.test" }) === null).toBe(exempt);
});

test("a proxy that is not supported is named in a sentence, and nothing else is", () => {
	const problemOf = (env: Record<string, string>) => proxyProblem(new URL(HTTPS), env);
	expect(problemOf({ HTTPS_PROXY: "socks5h://127.0.0.1:1080" })).toMatch(/^HTTPS_PROXY .*socks5h.*ignored\.$/);
	expect(problemOf({ ALL_PROXY: "http://" })).toMatch(/^ALL_PROXY .*ignored\.$/);
	expect(problemOf({ HTTPS_PROXY: "http://user:secret@proxy" })).toBeNull();
	expect(problemOf({ ALL_PROXY: "socks5://127.0.0.1:1080", NO_PROXY: "example.com" })).toBeNull();
});
