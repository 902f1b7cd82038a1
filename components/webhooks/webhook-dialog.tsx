"use client";

import type { NewWebhook, Webhook } from "@tapedeck/contract/webhook.ts";
import type { ChatKind, WebhookEvent, WebhookKind } from "@tapedeck/contract/webhook-events.ts";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { NewSecret } from "#components/settings/credential-list.tsx";
import { CheckboxGroup } from "#components/ui/checkbox-group.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import {
	FormError,
	InputField,
	SelectField,
	type ServerForm,
	SubmitButton,
	useServerForm,
} from "#components/ui/form.tsx";
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

export const KIND_LABELS: Record<WebhookKind, string> = {
	standard: "A program of yours",
	slack: "Slack",
	teams: "Microsoft Teams",
	mattermost: "Mattermost",
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
					description="Tapedeck sends a signed POST request for each event, or a message to a chat when a build has ended."
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
	const values: Entered = { ...NO_TOKEN, kind: "standard", url: "", events: ["test.failed"], q: "", onlyNew: false };
	const form = useServerForm<Entered>(values, async (entered) => {
		const created = await create.mutateAsync(asBody(entered));
		// Chats do not verify signatures.
		if (created.kind === "standard") return setCreated(created);
		toast.success("Webhook added. Send a test to see that it works.");
		onDone();
	});
	if (created === null) return <WebhookFields form={form} action="Add webhook" isNew />;
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
	const { kind, url, events, q, onlyNew, hasBotToken } = webhook;
	const values = { ...NO_TOKEN, kind, url, events, q: q ?? "", onlyNew };
	const form = useServerForm<Entered>(values, async (entered) => {
		const { kind: _, ...changes } = asBody(entered);
		await change.mutateAsync({ id: webhook.id, ...changes });
		toast.success("Webhook changed.");
		onDone();
	});
	return <WebhookFields form={form} action="Save webhook" hasBotToken={hasBotToken} />;
}

const CHAT_HINTS: Record<ChatKind, string> = {
	slack: "Use the URL of an incoming webhook of a Slack app.",
	teams: "Use the URL of a workflow that posts to a channel when a webhook request is received.",
	mattermost: "Use the URL of an incoming webhook.",
};

/** The values of the form. Without a token and a check, the stored token stays. */
type Entered = Omit<WebhookValues, "botToken"> & { botToken: string; removesBotToken: boolean };
const NO_TOKEN = { botToken: "", removesBotToken: false };

function asBody({ botToken, removesBotToken, ...values }: Entered): WebhookValues {
	if (values.kind === "standard") return values;
	const body: WebhookValues = { ...values, events: ["build.finished"] };
	if (values.kind !== "slack" || (botToken === "" && !removesBotToken)) return body;
	return { ...body, botToken: botToken === "" ? null : botToken };
}

interface FieldsProps {
	form: ServerForm<Entered>;
	action: string;
	/** Whether the kind can be chosen: it stays. */
	isNew?: boolean;
	hasBotToken?: boolean;
}

function WebhookFields({ form, action, isNew = false, hasBotToken = false }: FieldsProps) {
	const [kind, events] = useWatch({ control: form.control, name: ["kind", "events"] });
	const isStandard = kind === "standard";
	return (
		<form {...form.props} className="flex min-h-0 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				<FormError message={form.error} />
				{isNew ? (
					<SelectField form={form} name="kind" label="Send to" hint={isStandard ? undefined : CHAT_HINTS[kind]}>
						{Object.entries(KIND_LABELS).map(([value, label]) => (
							<option key={value} value={value}>
								{label}
							</option>
						))}
					</SelectField>
				) : null}
				<InputField
					form={form}
					name="url"
					label="URL"
					inputMode="url"
					autoComplete="off"
					spellCheck={false}
					placeholder="https://example.com/hooks"
				/>
				{isStandard ? <EventFields form={form} /> : null}
				{kind === "slack" ? <BotTokenFields form={form} hasBotToken={hasBotToken} /> : null}
				{isStandard && !events.includes("build.finished") ? null : (
					<label className="flex items-center gap-1 text-sm">
						<input
							type="checkbox"
							className="checkbox -ms-2"
							defaultChecked={form.values.onlyNew}
							{...form.register("onlyNew")}
						/>
						Leave out builds without new failures
					</label>
				)}
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

/** Fields of the bot's token, with which messages show the frames of failures. */
const BotTokenFields = ({ form, hasBotToken }: { form: ServerForm<Entered>; hasBotToken: boolean }) => (
	<>
		<InputField
			form={form}
			name="botToken"
			type="password"
			label="Bot token (optional)"
			hint="A token of the same Slack app with the scope files:write. The message then shows the frame of each new failure."
			autoComplete="off"
			spellCheck={false}
			placeholder={hasBotToken ? "Stored. Enter another one to replace it." : "xoxb-…"}
		/>
		{hasBotToken ? (
			<label className="flex items-center gap-1 text-sm">
				<input type="checkbox" className="checkbox -ms-2" {...form.register("removesBotToken")} />
				Remove the bot token
			</label>
		) : null}
	</>
);

/** One checkbox for each event. */
const EventFields = ({ form }: { form: ServerForm<Entered> }) => (
	<CheckboxGroup
		form={form}
		name="events"
		legend="Events"
		labels={EVENT_LABELS}
		noneChosen="Choose at least one event."
	/>
);
