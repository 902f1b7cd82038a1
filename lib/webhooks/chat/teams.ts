/**
 * Messages for a workflow of Microsoft Teams ("Post to a channel when a webhook request is received"), as Adaptive Cards. Texts of
 * others are text runs, in which Markdown has no meaning.
 */
import { type BuildNews, linesAfterCauses } from "./build-news.ts";

const COLOURS: Record<BuildNews["mood"], string> = { good: "Good", fair: "Warning", bad: "Attention" };

export function teamsMessage(news: BuildNews): object {
	const { headline, url, mood, facts, newCauses } = news;
	const content = {
		$schema: "http://adaptivecards.io/schemas/adaptive-card.json",
		type: "AdaptiveCard",
		version: "1.4",
		fallbackText: headline,
		msteams: { width: "Full" },
		body: [
			paragraph([{ text: headline, size: "Large", weight: "Bolder", color: COLOURS[mood] }]),
			...facts.map((text) => paragraph([{ text, isSubtle: true }], "None")),
			...newCauses.data.flatMap(({ title, details, url }) => [
				paragraph([{ text: title, weight: "Bolder", selectAction: { type: "Action.OpenUrl", url } }]),
				paragraph([{ text: details }], "None"),
			]),
			...linesAfterCauses(news).map((text) => paragraph([{ text }])),
		],
		actions: [{ type: "Action.OpenUrl", title: "Open it in Tapedeck", url }],
	};
	return {
		type: "message",
		attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
	};
}

const paragraph = (runs: readonly { text: string; [property: string]: unknown }[], spacing = "Medium"): object => ({
	type: "RichTextBlock",
	spacing,
	inlines: runs.map((run) => ({ type: "TextRun", ...run })),
});
