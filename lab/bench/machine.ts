/** The commit and the machine of a run. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { requireProgram } from "#test/processes/programs.ts";
import { root } from "#test/stack.ts";

/** A run of benches or of chaos. */
export interface Run {
	/** The commit that was checked out. */
	commit: string;
	/** Whether files differed from that commit. */
	changed: boolean;
	/** RFC 3339, to the minute. */
	date: string;
	/** The machine's description for people. */
	machine: string;
	/** The load average of the minute before; null when it was not recorded. */
	load: number | null;
}

/**
 * Files that a run writes itself. They do not count as changes, so that a run of other benches afterwards is still a
 * run of the same commit.
 */
const WRITTEN = ["docs/figures.md", "lab/bench/RESULTS.md", "lab/bench/measured.json"];

/** Describes a run that begins now. */
export function describeRun(): Run {
	const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
	const others = WRITTEN.map((path) => `:(exclude)${path}`);
	return {
		commit: git("rev-parse", "--short=7", "HEAD"),
		changed: git("status", "--porcelain", "--", ".", ...others) !== "",
		date: `${new Date().toISOString().slice(0, 16)}Z`,
		machine: describeMachine(),
		load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
	};
}

function describeMachine(): string {
	const processors = cpus();
	const [, ffmpeg = "of an unknown version"] =
		/^ffmpeg version (\S+)/.exec(execFileSync(requireProgram("ffmpeg"), ["-version"], { encoding: "utf8" })) ?? [];
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	return `${processors.length} cores (${processors[0]?.model}), ${gigabytes} GiB, Node ${process.versions.node}, ffmpeg ${ffmpeg}`;
}
