/** `tapedeck verify`: whether a video is what a dashboard has signed, and what that proves. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type ReceiptKeys, receiptKeysSchema } from "@tapedeck/contract/receipt.ts";
import { errorMessage } from "../../base/fault.ts";
import { readSignIn } from "../../config/saved-sign-in.ts";
import { fromEnvironment } from "../../config/settings.ts";
import { type Call, CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { defineCommand, JSON_OPTION, option } from "../define-command.ts";
import { asCommandError, createClient } from "./dashboard-client.ts";
import { receiptOf } from "./proof.ts";
import { inWords, readReceipt, subjectOf, verifiedStatement } from "./receipt-check.ts";

async function run(call: Call): Promise<ExitStatus> {
	const [file] = call.positionals;
	if (file === undefined) throw usageError("Name the file to verify, such as proof-5.mp4.");
	const beside = String(call.values.receipt ?? receiptOf(file));
	const receipt = readReceipt(await readText(beside, "Name its receipt with --receipt."), beside);
	const { keys, from } = await keysOf(call);
	const statement = verifiedStatement(receipt, keys, from);
	const name = subjectOf(statement, await hashOfFile(file), file);
	call.print({ verified: true, subject: name, statement }, inWords(statement, name, file, from));
	return EXIT.done;
}

/**
 * Reads the key from the given file, or from the dashboard that this machine is set up for. The address in the receipt is
 * ignored: a forger can name a dashboard of their own there.
 */
async function keysOf({ values, env }: Call): Promise<{ keys: ReceiptKeys; from: string }> {
	if (typeof values.keys === "string") {
		const parsed = receiptKeysSchema.safeParse(jsonOf(await readText(values.keys, "Name another file with --keys.")));
		if (parsed.success) return { keys: parsed.data, from: values.keys };
		throw new CommandError("no_keys", `${values.keys} has no public keys of a Tapedeck dashboard.`);
	}
	const url = fromEnvironment(env, "url") ?? readSignIn(env)?.url;
	if (url === undefined) {
		throw usageError(
			"Set TAPEDECK_URL to the dashboard that the receipt should be of, or name a file with its public keys with --keys.",
		);
	}
	const client = createClient(url, null);
	try {
		const answer = await client.open("GET", "/.well-known/tapedeck-keys.json");
		return { keys: receiptKeysSchema.parse(await answer.json()), from: client.url };
	} catch (error) {
		throw asCommandError(error, client.url);
	}
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

const notRead = (file: string, error: unknown, remedy: string): CommandError =>
	new CommandError("not_read", `${file} can't be read: ${errorMessage(error)}. ${remedy}`);

const readText = (file: string, remedy: string): Promise<string> =>
	readFile(file, "utf8").catch((error) => {
		throw notRead(file, error, remedy);
	});

async function hashOfFile(file: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(file), hash).catch((error) => {
		throw notRead(file, error, "Name the file that the receipt is of.");
	});
	return hash.digest("hex");
}

export const command = defineCommand({
	usage: "tapedeck verify <file> [--receipt <file>] [--keys <file>]",
	about: `Verifies that a review cut or a whole recording is, byte for byte, what the dashboard has signed, and says what that proves.
The dashboard is that of TAPEDECK_URL or tapedeck login, never the one that the receipt names.`,
	options: [
		option("--receipt <file>", "the receipt; default <file>.receipt.json"),
		option("--keys <file>", "the dashboard's public keys, saved from /.well-known/tapedeck-keys.json"),
		JSON_OPTION,
	],
	notes: [
		"environment: TAPEDECK_URL, the dashboard's address; or run tapedeck login. It needs no API key.",
		"exit status: 0 verified, 1 not verified, 2 invalid command line or environment, 3 the dashboard does not respond",
	],
	maxArguments: 1,
	run,
});
