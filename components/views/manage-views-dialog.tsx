"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { SavedView } from "@tapedeck/contract/view.ts";
import { Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { quoted } from "#lib/client/format.ts";
import { changeView, createView, deleteView } from "./views.ts";

/** Renames and deletes views. */
export function ManageViewsDialog(props: DialogControl & { views: readonly SavedView[] }) {
	const { views, open, onOpenChange, ...content } = props;
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow aria-describedby={undefined} {...content}>
				<DialogHead title="Views" />
				<div className="overflow-y-auto p-5">
					{views.length === 0 ? <p className="text-sm text-muted">No views yet.</p> : null}
					<ul aria-label="Views" className="flex flex-col gap-1">
						{views.map((view) => (
							<li key={view.id}>
								<View view={view} />
							</li>
						))}
					</ul>
				</div>
			</DialogContent>
		</DialogRoot>
	);
}

function View({ view }: { view: SavedView }) {
	const mayShare = useCan("recordings:write");
	const remove = useDeleteView();
	const [isRenaming, setRenaming] = useState(false);
	if (isRenaming) return <RenameForm view={view} onDone={() => setRenaming(false)} />;
	return (
		<div className="flex min-h-8 items-center gap-1">
			<span className="min-w-0 flex-1 truncate text-sm" title={view.name}>
				{view.name}
				{view.shared ? <span className="text-muted"> · organization</span> : null}
			</span>
			{mayShare || !view.shared ? (
				<>
					<Button
						variant="ghost"
						size="icon"
						aria-label={`Rename ${view.name}`}
						title="Rename"
						onClick={() => setRenaming(true)}
					>
						<Pencil aria-hidden className="size-4" />
					</Button>
					<Button
						variant="ghost"
						size="icon"
						aria-label={`Delete ${view.name}`}
						title="Delete"
						onClick={() => void remove(view)}
					>
						<Trash2 aria-hidden className="size-4" />
					</Button>
				</>
			) : null}
		</div>
	);
}

function RenameForm({ view, onDone }: { view: SavedView; onDone(): void }) {
	const client = useQueryClient();
	const [name, setName] = useState(view.name);
	const save = (event: FormEvent) => {
		event.preventDefault();
		if (name.trim() !== view.name) {
			void toastOutcome(changeView(client, view, { name }), { failed: `Couldn't rename ${quoted(view.name)}.` });
		}
		onDone();
	};
	return (
		<form onSubmit={save} className="flex items-center gap-1">
			<input
				// biome-ignore lint/a11y/noAutofocus: the field is what the button was pressed for
				autoFocus
				aria-label={`New name of ${view.name}`}
				maxLength={80}
				value={name}
				onChange={({ target }) => setName(target.value)}
				onFocus={({ target }) => target.select()}
				onKeyDown={(event) => {
					if (event.key !== "Escape") return;
					event.stopPropagation();
					onDone();
				}}
				className={inputClass(false, "flex-1")}
			/>
			<Button type="submit">Rename</Button>
		</form>
	);
}

/** Deletes at once; Undo saves the view again. */
function useDeleteView() {
	const client = useQueryClient();
	return (view: SavedView) => {
		const { page, name, query, shared } = view;
		const undo = () =>
			void toastOutcome(createView(client, { page, name, query, shared }), {
				failed: `Couldn't restore ${quoted(name)}.`,
			});
		return toastOutcome(deleteView(client, view), {
			done: () => void toast(`Deleted the view ${quoted(name)}.`, { action: { label: "Undo", onClick: undo } }),
			failed: `Couldn't delete ${quoted(name)}.`,
		});
	};
}
