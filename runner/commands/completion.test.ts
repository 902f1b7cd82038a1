/** Completion in real shells: each loads the script that `tapedeck completion` prints. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { root } from "../../test/stack.ts";
import { COMMANDS } from "./commands.ts";
import { completionsOf } from "./completion.ts";

/** The shells find the command as users do. */
const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` };
const run = (command: string, words: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
	promisify(execFile)(command, words, { env, ...options });
let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-completion-"));
	for (const shell of ["bash", "zsh", "fish"]) {
		const { status, text } = await tapedeck(["completion", shell]);
		expect(status).toBe(0);
		await writeFile(join(folder, shell), text);
	}
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Completions that each shell offers after these words, of which the user is still typing the last. */
const offers: Record<string, (words: string[]) => Promise<string[]>> = {
	async bash(words) {
		const quoted = words.map((word) => `'${word}'`).join(" ");
		const script = `source ${folder}/bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _tapedeck; printf '%s\\n' "\${COMPREPLY[@]}"`;
		return linesOf((await run("bash", ["--norc", "-c", script])).stdout);
	},
	async zsh(words) {
		const quoted = words.map((word) => `'${word}'`).join(" ");
		// Without an editor there is nothing to complete in, so what the script hands to the editor is caught.
		const script = `compdef() { }
			_files() { print -l FILES }
			_describe() { local list=$2; local each; for each in "\${(@P)list}"; do print -r -- "\${each%%:*}"; done }
			source ${folder}/zsh; words=(${quoted}); CURRENT=${words.length}; _tapedeck`;
		const typed = words.at(-1) ?? "";
		const lines = linesOf((await run("zsh", ["-f", "-c", script])).stdout);
		return lines.filter((line) => line !== "FILES" && line.startsWith(typed));
	},
	async fish(words) {
		const script = `source ${folder}/fish; complete -C ${JSON.stringify(words.join(" "))}`;
		const { stdout } = await run("fish", ["--no-config", "-c", script], { cwd: folder, env: { ...env, HOME: folder } });
		return linesOf(stdout).map((line) => line.split("\t")[0] ?? "");
	},
};
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

test.each(["bash", "zsh", "fish"])("%s completes commands, their second words and their flags", async (shell) => {
	const offer = offers[shell];
	if (offer === undefined) throw new Error(shell);
	expect(await offer(["tapedeck", "j"])).toEqual(["jobs"]);
	expect((await offer(["tapedeck", "r"])).sort()).toEqual(["record", "recordings", "run", "runner", "runners"]);
	expect((await offer(["tapedeck", "jobs", "c"])).sort()).toEqual(["cancel", "create"]);
	expect(await offer(["tapedeck", "jobs", "list", "--q"])).toEqual(["--query"]);
	expect(await offer(["tapedeck", "runner", "--auto-r"])).toEqual(["--auto-record"]);
	expect(await offer(["tapedeck", "help", "doc"])).toEqual(["doctor"]);
	// A command of its own begins after the dashes.
	expect(await offer(["tapedeck", "run", "--", "npm", "--j"])).toEqual([]);
});

test("every command and flag is offered, with its line of the help", async () => {
	const offered = (...typed: string[]) => completionsOf(COMMANDS, "run a runner", typed);
	const commandsAfter = async (before: string[]): Promise<string[][]> => {
		const words = (await offered(...before, "")).map(({ name }) => [...before, name]);
		const deeper = await Promise.all(words.filter(([first]) => first !== "help").map(commandsAfter));
		return [...words, ...deeper.flat()];
	};
	const all = await commandsAfter([]);
	expect(all.map((words) => words.join(" "))).toEqual(
		expect.arrayContaining([...Object.keys(COMMANDS), "jobs create"]),
	);
	for (const before of [[], ...all]) {
		const words = [...(await offered(...before, "")), ...(await offered(...before, "--"))];
		if (before[0] !== "help") expect(words.map(({ name }) => name)).toContain("--help");
		expect(words.filter(({ about }) => about === "")).toEqual([]);
	}
});

test("an unknown shell is refused with the list of those that are known", async () => {
	for (const words of [[], ["tcsh"]]) {
		const { status, text } = await tapedeck(["completion", ...words]);
		expect([status, text.trim()]).toEqual([2, "Name the shell: bash, zsh, fish."]);
	}
});
