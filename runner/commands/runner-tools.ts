/**
 * The tools that record, served without an API key through the runner's socket: the names, arguments and answers of the
 * dashboard's tools (lib/mcp), as far as the runner knows what they say. It speaks the few messages of the Model Context
 * Protocol that tools need: the library of the protocol would add half a megabyte to the one file of the command.
 */
import { createInterface } from "node:readline";
import { faultsOf } from "@tapedeck/contract/faults.ts";
import { MAX_LABEL_VALUE } from "@tapedeck/contract/labels.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { AGENT_LABEL } from "@tapedeck/contract/recording-kinds.ts";
import { recordMarkTool, recordStartTool, recordStopTool } from "@tapedeck/contract/recording-tools.ts";
import * as z from "zod";
import { errorMessage } from "../base/fault.ts";
import { OWN_VERSION } from "../base/installation.ts";
import type { ControlClient } from "../control/control-client.ts";
import type { LocalRecording } from "../control/messages.ts";
import { withJobId } from "./record.ts";
import { isFinal } from "./wait-for-recording.ts";

const MODERN = "2026-07-28";
/** Versions with a handshake, newest first. */
const WITH_HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
const META = "io.modelcontextprotocol";
const FAULT = { parse: -32_700, method: -32_601, params: -32_602, version: -32_022 };
const INSTRUCTIONS =
	"Records the displays of this machine as video: record_start, do the work on the display, record_mark each step, record_stop, and hand on the link that it returns. With an API key (tapedeck login), there are also look, clip, find and explain_failure.";
const MAX_FAULTS = 10;

interface Message {
	id?: string | number;
	method?: string;
	params?: {
		protocolVersion?: string;
		clientInfo?: { name?: string };
		name?: string;
		arguments?: unknown;
		_meta?: Record<string, unknown>;
	};
}

/** An error whose message is for the agent. */
class WrongInput extends Error {}

interface ToolCall {
	client: ControlClient;
	/** The keys of recordings that this process has started or stopped: they are still known after they have ended. */
	keys: Map<string, string>;
	/** The name of the program that calls. */
	agent: string;
	/** Starts follow each other: of two equal ones, the second finds the recording of the first. */
	started: Promise<unknown>;
}

interface Tool {
	name: string;
	description: string;
	input: z.ZodObject;
	run(call: ToolCall, input: unknown): Promise<string>;
}

/** @returns what `work` returns, which begins after the earlier starts. */
function inTurn<T>(call: ToolCall, work: () => Promise<T>): Promise<T> {
	const done = call.started.then(work);
	call.started = done.catch(() => undefined);
	return done;
}

const tool = <const Input extends z.ZodObject>(definition: {
	name: string;
	description: string;
	input: Input;
	run(call: ToolCall, input: z.output<Input>): Promise<string>;
}): Tool => ({ ...definition, run: (call, input) => definition.run(call, parsed(definition.input, input)) });

function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
	const { data, error } = schema.safeParse(input);
	if (error === undefined) return data as z.output<Schema>;
	const faults = faultsOf(error.issues, input, MAX_FAULTS);
	throw new WrongInput(faults.map(({ path, message }) => `${path}: ${message}`).join("\n"));
}

const job = z.coerce.string().describe("As record_start answered");

const TOOLS: readonly Tool[] = [
	tool({
		...recordStartTool,
		input: z.strictObject(recordStartTool.input),
		async run(call, { name, display, labels, max_minutes }) {
			const { client, keys, agent } = call;
			const { displays } = await client.status();
			const displayId = display ?? displays[0]?.id;
			if (displayId === undefined)
				throw new WrongInput("display: The runner has no display. Start one, such as Xvfb :99.");
			if (display === undefined && displays.length > 1)
				throw new WrongInput(`display: Send one of ${displays.map(({ id }) => id).join(", ")}.`);
			const isSame = (one: LocalRecording) => one.name === name && one.displayId === displayId && isRunning(one);
			const order = {
				displayId,
				name,
				maxDurationSeconds: max_minutes * 60,
				labels: { [AGENT_LABEL]: agent, ...labels },
			};
			const { key } = await inTurn(
				call,
				async () => (await client.status()).recordings.find(isSame) ?? client.record(order),
			);
			const recording = await withJobId(client, await client.waitFor(key, "recording"));
			if (recording.status === "failed") throw new WrongInput(recording.message ?? "The recording has failed.");
			const named = nameOf(keys, recording);
			if (recording.startedAt === null)
				return `Job ${named} has no first frame yet. Call record_start again to go on waiting, or record_stop to give up.${pageOf(recording)}`;
			return `Job ${named} records ${displayId} since ${recording.startedAt}, for at most ${max_minutes} min.${pageOf(recording)}`;
		},
	}),
	tool({
		...recordMarkTool,
		input: z.strictObject({ job, ...recordMarkTool.input }),
		async run({ client, keys }, { job, kind = "note", ...marker }) {
			const { offsetSeconds } = await client.mark(await keyOf(client, keys, job), { kind, ...marker });
			return `Marked job ${job} ${offsetSeconds === null ? "before the first frame" : `at ${offsetSeconds} s`}.`;
		},
	}),
	tool({
		...recordStopTool,
		description: "Stop a recording and wait until it is uploaded. Returns its link. Calling it again is safe.",
		input: z.strictObject({
			job,
			...recordStopTool.input,
			proof: recordStopTool.input.proof.describe("Needs an API key"),
		}),
		async run({ client, keys }, { job, outcome, proof }) {
			const key = await keyOf(client, keys, job);
			if ((await client.status()).recordings.some((one) => one.key === key && isRunning(one))) {
				if (outcome !== undefined) await client.result(key, { outcome, message: `The agent says: ${outcome}.` });
				await client.stop({ key });
			}
			const recording = await client.waitFor(key, "finished");
			const named = nameOf(keys, recording);
			const page = pageOf(recording);
			if (!isFinal(recording))
				return `Job ${named} has stopped, and its video is being uploaded. Call record_stop again to go on waiting.${page}`;
			if (recording.status !== "completed" && recording.status !== "cancelled")
				return `Job ${named} is ${recording.status}: ${recording.message ?? "see its page"}.${page}`;
			const cut = proof === true ? "\nNo proof: it needs an API key. Run tapedeck login, and then tapedeck proof." : "";
			return `Job ${named} has ${recording.recordedSeconds} s of video.${page}${cut}`;
		},
	}),
];

