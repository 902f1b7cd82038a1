/** The body of a message to a chat: short enough for each of them, with fewer causes if it would be too long. */
import type { ChatKind } from "@tapedeck/contract/webhook-events.ts";
import type { BuildNews } from "./build-news.ts";
import { mattermostMessage } from "./mattermost.ts";
import { slackMessage } from "./slack.ts";
import { teamsMessage } from "./teams.ts";

/** Mattermost takes the least: 16,383 characters. Teams takes 28 kB, and Slack 3,000 characters of each block. */
export const MAX_CHAT_BYTES = 16_000;

const MESSAGES: Record<ChatKind, (news: BuildNews, withFrames: boolean) => object> = {
	slack: slackMessage,
	teams: teamsMessage,
	mattermost: mattermostMessage,
};

/** @param withFrames whether it may have frames that are uploaded when it is sent. */
export function chatBody(kind: ChatKind, news: BuildNews, { withFrames = false } = {}): string {
	const { all, data } = news.newCauses;
	const bodyWith = (causes: number) =>
		JSON.stringify(MESSAGES[kind]({ ...news, newCauses: { all, data: data.slice(0, causes) } }, withFrames));
	let causes = data.length;
	while (causes > 0 && Buffer.byteLength(bodyWith(causes)) > MAX_CHAT_BYTES) causes -= 1;
	return bodyWith(causes);
}

/** A message that only tells that it arrives. @param baseUrl of the dashboard. */
export const testChatBody = (kind: ChatKind, baseUrl: string): string =>
	chatBody(kind, {
		headline: "A test from Tapedeck",
		url: baseUrl,
		mood: "good",
		facts: ["Messages about the ends of builds arrive here."],
		newCauses: { all: 0, data: [] },
		others: [],
	});
