"use client";

import type { NewRunnerToken } from "@tapedeck/contract/credential.ts";
import { useState } from "react";
import { NEW_TOKEN, tokenBody } from "#components/runners/token-limits.ts";
import { TokenLimitsFields } from "#components/runners/token-limits-fields.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { NewSecret } from "./credential-list.tsx";

/** Asks for name and limits of a new runner token, then shows its secret once. */
export function CreateRunnerTokenDialog({ open, onOpenChange, ...content }: DialogControl) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead title="Create runner token" description="Runners of this organization sign in with it." />
				{open ? <Steps onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

/** First the form, then the secret. */
function Steps({ onDone }: { onDone(): void }) {
	const [created, setCreated] = useState<NewRunnerToken | null>(null);
	if (created === null) return <CreateRunnerTokenForm onCreated={setCreated} />;
	return <NewSecret created={created} label="Copy the runner token" onDone={onDone} />;
}

function CreateRunnerTokenForm({ onCreated }: { onCreated(token: NewRunnerToken): void }) {
	const create = useCreateRunnerToken();
	const form = useServerForm(NEW_TOKEN, async (values) =>
		onCreated(await create.mutateAsync(tokenBody(values, Date.now()))),
	);
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
				<TokenLimitsFields form={form} />
			</div>
			<div className="flex justify-end border-t border-line px-5 py-3">
				<SubmitButton form={form} variant="primary">
					Create token
				</SubmitButton>
			</div>
		</form>
	);
}
