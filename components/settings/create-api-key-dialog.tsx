"use client";

import type { NewApiKey } from "@tapedeck/contract/credential.ts";
import { CAPABILITIES, type Capability, type Scope } from "@tapedeck/contract/permissions.ts";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { CapabilityFields } from "#components/runners/capability-fields.tsx";
import { capabilitiesBody } from "#components/runners/token-limits.ts";
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
import { useCreateApiKey } from "#lib/client/credentials.ts";
import { NewSecret } from "./credential-list.tsx";
import { EXPIRIES, type ExpiryChoice, expiresAtOf } from "./key-expiry.ts";
import { DEFAULT_SCOPES, ScopeFields, UseField } from "./scope-fields.tsx";

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
	return <NewSecret created={created} label="Copy the API key" onDone={onDone} />;
}

interface ApiKeyValues {
	name: string;
	scopes: Scope[];
	capabilities: Capability[];
	expiry: ExpiryChoice;
	/** The last day the key works, with the expiry `date`; named as in the API's body, whose faults belong here. */
	expiresAt: string;
}
const NEW_KEY: ApiKeyValues = {
	...{ name: "", scopes: [...DEFAULT_SCOPES], capabilities: [...CAPABILITIES] },
	...{ expiry: "90", expiresAt: "" },
};

const EXPIRY_LABELS: Record<ExpiryChoice, string> = {
	30: "In 30 days",
	90: "In 90 days",
	365: "In 365 days",
	date: "After a date",
	never: "Never",
};

function CreateApiKeyForm({ onCreated }: { onCreated(key: NewApiKey): void }) {
	const create = useCreateApiKey();
	const form = useServerForm(NEW_KEY, async ({ name, scopes, capabilities, expiry, expiresAt: day }) => {
		const expiresAt = expiresAtOf(expiry, day, Date.now()) ?? null;
		onCreated(await create.mutateAsync({ name, scopes, ...capabilitiesBody(capabilities), expiresAt }));
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
				<UseField form={form as unknown as ServerForm<{ scopes: Scope[] }>} />
				<ScopeFields form={form} />
				<KeyLimits form={form} />
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
				<SubmitButton form={form} variant="primary">
					Create key
				</SubmitButton>
			</div>
		</form>
	);
}

/** The choice of what the key may make within its scopes. It is folded at first, because most keys need no such limit. */
function KeyLimits({ form }: { form: ServerForm<ApiKeyValues> }) {
	const [isOpen, setOpen] = useState(false);
	// An error inside must be seen.
	const isShown = isOpen || form.errorOf("capabilities") !== undefined;
	return (
		<details className="text-sm" open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary className="cursor-pointer py-0.5 font-medium">Limits</summary>
			{isShown ? (
				<div className="mt-2">
					<p className="mb-2 text-xs text-muted">Within its scopes, the key does only what is checked here.</p>
					<CapabilityFields form={form} />
				</div>
			) : null}
		</details>
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
