/** Defaults of jobs, and the form that edits them; the template of commit URLs has a form of its own. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RecordingSettings, RecordingSettingsBody } from "@tapedeck/contract/recording-settings.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { type VideoValues, videoOf, videoValuesOf } from "#components/video/video-values.ts";
import { call } from "#lib/client/api.ts";

export const recordingSettingsQuery = () =>
	queryOptions({
		queryKey: ["recording-settings"] as const,
		queryFn: ({ signal }) => call<RecordingSettings>("GET", "/v1/recording-settings", { signal }),
	});

export function useSaveRecordingSettings() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (settings: RecordingSettingsBody) =>
			call<RecordingSettings>("PUT", "/v1/recording-settings", { body: settings }),
		onSuccess: (settings) => client.setQueryData(recordingSettingsQuery().queryKey, settings),
	});
}

/** The settings as text for inputs, in minutes; an empty cap means none. */
export type RecordingSettingsValues = Record<"keep" | "graceSeconds" | "maxDurationSeconds", string> & {
	video: VideoValues;
};

const minutesOf = (seconds: number): string => String(Math.round((seconds / 60) * 100) / 100);
const secondsOf = (minutes: string): number => Math.round(Number(minutes.replace(",", ".")) * 60);

export const recordingValuesOf = (settings: RecordingSettingsBody): RecordingSettingsValues => ({
	keep: settings.keep,
	graceSeconds: minutesOf(settings.graceSeconds),
	maxDurationSeconds: settings.maxDurationSeconds === null ? "" : minutesOf(settings.maxDurationSeconds),
	video: videoValuesOf(settings.video ?? {}),
});

export const recordingSettingsOf = (values: RecordingSettingsValues): RecordingSettingsBody => ({
	keep: values.keep === "failed" ? "failed" : "always",
	// Nothing is not 0: the server asks for a number.
	graceSeconds: values.graceSeconds.trim() === "" ? Number.NaN : secondsOf(values.graceSeconds),
	maxDurationSeconds: values.maxDurationSeconds.trim() === "" ? null : secondsOf(values.maxDurationSeconds),
	// The server refuses text that is no number.
	video: videoOf(values.video) as VideoOptions,
});
