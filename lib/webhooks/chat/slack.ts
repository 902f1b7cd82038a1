/** Messages for Slack's incoming webhooks, in Block Kit. Texts are plain or rich text, in which no sign has a meaning. */
import type { HeaderBlock, ImageBlock, RichTextBlock, RichTextElement } from "@slack/types";
import { oneLine } from "@tapedeck/contract/plain-text.ts";
import { type BuildNews, linesAfterCauses } from "./build-news.ts";

export interface SlackMessage {
	/** Text of notifications. */
	text: string;
	blocks: (HeaderBlock | RichTextBlock | ImageBlock)[];
}

/** A caption of a picture. Slack takes 2,000 characters. */
const MAX_ALT_TEXT = 200;

/** @param withFrames whether the frames of the causes are uploaded when it is sent, see ../slack-frames.ts. */
export function slackMessage(news: BuildNews, withFrames = false): SlackMessage {
	const { headline, url, facts, newCauses } = news;
	const after = linesAfterCauses(news);
	return {
		text: escaped(headline),
		blocks: [
			{ type: "header", text: { type: "plain_text", text: headline, emoji: false } },
			paragraph(facts.map(textOf), "\n"),
			...newCauses.data.flatMap(({ title, details, url, frameOf }) => [
				paragraph([{ type: "link", url, text: title, style: { bold: true } }, textOf(details)], "\n"),
				...(withFrames && frameOf !== null ? [awaitedFrame(frameOf, title)] : []),
			]),
			...(after.length === 0 ? [] : [paragraph(after.map(textOf), "\n")]),
			paragraph([{ type: "link", url, text: "Open it in Tapedeck" }]),
		],
	};
}

/** Slack's ids of files have only capitals and digits. */
const AWAITED = "result ";

const awaitedFrame = (resultId: number, title: string): ImageBlock => ({
	type: "image",
	slack_file: { id: `${AWAITED}${resultId}` },
	alt_text: oneLine(`The screen at: ${title}`, MAX_ALT_TEXT),
});

/** The result whose frame is to take the place of a block; null for all other blocks. */
export function awaitedResult(block: SlackMessage["blocks"][number]): number | null {
	const id = block.type === "image" && "slack_file" in block ? (block.slack_file as { id?: string }).id : undefined;
	return id?.startsWith(AWAITED) ? Number(id.slice(AWAITED.length)) : null;
}

export const slackNote = (text: string): RichTextBlock => paragraph([textOf(text)]);

const textOf = (text: string): RichTextElement => ({ type: "text", text });

function paragraph(parts: readonly RichTextElement[], separator = ""): RichTextBlock {
	const elements = parts.flatMap((part, index) => (index === 0 ? [part] : [textOf(separator), part]));
	return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
}

/** For `text`, in which Slack looks for mentions and links between these signs. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
