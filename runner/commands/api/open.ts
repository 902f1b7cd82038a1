/** `tapedeck open`: a page of the dashboard in the browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Recording } from "#lib/contract/recording.ts";
import type { Environment } from "../../config/settings.ts";
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { type ApiCall, apiCommand, idOf } from "./api-command.ts";
import { readJob } from "./job.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const url = await pageOf(call);
	call.print({ url }, url);
	if (call.values["no-browser"] !== true) await openBrowser(call, url);
	return EXIT.done;
}

async function pageOf(call: ApiCall): Promise<string> {
	const [word] = call.positionals;
	const { recording } = call.values;
	if (recording !== undefined) {
		if (word !== undefined) throw usageError("Name either a job or, with --recording, a recording.");
		const id = idOf(String(recording), "recording");
		return (await call.api.get<Recording>(`/v1/recordings/${id}`, { what: `Recording ${id}` })).url;
	}
	if (word === undefined) return `${call.api.url}/jobs`;
	const job = await readJob(call, idOf(word, "job"));
	return `${call.api.url}/jobs/${job.id}`;
}

/** The program that opens addresses; null where nobody would see it. */
function browserOf(env: Environment): string | null {
	if (env.BROWSER) return env.BROWSER;
	if (process.platform === "darwin") return "open";
	return env.DISPLAY || env.WAYLAND_DISPLAY ? "xdg-open" : null;
}

async function openBrowser({ env, remark }: ApiCall, url: string): Promise<void> {
	const program = browserOf(env);
	if (program === null) return remark("No browser here; open the address yourself, or set BROWSER.");
	const child = spawn(program, [url], { stdio: "ignore", detached: true });
	await once(child, "spawn").catch((error) =>
		remark(`${program} can't be started (${error.code}); open the address yourself, or set BROWSER.`),
	);
	child.unref();
}

export const command = apiCommand({
	usage: "tapedeck open [<job id> | --recording <id>]",
	about: "Prints the address of a job's page, or of the list of jobs, and opens it in the browser.",
	flags: `  --recording <id>        the page of a recording
  --no-browser            only print the address`,
	options: { recording: { type: "string" }, "no-browser": { type: "boolean" } },
	maxArguments: 1,
	run,
});
