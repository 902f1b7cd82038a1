/** `tapedeck open`: a page of the dashboard in the browser. */
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, idOf } from "./api-command.ts";
import { openBrowser } from "./browser.ts";
import { about } from "./dashboard-client.ts";
import { readJob } from "./job.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const url = await pageOf(call);
	call.print({ url }, url);
	if (call.values.browser === false) return EXIT.done;
	return (await openBrowser(call, url, call.client.url)) ? EXIT.done : EXIT.failed;
}

async function pageOf(call: ApiCall): Promise<string> {
	const [word] = call.positionals;
	const { recording } = call.values;
	if (recording !== undefined) {
		if (word !== undefined) throw usageError("Name either a job or, with --recording, a recording.");
		const id = idOf(String(recording), "recording");
		return (await about(`Recording ${id}`, call.client.recordings.get(id))).url;
	}
	if (word === undefined) return `${call.client.url}/jobs`;
	const job = await readJob(call, idOf(word, "job"));
	return `${call.client.url}/jobs/${job.id}`;
}

export const command = apiCommand({
	usage: "tapedeck open [<job id> | --recording <id>]",
	about: "Prints the address of a job's page, or of the list of jobs, and opens it in the browser.",
	options: [option("--recording <id>", "the page of a recording"), option("--no-browser", "only print the address")],
	maxArguments: 1,
	run,
});
