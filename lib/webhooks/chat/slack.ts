/** Messages for Slack's incoming webhooks, in Block Kit. Texts are plain or rich text, in which no sign has a meaning. */
import type { HeaderBlock, RichTextBlock, RichTextElement } from "@slack/types";
import { type BuildNews, linesAfterCauses } from "./build-news.ts";

export interface SlackMessage {
	/** Text of notifications. */
	text: string;
	blocks: (HeaderBlock | RichTextBlock)[];
}

export function slackMessage(news: BuildNews): SlackMessage {
	const { headline, url, facts, newCauses } = news;
	const after = linesAfterCauses(news);
	return {
		text: escaped(headline),
		blocks: [
			{ type: "header", text: { type: "plain_text", text: headline, emoji: false } },
			paragraph(facts.map(textOf), "\n"),
			...newCauses.data.map(({ title, details, url }) =>
				paragraph([{ type: "link", url, text: title, style: { bold: true } }, textOf(details)], "\n"),
			),
			...(after.length === 0 ? [] : [paragraph(after.map(textOf), "\n")]),
			paragraph([{ type: "link", url, text: "Open it in Tapedeck" }]),
		],
	};
}

const textOf = (text: string): RichTextElement => ({ type: "text", text });

function paragraph(parts: readonly RichTextElement[], separator = ""): RichTextBlock {
	const elements = parts.flatMap((part, index) => (index === 0 ? [part] : [textOf(separator), part]));
	return { type: "rich_text", elements: [{ type: "rich_text_section", elements }] };
}

/** For `text`, in which Slack looks for mentions and links between these signs. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
