"use client";

import { useQuery } from "@tanstack/react-query";
import type { RecordingSettings } from "@tapedeck/contract/recording-settings.ts";
import { useWatch } from "react-hook-form";
import { useCan } from "#components/account/use-session.ts";
import { KEEP_NAMES } from "#components/recordings/keeping-inputs.tsx";
import { FormError, InputField, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { VideoFields } from "#components/video/video-fields.tsx";
import { videoText } from "#components/video/video-text.ts";
import { VIDEO_MESSAGES } from "#components/video/video-values.ts";
import { errorMessage } from "#lib/client/api.ts";
import { formatSpan } from "#lib/client/format.ts";
import {
	recordingSettingsOf,
	recordingSettingsQuery,
	recordingValuesOf,
	useSaveRecordingSettings,
} from "./recording-settings.ts";
import { Section } from "./section.tsx";

/** The defaults for new jobs: the keep policy, its grace time, the maximum length and the video quality. */
export function RecordingSettingsSection() {
	const settings = useQuery(recordingSettingsQuery());
	const mayChange = useCan("organization:manage");
	return (
		<Section
			title="New recordings"
			intro="Defaults for new jobs. A job or its runner can override them. Existing recordings aren't affected."
		>
			{settings.isError ? (
				<Notice tone="danger">Couldn't load the settings. {errorMessage(settings.error)}</Notice>
			) : null}
			{settings.isPending ? <Skeleton className="h-40 w-full rounded-lg" /> : null}
			{settings.data ? (
				<div className="rounded-lg border border-line bg-surface">
					{mayChange ? <SettingsForm settings={settings.data} /> : <Settings settings={settings.data} />}
				</div>
			) : null}
		</Section>
	);
}

/** The settings for those who may not change them. */
function Settings({ settings: { keep, graceSeconds, maxDurationSeconds, video } }: { settings: RecordingSettings }) {
	const shown = [
		["Keep videos", KEEP_NAMES[keep]],
		...(keep === "failed" ? [["Delete recordings of passed tests after", formatSpan(graceSeconds)] as const] : []),
		["Maximum length", maxDurationSeconds === null ? "No limit" : formatSpan(maxDurationSeconds)],
		["Video quality", videoText(video ?? {}) ?? "As the runner is configured"],
	] as const;
	return (
		<dl className="grid gap-4 p-4 text-sm sm:grid-cols-3">
			{shown.map(([label, value]) => (
				<div key={label}>
					<dt className="text-muted">{label}</dt>
					<dd className="mt-1 font-medium tabular-nums">{value}</dd>
				</div>
			))}
		</dl>
	);
}

function SettingsForm({ settings }: { settings: RecordingSettings }) {
	const save = useSaveRecordingSettings();
	const form = useServerForm(recordingValuesOf(settings), async (values) => {
		const { graceSeconds, ...changed } = recordingSettingsOf(values);
		// Hidden fields do not change.
		await save.mutateAsync({
			...changed,
			graceSeconds: changed.keep === "failed" ? graceSeconds : settings.graceSeconds,
		});
		toast.success("Settings for new recordings saved.");
	});
	const keep = useWatch({ control: form.control, name: "keep" });
	return (
		<form {...form.props} className="grid gap-4 p-4 sm:grid-cols-3">
			<SelectField form={form} name="keep" label="Keep videos">
				{Object.entries(KEEP_NAMES).map(([value, name]) => (
					<option key={value} value={value}>
						{name}
					</option>
				))}
			</SelectField>
			{keep === "failed" ? (
				<InputField
					form={form}
					name="graceSeconds"
					label="Delete recordings of passed tests after (minutes)"
					hint="Select Keep before then to save one."
					type="number"
					inputMode="decimal"
					min={0}
					step="any"
				/>
			) : null}
			<InputField
				form={form}
				name="maxDurationSeconds"
				label="Maximum length (minutes)"
				hint="For Interrupt and Selenium jobs. Leave blank for no limit."
				type="number"
				inputMode="decimal"
				min={0}
				step="any"
				placeholder="No limit"
			/>
			<div className="sm:col-span-3">
				<VideoFields
					register={(field) => form.register(`video.${field}`)}
					errorOf={(field) => (form.errorOf(`video.${field}`) === undefined ? undefined : VIDEO_MESSAGES[field])}
					hint="Used by jobs that set nothing else. Blank fields use the runner's settings."
				/>
			</div>
			<div className="flex flex-col items-start gap-3 sm:col-span-3">
				<FormError message={form.error} />
				<SubmitButton form={form}>Save settings</SubmitButton>
			</div>
		</form>
	);
}
