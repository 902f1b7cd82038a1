import { readFile } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { KNOWN_VARIABLES } from "./known-variables.ts";

const file = new URL("../../../test/vectors/computed/known-variables.json", import.meta.url);
const { known, warnings } = JSON.parse(await readFile(file, "utf8")) as {
	known: string[];
	warnings: { title: string; env: Record<string, string>; warning: string | null }[];
};

beforeEach(() => {
	vi.resetModules();
	return () => vi.restoreAllMocks();
});

/** The client of a process of its own, and the lines that it prints. */
async function newProcess() {
	const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
	const { Tapedeck, warnOfMisspelledVariables } = await import("./index.ts");
	return { Tapedeck, warnOfMisspelledVariables, lines: () => warn.mock.calls.map(([line]) => line) };
}

test("the client knows the same variables as the Python client", () => {
	expect(KNOWN_VARIABLES).toEqual(known);
});

test.each(warnings)("$title", async ({ env, warning }) => {
	const { warnOfMisspelledVariables, lines } = await newProcess();
	warnOfMisspelledVariables(env);
	expect(lines()).toEqual(warning === null ? [] : [`tapedeck: ${warning}`]);
});

test("a client that reads the environment warns once, also when it then has no address", async () => {
	vi.stubEnv("TAPEDECK_ULR", "http://127.0.0.1:9");
	vi.stubEnv("TAPEDECK_URL", undefined);
	const { Tapedeck, lines } = await newProcess();
	expect(() => new Tapedeck({ apiKey: "tdk_1" })).toThrow("TAPEDECK_URL");
	new Tapedeck({ url: "http://127.0.0.1:9", apiKey: null });
	expect(() => new Tapedeck()).toThrow("TAPEDECK_URL");
	expect(lines()).toEqual(["tapedeck: TAPEDECK_ULR is not a variable of Tapedeck. Did you mean TAPEDECK_URL?"]);
	vi.unstubAllEnvs();
});

test("a client that is given its address and key leaves the environment alone", async () => {
	vi.stubEnv("TAPEDECK_ULR", "http://127.0.0.1:9");
	const { Tapedeck, lines } = await newProcess();
	new Tapedeck({ url: "http://127.0.0.1:9", apiKey: "tdk_1" });
	expect(lines()).toEqual([]);
	vi.unstubAllEnvs();
});
