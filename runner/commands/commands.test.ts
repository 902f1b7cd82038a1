import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { variants } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";

const COMMANDS = ["runner", "status", "displays", "record", "stop", "spool", "doctor"];
const API_COMMANDS = [
	...["jobs", "jobs list", "jobs get", "jobs create", "jobs wait", "jobs cancel", "jobs label"],
	...["recordings", "recordings list", "recordings get", "recordings download"],
	...["recordings share", "recordings delete"],
	...["mark", "runners", "open", "mcp", "api"],
];

test("the help lists every command, and each command's help has its flags and exit statuses", async () => {
	const { status, text } = await tapedeck(["--help"]);
	expect(status).toBe(0);
	for (const name of COMMANDS) {
		expect(text).toContain(`\n  ${name}`);
		const own = await tapedeck([name, "--help"]);
		expect(own).toMatchObject({ status: 0, text: expect.stringMatching(`^usage: tapedeck ${name}`) });
		expect(own.text).toContain("exit status: 0");
		expect(own.text).toContain("--data-dir");
	}
	expect((await tapedeck(["help", "record"])).text).toBe((await tapedeck(["record", "-h"])).text);
});

test("so has each command that calls the API, with the variables it needs", async () => {
	for (const name of variants(API_COMMANDS, (name) => name === "jobs create" || name === "mark")) {
		const own = await tapedeck([...name.split(" "), "--help"]);
		expect(own).toMatchObject({ status: 0, text: expect.stringMatching(`^usage: tapedeck ${name}`) });
		expect(own.text).toContain("exit status: 0");
		expect(own.text).toContain("TAPEDECK_API_KEY");
	}
	expect((await tapedeck(["help", "jobs", "list"])).text).toBe((await tapedeck(["jobs", "list", "-h"])).text);
});

test("--version prints the version of package.json", async () => {
	const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	expect(await tapedeck(["--version"])).toMatchObject({ status: 0, text: `${version}\n` });
});

test("an unknown or missing command prints the list of commands, status 2", async () => {
	for (const words of [["recrod"], ["recrod", "--help"], []]) {
		const { status, text } = await tapedeck(words);
		expect(status, text).toBe(2);
		expect(text).toContain("usage: tapedeck <command>");
	}
});

test.each([
	["an unknown flag", ["stop", "--nonsense"], "Unknown option '--nonsense'"],
	["a flag without its value", ["jobs", "list", "--limit"], "Option '--limit <count>' argument missing"],
	[
		"another flag instead of a value",
		["jobs", "list", "--query", "--limit", "3"],
		"Option '--query <search>' argument '--limit' is invalid. Its value is missing",
	],
	["the end of the flags instead of a value", ["run", "--name", "--", "true"], "Its value is missing"],
	["a switch with a value", ["stop", "--all=yes"], "Unknown option '--all=yes'"],
	["a word too many", ["jobs", "get", "12", "13"], 'Unexpected argument "13"'],
])("%s is refused with a hint at the command's help, status 2", async (_what, words, sentence) => {
	const { status, text } = await tapedeck(words);
	expect(status).toBe(2);
	const name = words[0] === "jobs" ? words.slice(0, 2).join(" ") : words[0];
	expect(text).toContain(`${sentence}. See "tapedeck ${name} --help".\n`);
});

test("commands name variables that nothing reads, and do their work", async () => {
	const { status, text } = await tapedeck(["completion", "bash"], { TAPEDECK_APIKEY: "tdk_0123456789" });
	expect(status).toBe(0);
	expect(text).toContain("TAPEDECK_APIKEY is not a variable of Tapedeck. Did you mean TAPEDECK_API_KEY?\n");
});

test("an invalid flag is reported as JSON too", async () => {
	const { status, ...answer } = await tapedeck(["stop", "--json", "--nonsense"]);
	expect(status).toBe(2);
	expect(answer.data()).toMatchObject({ error: { code: "usage", message: expect.stringContaining("--nonsense") } });
});
