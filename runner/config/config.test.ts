import { KNOWN_VARIABLES, unknownVariables } from "@tapedeck/client-source/known-variables.ts";
import { RUNNER_VARIABLES } from "@tapedeck/machine/runner-variables.ts";
import { expect, test } from "vitest";
import { displayIdOf, parseDisplayName, xNameOf } from "../displays/display-name.ts";
import { readConfig } from "./config.ts";
import { ConfigError } from "./settings.ts";

const needed = { TAPEDECK_URL: "http://tapedeck.example:3000/", TAPEDECK_TOKEN: "token" };
const problemsOf = (argv: string[], env: Record<string, string>): string[] => {
	try {
		readConfig(argv, env);
	} catch (error) {
		if (error instanceof ConfigError) return error.message.split("\n");
		throw error;
	}
	return [];
};

test("labels, keep policy and cap of its jobs are read from the environment, and wrong ones are named", () => {
	const env = { ...needed, TAPEDECK_LABELS: " pool=linux, build=a=b ,", TAPEDECK_KEEP: "failed" };
	expect(readConfig([], { ...env, TAPEDECK_MAX_DURATION: "3600" }).jobRules).toEqual({
		labels: { pool: "linux", build: "a=b" },
		keep: "failed",
		maxDurationSeconds: 3600,
	});
	expect(readConfig([], needed).jobRules).toEqual({ labels: {} });
	for (const wrong of [
		{ TAPEDECK_LABELS: "pool" },
		{ TAPEDECK_LABELS: "Pool=x" },
		{ TAPEDECK_KEEP: "never" },
		{ TAPEDECK_MAX_DURATION: "0" },
	]) {
		expect(() => readConfig([], { ...needed, ...wrong })).toThrow(Object.keys(wrong)[0]);
	}
});

test("all problems are reported at once, each with its variable and a remedy", () => {
	const problems = problemsOf(["--nonsense", "word"], {
		TAPEDECK_URL: "tapedeck:3000",
		TAPEDECK_AUTO_RECORD: "maybe",
		SE_GRID_URL: "http://me:secret@grid:4444",
		SE_GRID_PASSWORD: "secret",
		TAPEDECK_FIRST_SESSION_TIMEOUT: "1.5",
		DISPLAY: "99",
	});
	const names = problems.map((problem) => problem.split(":")[0]);
	expect(names.sort()).toEqual(
		[
			"--nonsense",
			"DISPLAY",
			"SE_GRID_URL",
			"TAPEDECK_AUTO_RECORD",
			"TAPEDECK_FIRST_SESSION_TIMEOUT",
			"TAPEDECK_TOKEN",
			"TAPEDECK_URL",
			"word",
		].sort(),
	);
	expect(problems.join("\n")).not.toContain("secret@");
});

test("a variable that nothing reads is refused, with the name that was probably meant", () => {
	const problems = problemsOf([], {
		...needed,
		TAPEDECK_DISPLAYS_ALLOW: ":99",
		TAPEDECKBUFFER: "2m",
		TAPEDECK_XYZZY: "1",
	});
	expect(problems).toEqual([
		"TAPEDECK_DISPLAYS_ALLOW: Not a variable of Tapedeck. Did you mean TAPEDECK_DISPLAY_ALLOW?",
		"TAPEDECKBUFFER: Not a variable of Tapedeck. Did you mean TAPEDECK_BUFFER?",
		"TAPEDECK_XYZZY: Not a variable of Tapedeck. Remove it.",
	]);
	// One environment may serve the dashboard as well, or may be that of a Kubernetes pod.
	const others = { TAPEDECK_SECRET_KEY: "x", TAPEDECK_PORT: "tcp://10.96.0.1:80", TAPEDECK_TEST_PART: "1" };
	expect(problemsOf([], { ...needed, ...others })).toEqual([]);
});

test("each variable of runners is named when one of its letters is missing, doubled or swapped", () => {
	const misspelt = RUNNER_VARIABLES.filter((name) => name.startsWith("TAPEDECK_")).flatMap((name) => [
		`${name.slice(0, -1)}`,
		`${name}${name.at(-1)}`,
		`${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`,
		name.replace("TAPEDECK_", "TAPEDECK"),
	]);
	const unknown = misspelt.filter((name) => !KNOWN_VARIABLES.includes(name));
	expect(unknown.length).toBeGreaterThan(100);
	const named = unknownVariables(Object.fromEntries(unknown.map((name) => [name, "1"]))).map(({ name }) => name);
	expect(named).toEqual([...new Set(unknown)]);
});

test("a grid password without a user name is refused", () => {
	const problems = problemsOf([], { ...needed, SE_GRID_PASSWORD: "x" });
	expect(problems).toEqual(["SE_GRID_USERNAME: Set the user name too: a grid password needs one."]);
});