const isRunning = ({ status }: LocalRecording): boolean => status === "starting" || status === "recording";

/** By what the agent names it: the job's id, or the key as long as the dashboard cannot be reached. */
function nameOf(keys: Map<string, string>, { key, jobId }: LocalRecording): string {
	keys.set(key, key);
	if (jobId !== null) keys.set(String(jobId), key);
	return jobId === null ? key : String(jobId);
}

const pageOf = ({ url }: LocalRecording): string =>
	url === null ? " It has a page as soon as the dashboard can be reached." : ` Page: ${url}`;

async function keyOf(client: ControlClient, keys: Map<string, string>, job: string): Promise<string> {
	const { recordings } = await client.status();
	const found = recordings.find(({ key, jobId }) => key === job || String(jobId) === job)?.key ?? keys.get(job);
	if (found !== undefined) return found;
	throw new WrongInput(`job: This machine does not record job ${job}. Send job as record_start answered.`);
}

const DEFINITIONS = TOOLS.map(({ name, description, input }) => {
	const { $schema: _, additionalProperties: __, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
	return { name, description, inputSchema };
});

/** Serves the tools on standard input and output until the input ends. */
export async function serveRunnerTools(client: ControlClient): Promise<void> {
	const call: ToolCall = { client, keys: new Map(), agent: "mcp", started: Promise.resolve() };
	const lines = createInterface({ input: process.stdin });
	lines.on("line", (line) => {
		if (line.trim() !== "") void answer(call, line);
	});
	await new Promise((resolve) => lines.once("close", resolve));
}

const write = (message: object): void =>
	void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** Never throws. */
async function answer(call: ToolCall, line: string): Promise<void> {
	let message: Message;
	try {
		message = JSON.parse(line);
	} catch {
		return write({ id: null, error: { code: FAULT.parse, message: "The line is not JSON." } });
	}
	const { id, params } = message;
	if (id === undefined) return;
	const version = params?._meta?.[`${META}/protocolVersion`];
	if (version !== undefined && version !== MODERN) {
		const data = { supported: [MODERN], requested: version };
		return write({ id, error: { code: FAULT.version, message: "Unsupported protocol version", data } });
	}
	const info = params?.clientInfo ?? (params?._meta?.[`${META}/clientInfo`] as { name?: string } | undefined);
	call.agent = sanitizeName(info?.name ?? "", MAX_LABEL_VALUE) || call.agent;
	const reply = await replyTo(call, message);
	if ("error" in reply) return write({ id, ...reply });
	write({ id, result: version === undefined ? reply.result : { resultType: "complete", ...reply.result } });
}

type Reply = { result: object } | { error: { code: number; message: string } };

async function replyTo(call: ToolCall, { method = "", params = {} }: Message): Promise<Reply> {
	const server = {
		capabilities: { tools: {} },
		serverInfo: { name: "tapedeck", title: "Tapedeck", version: OWN_VERSION },
		instructions: INSTRUCTIONS,
	};
	const forever = { ttlMs: 0, cacheScope: "private" };
	switch (method) {
		case "initialize": {
			const wanted = params.protocolVersion ?? "";
			return { result: { protocolVersion: WITH_HANDSHAKE.includes(wanted) ? wanted : WITH_HANDSHAKE[0], ...server } };
		}
		case "server/discover":
			return { result: { supportedVersions: [MODERN], ...server, ...forever } };
		case "ping":
			return { result: {} };
		case "tools/list":
			return { result: { tools: DEFINITIONS, ...forever } };
		case "tools/call": {
			const found = TOOLS.find(({ name }) => name === params.name);
			if (found === undefined) {
				const name = String(params.name).slice(0, 100);
				return { error: { code: FAULT.params, message: `${name} needs an API key: run tapedeck login.` } };
			}
			return { result: await resultOf(call, found, params.arguments ?? {}) };
		}
		default:
			return { error: { code: FAULT.method, message: `Unknown method: ${method.slice(0, 100)}` } };
	}
}

async function resultOf(call: ToolCall, found: Tool, input: unknown): Promise<object> {
	const textOf = (text: string) => ({ content: [{ type: "text", text }] });
	try {
		return textOf(await found.run(call, input));
	} catch (error) {
		return { ...textOf(errorMessage(error)), isError: true };
	}
}
