"use client";

import { useQuery } from "@tanstack/react-query";
import { useCan } from "#components/session/use-session.ts";
import { FormError, InputField, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { formatSpan } from "#lib/client/format.ts";
import {
	recordingSettingsOf,
	recordingSettingsQuery,
	recordingValuesOf,
	useSaveRecordingSettings,
} from "#lib/client/recording-settings.ts";
import type { RecordingSettings } from "#lib/contract/organization.ts";
import { Section } from "./section.tsx";

const KEEPS: Record<RecordingSettings["keep"], string> = {
	always: "Always",
	failed: "Unless the test passed",
};

/** The keep policy, the grace time and the cap of jobs that say nothing else, by themselves or by their runner. */
export function RecordingSettingsSection() {
	const settings = useQuery(recordingSettingsQuery());
	const mayChange = useCan("organization:manage");
	return (
		<Section
			title="New recordings"
			intro="For new jobs that say nothing else, by themselves or by their runner. Existing recordings don't change."
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
function Settings({ settings: { keep, graceSeconds, maxDurationSeconds } }: { settings: RecordingSettings }) {
	const shown = [
		["Keep videos", KEEPS[keep]],
		...(keep === "failed" ? [["Delete passed ones after", formatSpan(graceSeconds)] as const] : []),
		["Stop at the latest after", maxDurationSeconds === null ? "No limit" : formatSpan(maxDurationSeconds)],
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
		await save.mutateAsync(recordingSettingsOf(values));
		toast.success("Saved the settings for new recordings.");
	});
	return (
		<form {...form.props} className="grid gap-4 p-4 sm:grid-cols-3">
			<SelectField form={form} name="keep" label="Keep videos">
				{Object.entries(KEEPS).map(([value, name]) => (
					<option key={value} value={value}>
						{name}
					</option>
				))}
			</SelectField>
			<InputField
				form={form}
				name="graceSeconds"
				label="Delete passed ones after (minutes)"
				hint="Until then, Keep saves them."
				type="number"
				inputMode="decimal"
				min={0}
				step="any"
			/>
			<InputField
				form={form}
				name="maxDurationSeconds"
				label="Stop at the latest after (minutes)"
				hint="For Interrupt and Selenium jobs. Leave blank for no limit."
				type="number"
				inputMode="decimal"
				min={0}
				step="any"
				placeholder="No limit"
			/>
			<div className="flex flex-col items-start gap-3 sm:col-span-3">
				<FormError message={form.error} />
				<SubmitButton form={form}>Save settings</SubmitButton>
			</div>
		</form>
	);
}