test("a flag beats its variable, and TAPEDECK_ beats the literal SERVICE_ name", () => {
	const env = { SERVICE_TOKEN: "literal", SERVICE_URL: "http://literal.example", SERVICE_JOB_NAME: "nightly" };
	expect(readConfig([], env)).toMatchObject({ token: "literal", url: "http://literal.example" });
	expect(readConfig([], { ...env, TAPEDECK_TOKEN: "own" }).token).toBe("own");
	expect(readConfig(["--token=flag"], { ...env, TAPEDECK_TOKEN: "own" }).token).toBe("flag");
	expect(readConfig([], { ...env, SERVICE_AUTO_RECORD: "true" }).autoRecord).toMatchObject({
		jobName: "nightly",
		grid: null,
		firstSessionTimeoutSeconds: 60,
	});
	expect(readConfig(["--auto-record"], { ...needed, TAPEDECK_FIRST_SESSION_TIMEOUT: "0" }).autoRecord).toMatchObject({
		firstSessionTimeoutSeconds: 0,
	});
});

test("URLs are normalized", () => {
	const grid = { TAPEDECK_AUTO_RECORD: "true", SE_GRID_URL: "http://grid:4444/sub/wd/hub/" };
	const config = readConfig([], { ...needed, ...grid });
	expect(config.url).toBe("http://tapedeck.example:3000");
	expect(config.autoRecord?.grid?.url).toBe("http://grid:4444/sub");
});

test("by default, each runner name has its own data directory under the XDG state directory", () => {
	const env = { ...needed, XDG_STATE_HOME: "/var/state", TAPEDECK_RUNNER_NAME: "build box/1" };
	expect(readConfig([], env).dataDir).toBe("/var/state/tapedeck/runner-build_box_1");
});

test("ffmpeg's environment contains no secrets", () => {
	const config = readConfig([], { ...needed, SE_GRID_USERNAME: "u", SE_GRID_PASSWORD: "p", PATH: "/bin" });
	expect(config.childEnv).toEqual({ PATH: "/bin" });
});

test.each([
	[":99", null, 99, 0, ":99.0"],
	[":99.1", null, 99, 1, ":99.1"],
	["unix:7", null, 7, 0, ":7.0"],
	["selenium-node:99", "selenium-node", 99, 0, "selenium-node:99.0"],
	["10.0.0.7:12.0", "10.0.0.7", 12, 0, "10.0.0.7:12.0"],
	["[::1]:3", "[::1]", 3, 0, "[::1]:3.0"],
])("DISPLAY %s is understood", (text, host, number, screen, xName) => {
	const name = parseDisplayName(text);
	expect(name).toEqual({ host, number, screen });
	expect(name && displayIdOf(name)).toBe(`:${number}`);
	expect(name && xNameOf(name)).toBe(xName);
});

test.each(["99", "", ":", ":x", "host", "host::", ":123456", "a b:1", ":1.2.3"])("DISPLAY %j is refused", (text) => {
	expect(parseDisplayName(text)).toBeNull();
});

test.each([
	["10s", 10],
	["2m", 120],
	["90", 90],
	["1h", 3_600],
])("TAPEDECK_BUFFER=%s keeps the last %i seconds", (text, seconds) => {
	expect(readConfig([], { ...needed, TAPEDECK_BUFFER: text }).bufferSeconds).toBe(seconds);
});

test.each(["0", "9s", "2 minutes", "61m", "-1", "1.5m"])("TAPEDECK_BUFFER=%s is refused", (text) => {
	expect(problemsOf([], { ...needed, TAPEDECK_BUFFER: text })).toEqual([
		"TAPEDECK_BUFFER: Use a length from 10s to 1h, such as 90s, 2m or 1h.",
	]);
});

test("browsers are logged where that is asked for, of the runner's grid if it has one, without the secrets of its environment", () => {
	expect(readConfig([], { ...needed, SE_GRID_URL: "http://grid:4444" }).browserLog).toBeNull();
	const alone = readConfig(["--browser-log"], needed).browserLog;
	expect(alone?.grid).toBeNull();
	const env = { ...needed, TAPEDECK_BROWSER_LOG: "on", SE_GRID_URL: "http://grid:4444", SHOP_PASSWORD: "hidden-123" };
	const { autoRecord, browserLog, mask } = readConfig([], { ...env, TAPEDECK_GRID_NODE: "n1" });
	expect(autoRecord).toBeNull();
	expect(browserLog?.grid).toMatchObject({ url: "http://grid:4444", node: "n1" });
	expect(mask.apply("hidden-123")).toBe("***");
});
