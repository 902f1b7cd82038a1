/** Commands for the runner on this machine, with the flags that say which one. */
import type { Option } from "commander";
import type { Command } from "./command.ts";
import { type Declaration, defineCommand, JSON_OPTION, option } from "./define-command.ts";

const RUNNER_OPTIONS = [
	option("--data-dir <folder>", "the runner's data directory (TAPEDECK_DATA_DIR)"),
	option("--runner <name>", "the runner with this name (TAPEDECK_RUNNER_NAME)\ndefault: the only one on this machine"),
	JSON_OPTION,
];

const EXIT_HELP = "exit status: 0 done, 1 failed or found a problem, 2 invalid command line, 3 no runner responds";

interface RunnerCommand extends Omit<Declaration, "options" | "notes" | "summary"> {
	/** Its flags besides those that find the runner. */
	options?: readonly Option[];
	/** Meanings of the command's own exit statuses. */
	exit?: string;
}

export const runnerCommand = ({ options = [], exit, ...declaration }: RunnerCommand): Command =>
	defineCommand({
		...declaration,
		options: [...options, ...RUNNER_OPTIONS],
		notes: [exit === undefined ? EXIT_HELP : `${EXIT_HELP}\n${exit}`],
	});
