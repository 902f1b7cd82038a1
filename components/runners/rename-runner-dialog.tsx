"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { toast } from "#components/ui/toast.ts";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { useRenameRunner } from "#lib/client/runners.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { renameTexts as texts } from "#lib/texts/runner-actions.ts";

interface Props {
	runner: Runner;
	open: boolean;
	onOpenChange(open: boolean): void;
}

/** Asks for the name that a runner shall have. */
export function RenameRunnerDialog({ runner, open, onOpenChange }: Props) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent
				narrow
				onOpenAutoFocus={(event) => {
					event.preventDefault();
					(event.currentTarget as HTMLElement).querySelector("input")?.focus();
				}}
			>
				<DialogHead title={texts.title(runner.name)} description={texts.description} />
				{open ? <Form runner={runner} onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function Form({ runner, onDone }: { runner: Runner; onDone(): void }) {
	const rename = useRenameRunner();
	const [name, setName] = useState(runner.name);
	const fault = rename.error instanceof ApiError ? rename.error.faults.find((one) => one.path === "name") : undefined;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (rename.isPending) return;
		rename.mutate(
			{ id: runner.id, name },
			{
				onSuccess: (renamed) => {
					toast.success(texts.renamed(renamed.name));
					onDone();
				},
			},
		);
	};
	return (
		<form onSubmit={submit} noValidate className="flex flex-col gap-4 p-5">
			{rename.error && !fault ? (
				<Notice tone="danger" alert>
					{wordsOf(rename.error)}
				</Notice>
			) : null}
			<Field label={texts.name} error={fault?.message}>
				{(control) => (
					<input
						{...control}
						value={name}
						maxLength={100}
						autoComplete="off"
						onFocus={(event) => event.target.select()}
						onChange={(event) => setName(event.target.value)}
					/>
				)}
			</Field>
			<div className="flex justify-end gap-2">
				<Button onClick={onDone}>{texts.cancel}</Button>
				<Button type="submit" look="primary" aria-disabled={rename.isPending}>
					{texts.save}
				</Button>
			</div>
		</form>
	);
}
