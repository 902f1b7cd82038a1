/** The command that starts a runner. */
import { shellQuoted } from "./curl.ts";

/** One line for a POSIX shell, in Tapedeck's folder on the machine with the displays. */
export const runnerCommand = (baseUrl: string, token: string, name: string): string =>
	[
		`TAPEDECK_URL=${shellQuoted(baseUrl)}`,
		`TAPEDECK_TOKEN=${shellQuoted(token)}`,
		`TAPEDECK_RUNNER_NAME=${shellQuoted(name)}`,
		"npm run runner",
	].join(" ");
