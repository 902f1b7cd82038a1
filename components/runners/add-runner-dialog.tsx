"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogPlace } from "#components/ui/dialog-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { addRunnerTexts as texts } from "#lib/texts/runner-actions.ts";
import { AddRunnerCommands } from "./add-runner-commands.tsx";

/** A name, then the one command to paste. */
export function AddRunnerDialog({ open, onOpenChange, ...content }: DialogPlace) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead title={texts.title} description={texts.description} />
				{open ? <Steps onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function Steps({ onDone }: { onDone(): void }) {
	const create = useCreateRunnerToken();
	const [name, setName] = useState("");
	const fault = create.error instanceof ApiError ? create.error.faults.find((one) => one.path === "name") : undefined;

	if (create.data) return <AddRunnerCommands token={create.data.secret} name={create.data.name} onDone={onDone} />;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!create.isPending) create.mutate(name.trim());
	};
	return (
		<form onSubmit={submit} noValidate className="flex flex-col gap-4 p-5">
			{create.error && !fault ? (
				<Notice tone="danger" alert>
					{wordsOf(create.error)}
				</Notice>
			) : null}
			<Field label={texts.name} hint={texts.nameHint} error={fault?.message}>
				{(control) => (
					<input
						{...control}
						value={name}
						maxLength={100}
						autoComplete="off"
						placeholder={texts.namePlaceholder}
						onChange={(event) => setName(event.target.value)}
					/>
				)}
			</Field>
			<div className="flex justify-end">
				<Button type="submit" look="primary" aria-disabled={create.isPending}>
					{texts.make}
				</Button>
			</div>
		</form>
	);
}
