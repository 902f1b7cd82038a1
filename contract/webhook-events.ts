/** The events that webhooks send, and the kinds of their receivers. Without zod, because the settings page loads this file. */
export const WEBHOOK_EVENTS = [
	"job.ended",
	"recording.ready",
	"test.failed",
	"build.finished",
	"runner.offline",
	"runner.online",
	"storage.full",
	"coverage.gap",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `standard` gets signed payloads of Standard Webhooks; chats get one message at the end of a build. */
export const WEBHOOK_KINDS = ["standard", "slack", "teams", "mattermost"] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];
export type ChatKind = Exclude<WebhookKind, "standard">;
