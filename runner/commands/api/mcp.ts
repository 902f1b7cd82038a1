/**
 * `tapedeck mcp`: the dashboard's tools for agents on standard input and output, for programs that start their MCP servers.
 * Each message is a call of `/mcp`, which has no sessions, so nothing of the protocol is kept here.
 */
import { createInterface } from "node:readline";
import { type Tapedeck, TapedeckError } from "@tapedeck/client-source/index.ts";
import { EXIT, type ExitStatus } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand } from "./api-command.ts";
import { asCommandError } from "./dashboard-client.ts";

/** Longer than any tool takes. */
const CALL_TIMEOUT_MS = 120_000;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

interface Message {
	id?: string | number;
	method?: string;
	params?: {
		name?: string;
		/** The URI of a resource. */
		uri?: string;
		requestId?: string | number;
		_meta?: Record<string, unknown>;
	};
	result?: { protocolVersion?: string };
	error?: { code: number; message: string };
}

class Bridge {
	readonly #client: Tapedeck;
	/** Calls that are not answered, by their ids. */
	readonly #open = new Map<string | number, AbortController>();
	/** Protocol version agreed between client and dashboard, for clients that do not send it with each call. */
	#version: string | null = null;

	constructor(client: Tapedeck) {
		this.#client = client;
	}

	/** Passes a message on, and writes the answer. Never throws. */
	async pass(line: string): Promise<void> {
		let message: Message;
		try {
			message = JSON.parse(line);
		} catch {
			return write({ id: null, error: { code: PARSE_ERROR, message: "The line is not JSON." } });
		}
		const { id, method, params } = message;
		if (method === "notifications/cancelled") return this.#open.get(params?.requestId ?? "")?.abort();
		const call = new AbortController();
		if (id !== undefined) this.#open.set(id, call);
		try {
			const headers = this.#headersOf(message);
			const options = { body: message, headers, signal: call.signal, timeoutMs: CALL_TIMEOUT_MS };
			const answer = await this.#client.open("POST", "/mcp", options);
			for (const each of messagesOf(await answer.text())) {
				this.#version = each.result?.protocolVersion ?? this.#version;
				write(each);
			}
		} catch (error) {
			if (id !== undefined && !call.signal.aborted) write(failureOf(error, id, this.#client.url));
		} finally {
			if (id !== undefined) this.#open.delete(id);
		}
	}

	/** The client has gone. */
	end(): void {
		for (const call of this.#open.values()) call.abort();
	}

	#headersOf({ method = "", params }: Message): Record<string, string> {
		const accept = { accept: "application/json, text/event-stream" };
		const version = params?._meta?.[VERSION_KEY];
		if (typeof version !== "string") {
			return { ...accept, ...(this.#version === null ? {} : { "mcp-protocol-version": this.#version }) };
		}
		const name = params?.name ?? params?.uri;
		return {
			...accept,
			"mcp-protocol-version": version,
			"mcp-method": method,
			...(name === undefined ? {} : { "mcp-name": name }),
		};
	}
}

/** @param text JSON, or events of which each has a message. */
function messagesOf(text: string): Message[] {
	if (text.startsWith("{")) return [JSON.parse(text)];
	return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
}

function failureOf(error: unknown, id: string | number, url: string): object {
	if (error instanceof TapedeckError && typeof error.cause === "string") {
		// A fault of the protocol, which the client understands.
		const [message] = error.cause.includes('"jsonrpc"') ? messagesOf(error.cause) : [];
		if (message?.error !== undefined) return { ...message, id };
	}
	const failure = asCommandError(error, url);
	return { id, error: { code: SERVER_ERROR, message: failure instanceof Error ? failure.message : String(failure) } };
}

const write = (message: object): void =>
	void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

async function run({ client }: ApiCall): Promise<ExitStatus> {
	const bridge = new Bridge(client);
	const lines = createInterface({ input: process.stdin });
	lines.on("line", (line) => {
		if (line.trim() !== "") void bridge.pass(line);
	});
	await new Promise((resolve) => lines.once("close", resolve));
	bridge.end();
	return EXIT.done;
}

export const command = apiCommand({
	usage: "tapedeck mcp",
	about: `Serves the tools for agents by the Model Context Protocol on standard input and output, to a program that starts it:
record_start, record_mark, record_stop, look, clip, find and explain_failure. Without an API key, the runner of this machine serves
the first three, which record its displays.`,
	options: [option("--data-dir <folder>", "without a key: the data directory of the runner, if several run here")],
	run,
});
