import { recordingSettingsBodySchema, recordingSettingsSchema } from "@tapedeck/contract/recording-settings.ts";
import { route } from "#lib/http/route.ts";
import { getRecordingSettings, setRecordingSettings } from "#lib/recordings/recording-settings.ts";

export const GET = route(
	{
		operationId: "getRecordingSettings",
		summary: "Get what applies to jobs that say nothing else: keep policy, grace time and cap, and where commits are",
		permission: "recordings:read",
		answers: { 200: recordingSettingsSchema },
	},
	({ ctx }) => getRecordingSettings(ctx),
);

export const PUT = route(
	{
		operationId: "setRecordingSettings",
		summary: "Set what applies to jobs that say nothing else",
		permission: "settings:write",
		audit: ["recording_settings.changed"],
		body: recordingSettingsBodySchema,
		answers: { 200: recordingSettingsSchema },
	},
	({ ctx, body }) => setRecordingSettings(ctx, body),
);
