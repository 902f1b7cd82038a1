/** `tapedeck login`: an API key for this user, confirmed in the browser by a code. */
import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Tapedeck, TapedeckError } from "@tapedeck/client-source/index.ts";
import type { DeviceKey, DeviceSignIn } from "@tapedeck/contract/device-sign-in.ts";
import { SCOPES } from "@tapedeck/contract/permissions.ts";
import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import { errorMessage } from "../../base/fault.ts";
import { type SavedSignIn, savedSignInFile, saveSignIn } from "../../config/saved-sign-in.ts";
import { fromEnvironment } from "../../config/settings.ts";
import { type Call, CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { defineCommand, JSON_OPTION, option } from "../define-command.ts";
import { openBrowser } from "./browser.ts";
import { asCommandError, createClient, isTemporary } from "./dashboard-client.ts";

async function run(call: Call): Promise<ExitStatus> {
	const url = call.positionals[0] ?? fromEnvironment(call.env, "url");
	if (url === undefined) throw usageError("Name the dashboard: tapedeck login https://tapedeck.example.com");
	const client = createClient(url, null);
	try {
		return await signIn(call, client);
	} catch (error) {
		throw asCommandError(error, client.url);
	}
}

async function signIn(call: Call, client: Tapedeck): Promise<ExitStatus> {
	const { values, env, print, remark } = call;
	const body = {
		name: nameOf(values.name),
		...(values.scopes === undefined ? {} : { scopes: scopesIn(values.scopes) }),
	};
	const begun = await client.request<DeviceSignIn>("POST", "/v1/device-sign-ins", { body });
	remark(`Confirm the code ${begun.userCode} at ${begun.url}`);
	if (values.browser !== false) await openBrowser(call, begun.url, client.url);
	const { apiKey } = await confirmed(client, begun);
	const { id, name, secret, scopes, expiresAt } = apiKey;
	save(call, { url: client.url, apiKey: secret, apiKeyId: id, name });
	const until = expiresAt === null ? "" : ` until ${expiresAt.slice(0, 10)}`;
	print(
		{ url: client.url, apiKeyId: id, name, scopes, expiresAt },
		`Signed in to ${client.url}${until} as the API key "${name}".`,
	);
	if (env[API_KEY]) remark("TAPEDECK_API_KEY is set and takes precedence; unset it to use this sign-in.");
	return EXIT.done;
}

function userName(): string {
	try {
		return userInfo().username;
	} catch {
		return `user ${process.getuid?.()}`;
	}
}

/** The name of the key, which the person sees before confirming. */
function nameOf(given: Call["values"][string]): string {
	if (typeof given === "string") return given;
	return `tapedeck login of ${userName()} on ${hostname()}`.slice(0, 100);
}

function scopesIn(text: Call["values"][string]): string[] {
	const scopes = String(text)
		.split(",")
		.map((scope) => scope.trim());
	const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
	if (unknown === undefined) return scopes;
	throw usageError(`--scopes: Use scopes from ${SCOPES.join(", ")}, separated by commas, not "${unknown}".`);
}

/** Waits until the person has confirmed the code; outlives a dashboard that restarts meanwhile. */
async function confirmed(client: Tapedeck, begun: DeviceSignIn): Promise<Extract<DeviceKey, { state: "approved" }>> {
	const body = { deviceCode: begun.deviceCode };
	for (;;) {
		await sleep(begun.intervalSeconds * 1_000);
		try {
			const answer = await client.request<DeviceKey>("POST", "/v1/device-sign-ins/key", { body });
			if (answer.state === "approved") return answer;
		} catch (error) {
			if (error instanceof TapedeckError && error.code === "gone")
				throw new CommandError("not_confirmed", "The sign-in was denied or has expired. Run tapedeck login again.");
			if (!isTemporary(error) || Date.now() > Date.parse(begun.expiresAt)) throw error;
		}
	}
}

function save({ env }: Call, signIn: SavedSignIn): void {
	try {
		saveSignIn(env, signIn);
	} catch (error) {
		throw new CommandError(
			"cannot_save",
			`${savedSignInFile(env)} can't be written: ${errorMessage(error)}. Revoke the API key "${signIn.name}" under Settings, make the folder writable or set XDG_CONFIG_HOME, and run tapedeck login again.`,
		);
	}
}

export const command = defineCommand({
	usage: "tapedeck login [<dashboard's address>] [--scopes <scopes>]",
	about: `Signs in to a dashboard: shows a code, and opens the page where you confirm it and choose what the API key may do. The
key is kept in ~/.config/tapedeck (XDG_CONFIG_HOME), readable by you alone, for 90 days. The commands that call the API
use it when TAPEDECK_URL and TAPEDECK_API_KEY are not set. Owners and admins can confirm codes.`,
	options: [
		option(
			"--scopes <scopes>",
			"what the key should be allowed to do, such as jobs:read,jobs:write; default everything",
		),
		option("--name <name>", "the key's name; default the user and the machine"),
		option("--no-browser", "only print the address"),
		JSON_OPTION,
	],
	notes: ["exit status: 0 done, 1 denied or expired, 2 invalid command line, 3 the dashboard does not respond"],
	maxArguments: 1,
	run,
});
