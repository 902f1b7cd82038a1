import { expect, test } from "vitest";
import { startTestApi } from "#test/api-server.ts";
import { contentSecurityPolicy } from "./security-headers.ts";

test("no response can be framed, sniffed, embedded in another site, or run as a page", async () => {
	const api = await startTestApi({ TAPEDECK_URL: "https://tapedeck.example.com" });
	try {
		const answers = [
			...["/v1/jobs", "/v1/jobs/99", "/v1/openapi.json", "/v1/audit-log/export", "/v1/nothing", "/metrics"],
			...["/v1/recordings/1/video", "/v1/recordings/1/storyboard", "/api/auth/get-session", "/api/auth/nothing"],
		].map((path) => ({ method: "GET", path }));
		const others = ["OPTIONS", "DELETE", "HEAD"].map((method) => ({ method, path: "/v1/jobs" }));
		for (const { method, path } of [...answers, ...others]) {
			const { headers } = await api.call(method, path);
			expect(Object.fromEntries(headers), `${method} ${path}`).toMatchObject({
				"x-content-type-options": "nosniff",
				"x-frame-options": "DENY",
				"cross-origin-resource-policy": "same-origin",
				"content-security-policy": "default-src 'none'; media-src 'self'; frame-ancestors 'none'; sandbox",
				"strict-transport-security": "max-age=15552000",
			});
		}
	} finally {
		await api.stop();
	}
});

test("without TLS, no header forces browsers to use https", async () => {
	const api = await startTestApi();
	try {
		expect((await api.call("GET", "/v1/jobs")).headers.get("strict-transport-security")).toBeNull();
	} finally {
		await api.stop();
	}
});

test("a page runs only scripts with its own nonce", () => {
	const policy = contentSecurityPolicy("abc", false);
	expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
	expect(policy).not.toMatch(/script-src[^;]*unsafe/);
	expect(policy).toContain("frame-ancestors 'none'");
	expect(contentSecurityPolicy("abc", false, ["https://a.example", "https://b.example"])).toContain(
		"frame-ancestors https://a.example https://b.example",
	);
});
