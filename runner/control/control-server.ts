/** The runner's control socket: HTTP that only processes of the same user (and root) can reach. */
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { DISPLAY_ID_PATTERN, jobNameSchema } from "@tapedeck/contract/job.ts";
import {
	keepSchema,
	labelsSchema,
	maxDurationSchema,
	outcomeSchema,
	preSecondsSchema,
} from "@tapedeck/contract/labels.ts";
import { createMarkerBodySchema } from "@tapedeck/contract/marker.ts";
import { newDisplaySchema } from "@tapedeck/contract/new-display.ts";
import { changePrivacyBodySchema } from "@tapedeck/contract/privacy.ts";
import { MARKER_KINDS } from "@tapedeck/contract/recording-kinds.ts";
import {
	commandTestSchema,
	MAX_COMMAND_OUTPUT,
	MAX_COMMAND_TESTS,
	MAX_TEST_MARKERS,
} from "@tapedeck/contract/runner-protocol.ts";
import { durationConfigSchema } from "@tapedeck/contract/stop-condition.ts";
import { videoOptionsSchema } from "@tapedeck/contract/video-options.ts";
import * as z from "zod";
import { errorMessage } from "../base/fault.ts";
import { type ControlService, RefusedOrder } from "./control-service.ts";
import { type ControlFault, controlSocketIn, type LentLine, OWNERS } from "./messages.ts";

/** Enough for the markers of a test run, each with a message as long as the dashboard stores it. */
const MAX_BODY_BYTES = 8 << 20;
/** The time for held calls to receive their response before the runner exits. */
const CLOSE_GRACE_MS = 300;

const orderSchema = z.strictObject({
	displayId: z.string().regex(DISPLAY_ID_PATTERN),
	name: jobNameSchema.optional(),
	durationSeconds: durationConfigSchema.shape.durationSeconds.optional(),
	labels: labelsSchema.optional(),
	keep: keepSchema.optional(),
	maxDurationSeconds: maxDurationSchema.optional(),
	video: videoOptionsSchema.optional(),
	preSeconds: preSecondsSchema.optional(),
	onlyFailed: z.boolean().optional(),
});
const resultSchema = z.strictObject({
	outcome: outcomeSchema,
	message: z.string().max(1_000),
	output: z.string().max(MAX_COMMAND_OUTPUT).optional(),
	markers: z
		.array(
			z.strictObject({
				label: z.string(),
				kind: z.enum(MARKER_KINDS),
				message: z.string().optional(),
				offsetSeconds: z.number().min(0),
			}),
		)
		.max(MAX_TEST_MARKERS)
		.optional(),
});
const testsSchema = z.strictObject({ tests: z.array(commandTestSchema).min(1).max(MAX_COMMAND_TESTS) });
const displaySchema = newDisplaySchema.extend({ depth: z.union([z.literal(16), z.literal(24)]) }).partial();
const stopSchema = z
	.strictObject({
		key: z.string(),
		jobId: z.int().positive(),
		name: z.string(),
		displayId: z.string(),
		all: z.literal(true),
	})
	.partial()
	.refine((order) => Object.keys(order).length === 1, {
		error: "Name exactly one of key, jobId, name, displayId, all.",
	});

const STATUS_OF: Record<ControlFault["code"], number> = {
	bad_order: 422,
	no_buffer: 409,
	display_not_found: 404,
	display_unavailable: 409,
	job_not_found: 404,
	runner_ending: 409,
	not_connected: 409,
	not_installed: 409,
	foreign_files: 409,
	recording_in_use: 409,
	recording_ended: 409,
	privacy_unconfirmed: 409,
	not_found: 404,
	broken: 500,
};

export interface ControlServer {
	/** Answers the calls that are held, and removes the socket. */
	close(): Promise<void>;
}

/**
 * Listens in the data directory, which this process must have locked.
 * @throws what `listen` throws, such as on file systems that have no sockets.
 */
export async function serveControl(dataDir: string, service: ControlService): Promise<ControlServer> {
	const closing = new AbortController();
	const server = createServer((request, response) => {
		const gone = new AbortController();
		response.on("close", () => gone.abort());
		void answer(service, request, response, { gone: gone.signal, closing: closing.signal });
	});
	const address = controlSocketIn(dataDir);
	try {
		// A killed predecessor left its socket behind. This process holds the directory's lock, so it can be removed.
		rmSync(address.path, { force: true });
		await listen(server, address.path);
	} catch (error) {
		address.close();
		throw error;
	}
	server.unref();
	return {
		close: async () => {
			closing.abort();
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeIdleConnections();
			const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
			await closed;
			clearTimeout(timer);
			rmSync(address.path, { force: true });
			address.close();
		},
	};
}

async function listen(server: Server, path: string): Promise<void> {
	const listening = new Promise<void>((resolve, reject) => {
		server.once("listening", resolve);
		server.once("error", reject);
	});
	// `listen` creates the socket: it must never be open to others, not even for a moment.
	const before = process.umask(0o177);
	try {
		server.listen(path);
	} finally {
		process.umask(before);
	}
	await listening;
}

