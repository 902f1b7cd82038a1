/** The events that webhooks send. Without zod, because the settings page loads this file. */
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
