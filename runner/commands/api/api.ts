/** `tapedeck api`: calls any endpoint. */
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { jsonText, plainText } from "../../base/terminal.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand } from "./api-command.ts";
import { brokenConnection } from "./dashboard-client.ts";

/** Some calls are held until something happens, and `fetch` waits no longer than this for an answer to begin. */
const BEGIN_TIMEOUT_MS = 300_000;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

async function run({ client, positionals, values }: ApiCall): Promise<ExitStatus> {
	const [word = "", path] = positionals;
	const method = word.toUpperCase();
	if (!METHODS.includes(method) || path === undefined)
		throw usageError(
			`Name the method and the path, such as: tapedeck api GET /v1/jobs. Methods: ${METHODS.join(", ")}.`,
		);
	if (!path.startsWith("/v1/"))
		throw usageError(`"${path}" is no path of the API; use one that begins with /v1/, such as /v1/jobs.`);
	const body = values.body === undefined ? undefined : await bodyOf(String(values.body));
	const response = await client.open(method, path, { body, timeoutMs: BEGIN_TIMEOUT_MS });
	if (response.body === null) return EXIT.done;
	const type = response.headers.get("content-type") ?? "";
	if (process.stdout.isTTY && /^(video|image|audio)\/|octet-stream|zip/.test(type))
		throw new CommandError("binary", `The answer is ${type}; write it to a file, such as: tapedeck api … > file.`);
	if (process.stdout.isTTY && type.startsWith("application/json")) {
		process.stdout.write(`${jsonText(await response.json(), 2)}\n`);
		return EXIT.done;
	}
	try {
		const body = process.stdout.isTTY
			? Readable.from(plainChunks(response.body.pipeThrough(new TextDecoderStream())))
			: Readable.fromWeb(response.body as never);
		await pipeline(body, process.stdout, { end: false });
	} catch (error) {
		// The reader, such as head, has enough.
		if ((error as NodeJS.ErrnoException).code === "EPIPE") return EXIT.done;
		throw brokenConnection(error);
	}
	if (type.startsWith("application/json")) process.stdout.write("\n");
	return EXIT.done;
}

async function* plainChunks(body: ReadableStream<string>): AsyncGenerator<string> {
	for await (const chunk of body) yield plainText(chunk);
}

/** Reads `{…}`, `@file` or `-` for standard input. */
async function bodyOf(words: string): Promise<unknown> {
	const source = words === "-" ? text(process.stdin) : words.startsWith("@") ? readFile(words.slice(1), "utf8") : words;
	const json = await Promise.resolve(source).catch((error) => {
		throw usageError(`--body: ${words.slice(1)} can't be read: ${error.message}.`);
	});
	try {
		return JSON.parse(json);
	} catch (error) {
		throw usageError(`--body: It is not JSON (${(error as Error).message}).`);
	}
}

export const command = apiCommand({
	usage: "tapedeck api <method> /v1/… [--body <json>]",
	about: `Calls an endpoint of the API and prints its answer, whatever it is: JSON, a video, a stream of events. The endpoints
are in the dashboard under /docs.`,
	options: [option("--body <json>", "what to send: JSON, @file, or - for standard input")],
	maxArguments: 2,
	run,
});
