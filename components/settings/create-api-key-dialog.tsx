"use client";

import { useId, useState } from "react";
import { useController, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { FormError, InputField, SelectField, type ServerForm, useServerForm } from "#components/ui/form.tsx";
import { useCreateApiKey } from "#lib/client/credentials.ts";
import { EXPIRIES, type ExpiryChoice, expiresAtOf } from "#lib/client/key-expiry.ts";
import type { NewApiKey } from "#lib/contract/credential.ts";
import { SCOPES, type Scope } from "#lib/contract/permissions.ts";
import { NewSecret } from "./credential-list.tsx";

/** Asks for name, scopes and expiry of a new API key, then shows its secret once. */
export function CreateApiKeyDialog({ open, onOpenChange, ...content }: DialogControl) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead
					title="Create API key"
					description="It acts for this organization and stops working when you leave it."
				/>
				{open ? <CreateApiKeySteps onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

/** First the form, then the secret. */
function CreateApiKeySteps({ onDone }: { onDone(): void }) {
	const [created, setCreated] = useState<NewApiKey | null>(null);
	if (created === null) return <CreateApiKeyForm onCreated={setCreated} />;
	return (
		<div className="flex flex-col gap-4 p-5">
			<NewSecret name={created.name} secret={created.secret} label="Copy the API key" />
			<div className="flex justify-end">
				<Button variant="primary" onClick={onDone}>
					Done
				</Button>
			</div>
		</div>
	);
}

interface ApiKeyValues {
	name: string;
	scopes: Scope[];
	expiry: ExpiryChoice;
	/** The last day the key works, with the expiry `date`; named as in the API's body, whose faults belong here. */
	expiresAt: string;
}
const NEW_KEY: ApiKeyValues = { name: "", scopes: [...SCOPES], expiry: "90", expiresAt: "" };

const EXPIRY_LABELS: Record<ExpiryChoice, string> = {
	30: "In 30 days",
	90: "In 90 days",
	365: "In 365 days",
	date: "After a date",
	never: "Never",
};

function CreateApiKeyForm({ onCreated }: { onCreated(key: NewApiKey): void }) {
	const create = useCreateApiKey();
	const form = useServerForm(NEW_KEY, async ({ name, scopes, expiry, expiresAt: day }) => {
		const expiresAt = expiresAtOf(expiry, day, Date.now()) ?? null;
		onCreated(await create.mutateAsync({ name, scopes, expiresAt }));
	});
	const expiry = useWatch({ control: form.control, name: "expiry" });
	return (
		<form {...form.props} className="flex min-h-0 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				<FormError message={form.error} />
				<InputField
					form={form}
					name="name"
					label="Name"
					maxLength={100}
					autoComplete="off"
					placeholder="What is it for?"
				/>
				<ScopeFields form={form} />
				<div className="grid gap-4 sm:grid-cols-2">
					<SelectField form={form} name="expiry" label="Expires">
						{EXPIRIES.map((choice) => (
							<option key={choice} value={choice}>
								{EXPIRY_LABELS[choice]}
							</option>
						))}
					</SelectField>
					{expiry === "date" ? <LastDayField form={form} /> : null}
				</div>
			</div>
			<div className="flex justify-end border-t border-line px-5 py-3">
				<Button type="submit" variant="primary" aria-disabled={form.busy}>
					Create key
				</Button>
			</div>
		</form>
	);
}

function LastDayField({ form }: { form: ServerForm<ApiKeyValues> }) {
	return (
		<InputField
			form={form}
			name="expiresAt"
			label="Last day"
			type="date"
			rules={{
				shouldUnregister: true,
				validate: (day) =>
					expiresAtOf("date", String(day), Date.now()) === undefined ? "Choose a day in the future." : true,
			}}
		/>
	);
}

const SCOPE_LABELS: Record<Scope, string> = {
	"jobs:read": "View jobs and their events",
	"jobs:write": "Create and cancel jobs",
	"recordings:read": "View and download recordings",
	"recordings:write": "Upload, pin and delete recordings",
	"runners:read": "View runners",
	"runners:write": "Manage runners",
	"metrics:read": "Read metrics",
};

/** What a key may do, one checkbox per scope. */
function ScopeFields({ form }: { form: ServerForm<ApiKeyValues> }) {
	const errorId = useId();
	const { field } = useController({
		control: form.control,
		name: "scopes",
		rules: { validate: (scopes) => scopes.length > 0 || "Choose at least one scope." },
	});
	const error = form.errorOf("scopes");
	return (
		<fieldset aria-describedby={error === undefined ? undefined : errorId}>
			<legend className="text-sm font-medium">Scopes</legend>
			<div className="mt-1 grid gap-x-4 sm:grid-cols-2">
				{SCOPES.map((scope, at) => (
					<label key={scope} className="flex items-center gap-1 py-0.5 text-sm">
						<input
							type="checkbox"
							ref={at === 0 ? field.ref : undefined}
							className="checkbox -ms-2"
							checked={field.value.includes(scope)}
							onChange={({ target }) =>
								field.onChange(target.checked ? [...field.value, scope] : field.value.filter((each) => each !== scope))
							}
						/>
						<span className="min-w-0">
							<span className="block leading-tight">{SCOPE_LABELS[scope]}</span>
							<code className="text-xs text-muted">{scope}</code>
						</span>
					</label>
				))}
			</div>
			{error === undefined ? null : (
				<p id={errorId} role="alert" className="mt-1 text-xs text-danger">
					{error}
				</p>
			)}
		</fieldset>
	);
}
