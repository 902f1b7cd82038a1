/**
 * Frames of failures in Slack. Slack cannot fetch them from the dashboard, so a bot uploads them, and the message shows them as files.
 * A message without frames is sent if that fails, and says why.
 */
import type { Context } from "#lib/core/context.ts";
import { awaitedResult, type SlackMessage, slackNote } from "./chat/slack.ts";
import type { DeliveryRow } from "./deliveries.ts";
import type { Send } from "./send.ts";
import type { WebhookRow } from "./webhooks.ts";

/** Frames are taken once the video is stored. A message waits for them no longer than this. */
const MAX_WAIT_MS = 60_000;
const MAX_ANSWER_BYTES = 65_536;
/** The `hasFrame` of a failure whose frame has not been taken yet. */
const NOT_TAKEN = 0;

interface Message {
	webhook: WebhookRow;
	delivery: Pick<DeliveryRow, "body" | "createdAt">;
}

export const awaitsFrames = (webhook: WebhookRow, body: string): boolean =>
	webhook.kind === "slack" && awaitedResults(body).length > 0;

export const hasFrames = ({ kind }: WebhookRow, body: string): boolean =>
	kind === "slack" && read(body).blocks.some(({ type }) => type === "image");

const read = (body: string): SlackMessage => JSON.parse(body);

const awaitedResults = (body: string): number[] => read(body).blocks.flatMap((block) => awaitedResult(block) ?? []);

/** @returns the message with the uploaded frames; "later" while frames are still to be taken. */
export async function withFrames(
	ctx: Context,
	send: Send,
	{ webhook, delivery }: Message,
	signal: AbortSignal,
): Promise<string | "later"> {
	const ids = awaitedResults(delivery.body);
	const results = await ctx.db
		.selectFrom("testResult")
		.leftJoin("testFrame", "testFrame.resultId", "testResult.id")
		.select(["testResult.id", "testResult.hasFrame", "testFrame.jpeg"])
		.where("testResult.id", "in", ids)
		.where("testResult.organizationId", "=", webhook.organizationId)
		.execute();
	const isPatient = ctx.clock.now() < delivery.createdAt + MAX_WAIT_MS;
	if (isPatient && results.some(({ hasFrame }) => hasFrame === NOT_TAKEN)) return "later";
	const files = new Map<number, string>();
	try {
		const slack = slackApi(ctx, send, webhook, signal);
		for (const { id, jpeg } of results)
			if (jpeg !== null) files.set(id, await slack.upload(`failure-${id}.jpg`, Buffer.from(jpeg)));
	} catch (error) {
		return withoutFrames(delivery.body, (error as Error).message);
	}
	const { blocks, ...message } = read(delivery.body);
	return JSON.stringify({
		...message,
		blocks: blocks.flatMap((block) => {
			const result = awaitedResult(block);
			if (result === null) return [block];
			const id = files.get(result);
			return id === undefined ? [] : [{ ...block, slack_file: { id } }];
		}),
	});
}

/** @param why no sentence: it is the end of one. */
export function withoutFrames(body: string, why: string): string {
	const { blocks, ...message } = read(body);
	const texts = blocks.filter(({ type }) => type !== "image");
	return JSON.stringify({ ...message, blocks: [...texts, slackNote(`Without frames: ${why}.`)] });
}

/** Slack's Web API, at `slack.com` for webhooks of `hooks.slack.com`. */
const slackOrigin = (url: string): string => {
	const { protocol, host } = new URL(url);
	return `${protocol}//${host.replace(/^hooks\./, "")}`;
};

/** @throws an Error whose message is the end of a sentence. */
function slackApi(ctx: Context, send: Send, { url, botTokenSealed }: WebhookRow, signal: AbortSignal) {
	if (botTokenSealed === null) throw new Error("the webhook has no bot token any more");
	const token = ctx.secrets.open(botTokenSealed);
	const post = async (url: string, contentType: string, body: string | Buffer, headers = {}) => {
		const at = ctx.clock.now();
		const request = {
			url,
			headers: { "content-type": contentType, ...headers },
			body,
			at,
			keptBytes: MAX_ANSWER_BYTES,
		};
		const { status, error, answer } = await send(request, signal);
		// The receiver's sentences end with a full stop.
		if (error !== null)
			throw new Error(status === null ? `uploading failed: ${error.slice(0, -1)}` : `Slack answered ${status}`);
		return answer ?? "";
	};
	const call = async (method: string, parameters: Record<string, string>): Promise<Record<string, unknown>> => {
		const body = new URLSearchParams(parameters).toString();
		const address = `${slackOrigin(url)}/api/${method}`;
		const answer = parsed(
			await post(address, "application/x-www-form-urlencoded", body, { authorization: `Bearer ${token}` }),
		);
		if (answer.ok === true) return answer;
		const reason = typeof answer.error === "string" ? answer.error.slice(0, 100) : "something unknown";
		const needed = typeof answer.needed === "string" ? `, the bot needs the scope ${answer.needed.slice(0, 100)}` : "";
		throw new Error(`Slack answered ${reason} to ${method}${needed}`);
	};
	return {
		/** @returns the id of the file. Nobody sees it before a message shows it. */
		async upload(filename: string, bytes: Buffer): Promise<string> {
			const begun = await call("files.getUploadURLExternal", { filename, length: String(bytes.length) });
			const { upload_url: address, file_id: id } = begun;
			if (typeof id !== "string" || typeof address !== "string" || !URL.canParse(address))
				throw new Error("Slack named no address for uploads");
			await post(address, "application/octet-stream", bytes);
			await call("files.completeUploadExternal", { files: JSON.stringify([{ id, title: filename }]) });
			return id;
		},
	};
}

function parsed(text: string): Record<string, unknown> {
	try {
		return JSON.parse(text) ?? {};
	} catch {
		return {};
	}
}
