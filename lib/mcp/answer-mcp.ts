/**
 * `POST /mcp`: the tools for agents by the Model Context Protocol, of 2026-07-28 and of the versions before it. There are no
 * sessions: every request is answered on its own, by any dashboard.
 */

import {
	type CallToolResult,
	CLIENT_CAPABILITIES_META_KEY,
	CLIENT_INFO_META_KEY,
	type ClientCapabilities,
	createMcpHandler,
	ResourceNotFoundError,
	Server,
} from "@modelcontextprotocol/server";
import { VERSION } from "@tapedeck/contract/version.ts";
import { callSignal, onAbort, onTimeout } from "#lib/core/call-signal.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import type { AppContext } from "#lib/http/app-context.ts";
import { problemAnswer } from "#lib/http/problem.ts";
import { requestId } from "#lib/http/request-log.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { APPS_EXTENSION, CLIP_APP, PLAYED_KEY, readClipApp } from "./clip-app.ts";
import { type ToolAnswer, type ToolCall, textOf } from "./tool.ts";
import { DEFINITIONS, TOOLS } from "./tools.ts";

const INSTRUCTIONS =
	"Tapedeck records displays as video. To prove a change: record_start, do the work on that display, record_mark each step, record_stop, and hand on the link that it returns.";
/** Clients give up a call after 60 s. */
const MAX_CALL_MS = 50_000;

interface McpCall {
	app: AppContext;
	ctx: RecordingContext;
	request: { method: string; url: URL; headers: RequestHeaders };
	body: Uint8Array;
	/** Aborts when the caller has gone or lost access, and when the server stops. */
	signal: AbortSignal;
}

/** @returns the whole answer: nothing of it is sent before the tool has ended. */
export async function answerMcp({ app, ctx, request, body, signal }: McpCall): Promise<Response> {
	const serve = () => {
		const server = new Server(
			{ name: "tapedeck", title: "Tapedeck", version: VERSION },
			{ capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
		);
		server.setRequestHandler("tools/list", () => ({ tools: DEFINITIONS }));
		server.setRequestHandler("resources/list", () => ({ resources: [CLIP_APP] }));
		server.setRequestHandler("resources/read", ({ params }) => {
			if (params.uri !== CLIP_APP.uri) throw new ResourceNotFoundError(params.uri);
			return readClipApp(app, ctx.baseUrl);
		});
		server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
			// Clients of earlier versions say this once, in a session, and there are none here.
			const { envelope } = mcpReq as { envelope?: Envelope };
			const client = envelope?.[CLIENT_INFO_META_KEY]?.name ?? null;
			const can = envelope?.[CLIENT_CAPABILITIES_META_KEY];
			const showsViews = can === undefined || can.extensions?.[APPS_EXTENSION] !== undefined;
			return callTool({ app, ctx, client, showsViews, signal }, params.name, params.arguments ?? {});
		});
		return server;
	};
	const handler = createMcpHandler(serve, { keepAliveMs: 0 });
	const { method, url, headers } = request;
	const answer = await handler.fetch(
		new Request(url, { method, headers: new Headers([...headers]), body: new Uint8Array(body), signal }),
	);
	return new Response(answer.status === 202 ? null : await answer.arrayBuffer(), answer);
}

interface Envelope {
	[CLIENT_INFO_META_KEY]?: { name: string };
	[CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

async function callTool(
	{ signal, ...call }: ToolCall,
	name: string,
	input: Record<string, unknown>,
): Promise<CallToolResult> {
	const tool = TOOLS.find((each) => each.name === name);
	const late = callSignal(onTimeout(MAX_CALL_MS));
	const ended = callSignal(onAbort(signal), onAbort(late.signal));
	const release = call.app.limits.open("streams", call.ctx);
	try {
		if (tool === undefined) throw new TapedeckError("not_found", `No tool is called ${name.slice(0, 100)}.`);
		return resultOf(await tool.run({ ...call, signal: ended.signal }, input));
	} catch (error) {
		const { body } = problemAnswer(late.signal.aborted ? tooLate() : error, requestId(), call.app.log);
		return { content: [{ type: "text", text: textOf([body.detail]) }], isError: true };
	} finally {
		ended.release();
		late.release();
		release();
	}
}

const tooLate = (): TapedeckError =>
	new TapedeckError(
		"unavailable",
		`This took more than ${MAX_CALL_MS / 1_000} s. Call the tool again: what has been created is kept for a while.`,
	);

function resultOf({ text, picture, video }: ToolAnswer): CallToolResult {
	const words = textOf(typeof picture === "string" ? [...text, picture] : text);
	const content: CallToolResult["content"] = [{ type: "text", text: words }];
	if (picture instanceof Buffer) {
		content.push({ type: "image", data: picture.toString("base64"), mimeType: "image/jpeg" });
	}
	return { content, ...(video === undefined ? {} : { _meta: { [PLAYED_KEY]: video } }) };
}
