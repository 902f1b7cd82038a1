import { expect, test } from "vitest";
import { isLocalRequest, PEER_ADDRESS_HEADER } from "#lib/auth/sign-in/client-address.ts";
import { assertSameOrigin } from "./same-origin.ts";

const ours = ["https://tapedeck.example.com"];
const passes = (headers: Record<string, string>, method = "POST"): boolean => {
	try {
		assertSameOrigin(new Headers(headers), method, ours);
		return true;
	} catch (error) {
		expect(error).toMatchObject({ code: "forbidden" });
		return false;
	}
};

test("our own pages, and programs that are not browsers, may change things with a cookie", () => {
	expect(passes({ "sec-fetch-site": "same-origin" })).toBe(true);
	expect(passes({ "sec-fetch-site": "none" })).toBe(true);
	expect(passes({ origin: "https://tapedeck.example.com" })).toBe(true);
	expect(passes({ origin: "https://tapedeck.example.com", "sec-fetch-site": "same-site" })).toBe(true);
	expect(passes({ origin: "http://10.0.0.5:3000", host: "10.0.0.5:3000" })).toBe(true);
	expect(passes({})).toBe(true);
});

test("pages of other sites, other ports and unknown origins may not", () => {
	expect(passes({ "sec-fetch-site": "cross-site" })).toBe(false);
	expect(passes({ "sec-fetch-site": "same-site" })).toBe(false);
	expect(passes({ origin: "null" })).toBe(false);
	expect(passes({ origin: "null", host: "null" })).toBe(false);
	expect(passes({ origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toBe(false);
	expect(passes({ origin: "http://localhost:4000", host: "localhost:3000" })).toBe(false);
	expect(passes({ origin: "https://tapedeck.example.com.evil.example" })).toBe(false);
	for (const method of ["PUT", "PATCH", "DELETE", "post"]) expect(passes({ origin: "null" }, method)).toBe(false);
});

test("reading is never refused because of its origin", () => {
	for (const method of ["GET", "HEAD", "OPTIONS"])
		expect(passes({ "sec-fetch-site": "cross-site" }, method)).toBe(true);
});

test("only a visitor on this machine counts as local: not through a proxy, a rebound host name, or a forged header", () => {
	const local = (headers: Record<string, string>) => isLocalRequest(new Headers(headers));
	const peer = (address: string, host = "localhost:3000") => ({ [PEER_ADDRESS_HEADER]: address, host });
	for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.9.10"]) expect(local(peer(address))).toBe(true);
	for (const host of ["127.0.0.1:3000", "[::1]:3000", "localhost"]) expect(local(peer("127.0.0.1", host))).toBe(true);
	expect(local({ host: "localhost:3000" })).toBe(false);
	expect(local(peer("192.0.2.1"))).toBe(false);
	expect(local(peer("127.0.0.1", "evil.example:3000"))).toBe(false);
	expect(local(peer("127.0.0.1", "127.0.0.1.evil.example"))).toBe(false);
	expect(local({ ...peer("127.0.0.1"), "x-forwarded-for": "192.0.2.1" })).toBe(false);
});
