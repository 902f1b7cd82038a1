/** `tapedeck logout`: forgets the sign-in of `tapedeck login`. */
import { readSignIn, removeSignIn } from "../../config/saved-sign-in.ts";
import { type Call, EXIT, type ExitStatus } from "../command.ts";
import { defineCommand, JSON_OPTION } from "../define-command.ts";

async function run({ env, print, remark }: Call): Promise<ExitStatus> {
	const signIn = readSignIn(env);
	removeSignIn(env);
	if (signIn === null) {
		print({ url: null }, "Nobody was signed in.");
		return EXIT.done;
	}
	const { url, name, apiKeyId } = signIn;
	print({ url, name, apiKeyId }, `Signed out of ${url}.`);
	remark(`The API key "${name}" still exists; revoke it at ${url}/settings if others may have it.`);
	return EXIT.done;
}

export const command = defineCommand({
	usage: "tapedeck logout",
	about: "Deletes the API key of tapedeck login from this machine. It can be revoked in the dashboard, under Settings.",
	options: [JSON_OPTION],
	notes: ["exit status: 0 done, 2 invalid command line"],
	run,
});
