/** `npm run up` as started from a terminal. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { root } from "../stack.ts";

export interface UpProcess {
	child: ChildProcess;
	/** Everything printed so far, standard output and error. */
	printed(): string;
	/** The exit code or signal; null while it runs. */
	status(): number | string | null;
	/** The value of a label in the greeting. */
	shown(label: string): string;
	/** The two curl commands of the greeting. */
	commands(): string[];
}

/** Starts it in its own process group, as a shell does. */
export function startUp(env: Record<string, string>): UpProcess {
	// Playwright sets FORCE_COLOR. If the shell sets NO_COLOR as well, Node would print a warning.
	const { FORCE_COLOR: _, ...inherited } = process.env;
	const child = spawn("npm", ["run", "--silent", "up"], {
		cwd: root,
		env: { ...inherited, ...env },
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
	});
	let text = "";
	let status: number | string | null = null;
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (part) => {
			text += part;
		});
	}
	child.once("close", (code, signal) => {
		status = code ?? signal ?? "unknown";
	});
	return {
		child,
		printed: () => text,
		status: () => status,
		shown: (label) => new RegExp(`^ *${label} +(\\S.*)$`, "m").exec(text)?.[1] ?? "",
		commands: () => text.match(/^ *curl .*$/gm) ?? [],
	};
}

/** Processes with an environment variable that starts with `beginning`, and their command lines. */
export async function processesWithVariable(beginning: string): Promise<{ pid: number; command: string }[]> {
	const found: { pid: number; command: string }[] = [];
	for (const name of await readdir("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		try {
			const environment = await readFile(`/proc/${name}/environ`, "latin1");
			if (!environment.split("\0").some((variable) => variable.startsWith(beginning))) continue;
			const command = await readFile(`/proc/${name}/cmdline`, "latin1");
			if (command !== "") found.push({ pid: Number(name), command: command.replaceAll("\0", " ") });
		} catch {
			// It has ended.
		}
	}
	return found;
}