async function answer(service: ControlService, request: IncomingMessage, response: ServerResponse, signals: Signals) {
	const put = (status: number, body: unknown) => {
		if (response.destroyed) return;
		response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body));
	};
	try {
		if (request.method === "POST" && request.url === "/displays") {
			const order = await bodyOf(request, displaySchema);
			const write = (line: LentLine) => {
				if (!response.headersSent)
					response.writeHead(200, { "content-type": "application/jsonl", connection: "close" });
				response.write(`${JSON.stringify(line)}\n`);
			};
			await service.lendDisplay(order, write, AbortSignal.any([signals.gone, signals.closing]));
			response.end();
			return;
		}
		const { status, body } = await act(service, request, signals);
		put(status, body);
	} catch (error) {
		const fault: ControlFault =
			error instanceof RefusedOrder
				? error.fault
				: { code: "broken", what: `The runner failed unexpectedly: ${errorMessage(error)}`, remedy: "see its log" };
		// The status of an answer that has begun is sent.
		if (response.headersSent) response.end(`${JSON.stringify({ fault } satisfies LentLine)}\n`);
		else put(STATUS_OF[fault.code], fault);
	}
}

interface Signals {
	/** Aborted when the caller has disconnected or has received its response. */
	gone: AbortSignal;
	/** Aborted when the runner stops. */
	closing: AbortSignal;
}

async function act(
	service: ControlService,
	request: IncomingMessage,
	{ gone, closing }: Signals,
): Promise<{ status: number; body: unknown }> {
	const url = new URL(request.url ?? "/", "http://runner");
	const call = `${request.method} ${url.pathname}`;
	if (call === "GET /status") return { status: 200, body: await service.status() };
	if (call === "POST /recordings") {
		const owner = OWNERS.find((known) => known === url.searchParams.get("owner")) ?? null;
		return { status: 201, body: await service.record(await bodyOf(request, orderSchema), owner) };
	}
	const owned = /^GET \/recordings\/([\w-]+)\/owner$/.exec(call)?.[1];
	if (owned !== undefined) return { status: 200, body: await service.own(owned, gone, closing) };
	const marked = /^POST \/recordings\/([\w-]+)\/markers$/.exec(call)?.[1];
	if (marked !== undefined)
		return { status: 201, body: await service.mark(marked, await bodyOf(request, createMarkerBodySchema)) };
	const hidden = /^POST \/recordings\/([\w-]+)\/privacy$/.exec(call)?.[1];
	if (hidden !== undefined)
		return { status: 200, body: await service.setPrivacy(hidden, await bodyOf(request, changePrivacyBodySchema)) };
	const returned = /^DELETE \/displays\/(\d+)$/.exec(call)?.[1];
	if (returned !== undefined) return { status: 200, body: await service.returnDisplay(`:${returned}`) };
	const cleared = /^GET \/displays\/(\d+)\/cleared$/.exec(call)?.[1];
	if (cleared !== undefined) return { status: 200, body: await service.clearedDisplay(`:${cleared}`) };
	if (call === "POST /leave") return { status: 202, body: service.leaveWhenIdle() };
	if (call === "POST /restart") return { status: 202, body: service.restartWhenIdle() };
	const tested = /^POST \/recordings\/([\w-]+)\/tests$/.exec(call)?.[1];
	if (tested !== undefined) return { status: 200, body: service.addTests(tested, await bodyOf(request, testsSchema)) };
	const ended = /^POST \/recordings\/([\w-]+)\/result$/.exec(call)?.[1];
	if (ended !== undefined)
		return { status: 200, body: await service.addResult(ended, await bodyOf(request, resultSchema)) };
	if (call === "POST /stop") return { status: 200, body: await service.stop(await bodyOf(request, stopSchema)) };
	const key = /^GET \/recordings\/([\w-]+)$/.exec(call)?.[1];
	if (key !== undefined)
		return {
			status: 200,
			body: await service.waitFor(key, url.searchParams.get("until"), AbortSignal.any([gone, closing])),
		};
	const [, method, kept, verb] = /^(POST|DELETE) \/spool\/([\w-]+)(\/adopt)?$/.exec(call) ?? [];
	if (method === "POST" && kept !== undefined && verb !== undefined)
		return { status: 200, body: await service.adopt(kept) };
	if (method === "DELETE" && kept !== undefined && verb === undefined) {
		return { status: 200, body: await service.remove(kept) };
	}
	throw new RefusedOrder({
		code: "not_found",
		what: "The runner has another version than this command and does not support it",
		remedy: "restart the runner with this version",
	});
}

const badOrder = (problem: string): RefusedOrder =>
	new RefusedOrder({
		code: "bad_order",
		what: `The runner does not accept the command: ${problem}`,
		remedy: "check that both have the same version",
	});

async function bodyOf<S extends z.ZodType>(request: IncomingMessage, schema: S): Promise<z.output<S>> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request) {
		bytes += (chunk as Buffer).length;
		if (bytes > MAX_BODY_BYTES) throw badOrder(`It is longer than ${MAX_BODY_BYTES} bytes`);
		chunks.push(chunk as Buffer);
	}
	try {
		return schema.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
	} catch (error) {
		throw badOrder(error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : "It is not JSON");
	}
}
