/** Messages for Mattermost's incoming webhooks: one attachment with Markdown. */
import { markdownText } from "@tapedeck/contract/markdown.ts";
import { type BuildNews, linesAfterCauses } from "./build-news.ts";

const COLOURS: Record<BuildNews["mood"], string> = { good: "#1a7f37", fair: "#9a6700", bad: "#cf222e" };

export function mattermostMessage(news: BuildNews): object {
	const { headline, url, mood, facts, newCauses } = news;
	const text = [
		facts.map(literal).join("\n"),
		newCauses.data.map(({ title, details, url }) => `- [${literal(title)}](${url})\n  ${literal(details)}`).join("\n"),
		...linesAfterCauses(news).map(literal),
	].filter((part) => part !== "");
	return {
		attachments: [
			// Neither has Markdown: the fallback is for notifications, and the title is a link.
			{ fallback: headline, color: COLOURS[mood], title: headline, title_link: url, text: text.join("\n\n") },
		],
	};
}

const ZERO_WIDTH_SPACE = "\u200b";

/** Mattermost looks for mentions before it looks for backslashes. */
const literal = (text: string): string => markdownText(text).replaceAll("@", `@${ZERO_WIDTH_SPACE}`);
