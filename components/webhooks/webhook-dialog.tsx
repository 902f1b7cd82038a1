"use client";

import type { NewWebhook, Webhook } from "@tapedeck/contract/webhook.ts";
import type { WebhookEvent } from "@tapedeck/contract/webhook-events.ts";
import { useState } from "react";
import { useController } from "react-hook-form";
import { NewSecret } from "#components/settings/credential-list.tsx";
import { CheckboxGroup } from "#components/ui/checkbox-group.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { FormError, InputField, type ServerForm, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toast } from "#components/ui/toast.ts";
import { useChangeWebhook, useCreateWebhook, type WebhookValues } from "./webhooks.ts";

const EVENT_LABELS: Record<WebhookEvent, string> = {
	"job.ended": "A job has ended",
	"recording.ready": "A recording is stored",
	"test.failed": "A test has failed",
	"build.finished": "A build has ended",
	"runner.offline": "A runner went offline",
	"runner.online": "A runner came online",
	"storage.full": "Uploads wait for space",
	"coverage.gap": "A session was not recorded",
};

/** Asks where to send which events. A new webhook's secret is shown once. @param webhook null for a new one. */
export function WebhookDialog({
	webhook,
	open,
	onOpenChange,
	...content
}: { webhook: Webhook | null } & Omit<DialogControl, "onCloseAutoFocus"> & Partial<DialogControl>) {
	const close = () => onOpenChange(false);
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead
					title={webhook === null ? "Add webhook" : "Change webhook"}
					description="Tapedeck sends a signed POST request to this URL for each event."
				/>
				{!open ? null : webhook === null ? (
					<AddSteps onDone={close} />
				) : (
					<ChangeForm webhook={webhook} onDone={close} />
				)}
			</DialogContent>
		</DialogRoot>
	);
}

/** First the form, then the secret. */
function AddSteps({ onDone }: { onDone(): void }) {
	const [created, setCreated] = useState<NewWebhook | null>(null);
	const create = useCreateWebhook();
	const form = useServerForm<WebhookValues>({ url: "", events: ["test.failed"], q: "" }, async (values) =>
		setCreated(await create.mutateAsync(values)),
	);
	if (created === null) return <WebhookFields form={form} action="Add webhook" />;
	return <WebhookSecret webhook={created} onDone={onDone} />;
}

/** @param webhook with the secret that is shown this once. */
export const WebhookSecret = ({ webhook, onDone }: { webhook: NewWebhook; onDone(): void }) => (
	<NewSecret
		created={{ name: "the signing secret", secret: webhook.secret }}
		label="Copy the signing secret"
		onDone={onDone}
	>
		<p className="text-sm text-muted">Your receiver verifies the header webhook-signature with it.</p>
	</NewSecret>
);

function ChangeForm({ webhook, onDone }: { webhook: Webhook; onDone(): void }) {
	const change = useChangeWebhook();
	const values = { url: webhook.url, events: webhook.events, q: webhook.q ?? "" };
	const form = useServerForm<WebhookValues>(values, async (entered) => {
		await change.mutateAsync({ id: webhook.id, ...entered });
		toast.success("Webhook changed.");
		onDone();
	});
	return <WebhookFields form={form} action="Save webhook" />;
}

function WebhookFields({ form, action }: { form: ServerForm<WebhookValues>; action: string }) {
	return (
		<form {...form.props} className="flex min-h-0 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				<FormError message={form.error} />
				<InputField
					form={form}
					name="url"
					label="URL"
					inputMode="url"
					autoComplete="off"
					spellCheck={false}
					placeholder="https://example.com/hooks"
				/>
				<EventFields form={form} />
				<InputField
					form={form}
					name="q"
					label="Only for"
					hint="A search, such as branch:main or new:yes. Jobs, recordings, tests and builds that it does not find are left out."
					autoComplete="off"
					spellCheck={false}
					placeholder="Everything"
				/>
			</div>
			<div className="flex justify-end border-t border-line px-5 py-3">
				<SubmitButton form={form} variant="primary">
					{action}
				</SubmitButton>
			</div>
		</form>
	);
}

/** One checkbox for each event. */
function EventFields({ form }: { form: ServerForm<WebhookValues> }) {
	const { field } = useController({
		control: form.control,
		name: "events",
		rules: { validate: (events) => events.length > 0 || "Choose at least one event." },
	});
	return (
		<CheckboxGroup
			legend="Events"
			labels={EVENT_LABELS}
			chosen={field.value}
			onChange={field.onChange}
			firstRef={field.ref}
			error={form.errorOf("events")}
		/>
	);
}
