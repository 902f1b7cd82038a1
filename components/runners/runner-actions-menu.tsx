"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { Copy, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { copyText } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogDescription, DialogHead, DialogRoot, DialogTitle } from "#components/ui/dialog.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { counted, isolated } from "#lib/client/format.ts";
import { applyRunner, forgetRunner } from "#lib/client/runners.ts";

async function copyId(id: number): Promise<void> {
	if (await copyText(String(id))) toast.success(`Copied runner ID ${id}.`);
	else toast.error(`Your browser blocked copying. The runner ID is ${id}.`);
}

/** The menu of a runner's card, with the actions the user has permission for. Loaded when its button is approached. */
export function RunnerActionsMenu({ runner, ...control }: MenuControl & { runner: Runner }) {
	const [dialog, setDialog] = useState<"rename" | "remove" | null>(null);
	const mayRename = useCan("runners:rename");
	const mayRemove = useCan("runners:manage");
	const onOpenChange = (open: boolean) => setDialog((current) => (open ? current : null));
	return (
		<>
			<MenuPanel {...control}>
				{mayRename ? (
					<MenuItem onSelect={() => setDialog("rename")}>
						<Pencil aria-hidden />
						Rename
					</MenuItem>
				) : null}
				<MenuItem onSelect={() => void copyId(runner.id)}>
					<Copy aria-hidden />
					Copy runner ID
				</MenuItem>
				{mayRemove ? (
					<>
						<MenuSeparator />
						<MenuItem danger onSelect={() => setDialog("remove")}>
							<Trash2 aria-hidden />
							Remove
						</MenuItem>
					</>
				) : null}
			</MenuPanel>
			<RenameDialog runner={runner} open={dialog === "rename"} onOpenChange={onOpenChange} />
			<RemoveDialog runner={runner} open={dialog === "remove"} onOpenChange={onOpenChange} />
		</>
	);
}

interface DialogProps {
	runner: Runner;
	open: boolean;
	onOpenChange(open: boolean): void;
}

function RenameDialog({ runner, open, onOpenChange }: DialogProps) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent
				narrow
				onOpenAutoFocus={(event) => {
					event.preventDefault();
					(event.currentTarget as HTMLElement).querySelector("input")?.focus();
				}}
			>
				<DialogHead
					title={`Rename ${isolated(runner.name)}`}
					description="The name shown to everyone. Nothing changes on the machine: it stays the same runner."
				/>
				{open ? <RenameForm runner={runner} onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function RenameForm({ runner, onDone }: { runner: Runner; onDone(): void }) {
	const rename = useRenameRunner();
	const form = useServerForm({ name: runner.name }, async ({ name }) => {
		const renamed = await rename.mutateAsync({ id: runner.id, name });
		toast.success(`Renamed to ${isolated(renamed.name)}.`);
		onDone();
	});
	return (
		<form {...form.props} className="flex flex-col gap-4 p-5">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="name"
				label="Name"
				maxLength={100}
				autoComplete="off"
				onFocus={(event) => event.target.select()}
			/>
			<div className="flex justify-end gap-2">
				<Button onClick={onDone}>Cancel</Button>
				<SubmitButton form={form} variant="primary">
					Save name
				</SubmitButton>
			</div>
		</form>
	);
}

/** Says what removing the runner means right now, and asks. */
function RemoveDialog({ runner, open, onOpenChange }: DialogProps) {
	const remove = useRemoveRunner();
	const confirm = () => {
		void toastOutcome(remove.mutateAsync(runner.id), {
			done: `Removed ${isolated(runner.name)}.`,
			failed: `Couldn't remove ${isolated(runner.name)}.`,
		});
		onOpenChange(false);
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow>
				<div className="overflow-y-auto p-5">
					<DialogTitle className="text-lg font-semibold break-words">{`Remove ${isolated(runner.name)}?`}</DialogTitle>
					<DialogDescription className="mt-1 text-sm text-muted">You can't undo this.</DialogDescription>
					<ul className="mt-3 flex list-disc flex-col gap-1.5 ps-5 text-sm">
						{consequencesOf(runner).map((sentence) => (
							<li key={sentence}>{sentence}</li>
						))}
					</ul>
					<div className="mt-5 flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>Cancel</Button>
						<Button variant="danger" onClick={confirm}>
							Remove runner
						</Button>
					</div>
				</div>
			</DialogContent>
		</DialogRoot>
	);
}

function consequencesOf({ state, waitingJobIds: { length: waiting }, runningJobIds: { length: running } }: Runner) {
	const online = state === "online";
	const sentences: string[] = [];
	if (waiting > 0) sentences.push(`${counted(waiting, "waiting job fails", "waiting jobs fail")}.`);
	if (running > 0 && online) {
		sentences.push(
			`${counted(running, "recording stops and fails", "recordings stop and fail")}. The video captured so far is uploaded first.`,
		);
	}
	if (running > 0 && !online) {
		sentences.push(`${counted(running, "running job fails", "running jobs fail")}. The video uploaded so far is kept.`);
	}
	sentences.push(
		online ? "The runner process exits." : "Video that it recorded and hasn't uploaded is lost.",
		"Jobs and recordings are kept under its name.",
		"Its token still works: if restarted with it, the machine returns as a new runner. To block it, revoke the token in Settings.",
	);
	return sentences;
}

/** Changes a runner's display name. */
function useRenameRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: ({ id, name }: { id: number; name: string }) =>
			call<Runner>("PATCH", `/v1/runners/${id}`, { body: { name } }),
		onSuccess: (runner) => applyRunner(client, runner),
	});
}

/** Removes a runner for good. */
function useRemoveRunner() {
	const client = useQueryClient();
	return useMutation({
		mutationFn: (id: number) => call<void>("DELETE", `/v1/runners/${id}`),
		onSuccess: (_nothing, id) => forgetRunner(client, id),
	});
}
