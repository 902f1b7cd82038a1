"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MAX_COMMIT_URL_TEMPLATE } from "@tapedeck/contract/commit-url-template.ts";
import type { RecordingSettings } from "@tapedeck/contract/recording-settings.ts";
import { useCan } from "#components/account/use-session.ts";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toast } from "#components/ui/toast.ts";
import { sessionKeys } from "#lib/client/session.ts";
import { recordingSettingsQuery, useSaveRecordingSettings } from "./recording-settings.ts";
import { Section } from "./section.tsx";

/** The addresses of commits on other hosts than GitHub, GitLab and Bitbucket. Only shown to those who may change them. */
export function SourceLinksSection() {
	const settings = useQuery(recordingSettingsQuery());
	if (!useCan("organization:manage") || settings.data === undefined) return null;
	return (
		<Section
			title="Source links"
			intro="Commits on GitHub, GitLab and Bitbucket are linked by the label ci.url. For other hosts, set their address here."
		>
			<div className="rounded-lg border border-line bg-surface">
				<TemplateForm settings={settings.data} />
			</div>
		</Section>
	);
}

function TemplateForm({ settings }: { settings: RecordingSettings }) {
	const save = useSaveRecordingSettings();
	const client = useQueryClient();
	const form = useServerForm({ commitUrlTemplate: settings.commitUrlTemplate ?? "" }, async (values) => {
		await save.mutateAsync({ ...settings, commitUrlTemplate: values.commitUrlTemplate.trim() || null });
		// Pages have it with the session.
		await client.invalidateQueries({ queryKey: sessionKeys.me });
		toast.success("Source links saved.");
	});
	return (
		<form {...form.props} className="flex flex-col items-start gap-4 p-4">
			<InputField
				form={form}
				name="commitUrlTemplate"
				label="Address of a commit"
				hint="Placeholders are replaced by labels: {commit}, {repository} and {branch}. Leave blank for none."
				placeholder="https://git.example.com/{repository}/commit/{commit}"
				inputMode="url"
				autoComplete="off"
				spellCheck={false}
				maxLength={MAX_COMMIT_URL_TEMPLATE}
				className="w-full max-w-2xl"
			/>
			<FormError message={form.error} />
			<SubmitButton form={form}>Save source links</SubmitButton>
		</form>
	);
}
