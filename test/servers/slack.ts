/** Slack as far as Tapedeck uses it: an incoming webhook, and the methods of the Web API with which a bot uploads files. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { KnownBlock } from "@slack/types";
import { until } from "#test/wait.ts";

export interface SlackPost {
	text: string;
	blocks: KnownBlock[];
}

interface File {
	length: number;
	bytes: Buffer | null;
	/** Completed: messages can show it. */
	isThere: boolean;
}

export type FakeSlack = Awaited<ReturnType<typeof startSlack>>;

/** @param token of the bot that may upload. */
export async function startSlack(token: string) {
	const messages: SlackPost[] = [];
	const files = new Map<string, File>();
	/** `refusesFiles`: messages with pictures are refused, as those are whose files Slack has not read yet. */
	const state = { refusesFiles: 0, refused: 0 };
	let url = "";

	async function answer(request: IncomingMessage): Promise<{ status?: number; body: string | object }> {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const bytes = Buffer.concat(chunks);
		const path = request.url ?? "";
		if (path === "/services/T0/B0/secret") return post(JSON.parse(bytes.toString()));
		const upload = /^\/upload\/v1\/(F\d+)$/.exec(path)?.[1];
		if (upload !== undefined) {
			const file = files.get(upload);
			if (file === undefined || file.length !== bytes.length) return { status: 400, body: "Bad length" };
			file.bytes = bytes;
			return { body: `OK - ${bytes.length}` };
		}
		if (request.headers.authorization !== `Bearer ${token}`) return { body: { ok: false, error: "invalid_auth" } };
		const parameters = new URLSearchParams(bytes.toString());
		if (path === "/api/files.getUploadURLExternal") return begin(parameters);
		if (path === "/api/files.completeUploadExternal") return complete(parameters);
		return { body: { ok: false, error: "unknown_method" } };
	}

	function begin(parameters: URLSearchParams) {
		const length = Number(parameters.get("length"));
		if (!parameters.get("filename") || !(length > 0)) return { body: { ok: false, error: "invalid_arguments" } };
		const id = `F${files.size + 1}`;
		files.set(id, { length, bytes: null, isThere: false });
		return { body: { ok: true, upload_url: `${url}/upload/v1/${id}`, file_id: id } };
	}

	function complete(parameters: URLSearchParams) {
		const named: { id: string; title?: string }[] = JSON.parse(parameters.get("files") ?? "[]");
		for (const { id } of named) {
			const file = files.get(id);
			if (!file?.bytes) return { body: { ok: false, error: "file_not_found" } };
			file.isThere = true;
		}
		return { body: { ok: true, files: named } };
	}

	function post(message: SlackPost) {
		const shown = message.blocks.flatMap((block) =>
			block.type === "image" && "slack_file" in block ? [(block.slack_file as { id: string }).id] : [],
		);
		const isRefused = shown.length > 0 && state.refused < state.refusesFiles;
		if (isRefused) state.refused += 1;
		if (isRefused || shown.some((id) => files.get(id)?.isThere !== true))
			return { status: 400, body: "invalid_blocks" };
		messages.push(message);
		return { body: "ok" };
	}

	const server = createServer((request, response) => {
		void answer(request).then(({ status = 200, body }) =>
			response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body)),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		webhookUrl: `${url}/services/T0/B0/secret`,
		messages,
		files,
		state,
		/** Waits for the next message, and returns it. */
		async next(): Promise<SlackPost> {
			await until(
				() => messages.length > 0,
				() => "a message arrives",
			);
			return messages.shift() as SlackPost;
		},
		async close(): Promise<void> {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
