import { labelsSchema } from "@tapedeck/contract/labels.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeSession } from "./describe-session.ts";

test("keeps the browser and what the client set under se: and tapedeck:, and reads its name", () => {
	const described = describeSession({
		browserName: "chrome",
		browserVersion: "120.0",
		platformName: "linux",
		"goog:chromeOptions": { args: ["--headless"] },
		"se:name": "login works",
		"se:build": 123,
		"tapedeck:name": "Login",
		"tapedeck:labels": { team: "web", Bad: "key", "api.token": "x", shard: 3, list: [] },
		acceptInsecureCerts: true,
	});
	expect(described).toEqual({
		name: "Login",
		isWanted: true,
		capabilities: {
			browserName: "chrome",
			browserVersion: "120.0",
			platformName: "linux",
			"se:name": "login works",
			"se:build": "123",
			"tapedeck:name": "Login",
		},
		labels: { build: "123", team: "web", shard: "3" },
	});
	const asText = { "tapedeck:build": "7", "se:build": "123", "tapedeck:labels": "team=web, url=a=b,none,=x" };
	expect(describeSession(asText).labels).toEqual({ build: "7", team: "web", url: "a=b" });
	expect(describeSession({ "se:name": "login works" }).name).toBe("login works");
	expect(describeSession({}).name).toBeNull();
});

test("drops secrets, and addresses by which the browser can be driven", () => {
	const secrets = {
		"se:password": "x",
		"tapedeck:apiToken": "x",
		"se:access_KEY": "x",
		"se:clientSecret": "x",
		"se:cdp": "ws://node:4444/session/1/se/cdp",
		"se:vncLocalAddress": "ws://node:7900",
	};
	expect(describeSession(secrets).capabilities).toEqual({});
});

test("a client can refuse to be recorded", () => {
	for (const no of [false, "false"]) {
		expect(describeSession({ "tapedeck:record": no }).isWanted).toBe(false);
		expect(describeSession({ "se:recordVideo": no }).isWanted).toBe(false);
	}
	for (const other of [true, "true", "", null, 0]) {
		expect(describeSession({ "tapedeck:record": other }).isWanted).toBe(true);
	}
});

test("capabilities of any type and size become a few short, storable strings", () => {
	const anything = fc.oneof(
		fc.anything(),
		fc.dictionary(
			fc.oneof(fc.constantFrom("se:name", "tapedeck:labels", "browserName", "se:build"), fc.string({ unit: "binary" })),
			fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
		),
	);
	fc.assert(
		fc.property(anything, (raw) => {
			const { name, capabilities, labels } = describeSession(raw);
			expect(labelsSchema.safeParse(labels).success).toBe(true);
			if (name !== null) {
				expect(name.isWellFormed()).toBe(true);
				expect(name.length).toBeLessThanOrEqual(200);
			}
			for (const [key, value] of Object.entries(capabilities)) {
				expect(key).toMatch(/^[\x21-\x7e]{1,100}$/);
				expect(value).toMatch(/^\P{Cc}{1,255}$/u);
			}
		}),
		{ numRuns: 500 },
	);
	const text = "<script>".repeat(130_000);
	const huge: Record<string, string> = {};
	for (let index = 0; index < 5_000; index++) huge[`se:${index}`] = text;
	const { capabilities } = describeSession(huge);
	expect(Object.keys(capabilities)).toHaveLength(40);
	expect(JSON.stringify(capabilities).length).toBeLessThan(15_000);
});
