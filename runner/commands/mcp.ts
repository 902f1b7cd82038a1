/** `tapedeck mcp`: with an API key by the dashboard, without one by the runner of this machine. */
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import { readSignIn } from "../config/saved-sign-in.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { command as byKey } from "./api/mcp.ts";
import { type Call, type Command, EXIT, type ExitStatus } from "./command.ts";
import { asCommandError, findDataDir } from "./find-runner.ts";
import { serveRunnerTools } from "./runner-tools.ts";

/** Needs no key and no connection: only the runner's user can open its socket. */
async function byRunner(call: Call): Promise<ExitStatus> {
	const client = new ControlClient(await findDataDir(call));
	try {
		await client.status();
	} catch (error) {
		// Says how to get a key.
		if (error instanceof ControlError && error.code === "absent") return byKey.run(call);
		throw asCommandError(error);
	}
	await serveRunnerTools(client);
	return EXIT.done;
}

export const command: Command = {
	...byKey,
	run: (call) => (call.env[API_KEY]?.trim() || readSignIn(call.env) !== null ? byKey.run(call) : byRunner(call)),
};
