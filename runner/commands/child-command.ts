/** Runs a command with this terminal's streams and signals, as if it had been started without us. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { CommandOutput } from "./command-output.ts";

/** A shell's statuses for a command that could not be started. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const SIGNALLED = 128;

/** Signals that a terminal sends to all of its foreground processes, the command among them. */
const FROM_TERMINAL = ["SIGINT", "SIGQUIT"] as const;
const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGUSR2", "SIGCONT"] as const;

export interface CommandEnd {
	/** The command's own, or 128 and the number of the signal that ended it, as in a shell. */
	status: number;
	/** It could not be started, or a signal ended it: no result of the command's own. */
	broken: boolean;
	/** A sentence that says how the command ended. */
	sentence: string;
}

/**
 * Resolves when the command has ended. Signals to this process reach the command and never end us.
 * @param env the command's whole environment.
 * @param output reads the command's output on its way; null if nobody does.
 */
export async function runChild(
	words: readonly string[],
	env: NodeJS.ProcessEnv,
	output: CommandOutput | null = null,
): Promise<CommandEnd> {
	const ended = await start(words, env, output);
	await output?.finished();
	return ended;
}

function start(
	[program = "", ...args]: readonly string[],
	env: NodeJS.ProcessEnv,
	output: CommandOutput | null,
): Promise<CommandEnd> {
	const { promise, resolve } = Promise.withResolvers<CommandEnd>();
	const passOn = (signal: NodeJS.Signals) => void child?.kill(signal);
	const fromTerminal = (signal: NodeJS.Signals) => {
		// The terminal has sent it to the command too; twice would mean "at once" to many programs.
		if (process.stdin.isTTY !== true) passOn(signal);
	};
	for (const signal of FROM_TERMINAL) process.on(signal, fromTerminal);
	for (const signal of PASSED_ON) process.on(signal, passOn);
	let child: ChildProcess | null = null;
	const end = (result: CommandEnd) => {
		for (const signal of FROM_TERMINAL) process.off(signal, fromTerminal);
		for (const signal of PASSED_ON) process.off(signal, passOn);
		resolve(result);
	};
	try {
		// After the listeners: the command may provoke a signal before `spawn` returns, and that would end us without it.
		child = spawn(program, args, { stdio: output?.stdio ?? "inherit", env });
		output?.begun();
	} catch (error) {
		output?.begun();
		// Some faults are thrown: the arguments are too long, or a folder of the path is a file.
		end(notStarted(program, error as NodeJS.ErrnoException));
		return promise;
	}
	const { pid } = child;
	child.once("error", (error: NodeJS.ErrnoException) => {
		// A failed `kill` is reported here as well.
		if (pid === undefined) end(notStarted(program, error));
	});
	child.once("exit", (code, signal) => {
		if (signal === null) end({ status: code ?? 1, broken: false, sentence: `The command ended with status ${code}.` });
		else {
			const status = SIGNALLED + (constants.signals[signal] ?? 0);
			end({ status, broken: true, sentence: `The command was ended by ${signal}.` });
		}
	});
	return promise;
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): CommandEnd {
	if (code === "ENOENT") return { status: NOT_FOUND, broken: true, sentence: `${program}: command not found.` };
	if (code === "EACCES") return { status: NOT_EXECUTABLE, broken: true, sentence: `${program}: not executable.` };
	return { status: NOT_EXECUTABLE, broken: true, sentence: `${program} could not be started: ${message}.` };
}
