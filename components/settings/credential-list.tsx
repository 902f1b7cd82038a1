"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { type CredentialKind, useRevokeCredential } from "#lib/client/credentials.ts";
import { quoted } from "#lib/client/format.ts";
import { Rows } from "./section.tsx";

interface Named {
	id: number;
	name: string;
}

interface Props<T extends Named> {
	kind: CredentialKind;
	/** Accessible name of the list. */
	label: string;
	list: { data?: T[]; isPending: boolean; error: Error | null };
	/** Effects of revoking, shown before it happens. */
	effect: string;
	/** Below the name. */
	children(credential: T): ReactNode;
	/** Buttons before `Revoke`. */
	actions?(credential: T): ReactNode;
}

/** API keys or runner tokens, one per row, each with the button that revokes it. */
export function CredentialList<T extends Named>({ kind, label, list, effect, children, actions }: Props<T>) {
	const [revoking, setRevoking] = useState<Named | null>(null);
	const revoke = useRevokeCredential(kind);
	const confirmed = () => {
		if (revoking === null) return;
		void toastOutcome(revoke.mutateAsync(revoking.id), {
			done: `Revoked ${quoted(revoking.name)}.`,
			failed: `Couldn't revoke ${quoted(revoking.name)}.`,
		}).then(() => setRevoking(null));
	};
	return (
		<div className="mt-3">
			<Rows label={label} list={list} none="None yet." keyOf={({ id }) => id}>
				{(credential) => (
					<>
						<div className="min-w-0 flex-1">
							<p className="truncate text-sm font-medium">{credential.name}</p>
							{children(credential)}
						</div>
						<div className="flex shrink-0 gap-2">
							{actions?.(credential)}
							<Button
								size="small"
								variant="danger"
								aria-label={`Revoke ${credential.name}`}
								onClick={() => setRevoking(credential)}
							>
								Revoke
							</Button>
						</div>
					</>
				)}
			</Rows>
			<ConfirmDialog
				open={revoking !== null}
				onOpenChange={(open) => (open ? undefined : setRevoking(null))}
				title={`Revoke ${quoted(revoking?.name ?? "")}?`}
				action="Revoke"
				busy={revoke.isPending}
				onConfirm={confirmed}
			>
				{effect}
			</ConfirmDialog>
		</div>
	);
}

interface NewSecretProps {
	created: { name: string; secret: string };
	/** Label of the copy button. */
	label: string;
	/** Further notes. */
	children?: ReactNode;
	onDone(): void;
}

/** The last step of a dialog, and the only time that a secret is shown. */
export function NewSecret({ created: { name, secret }, label, children, onDone }: NewSecretProps) {
	return (
		<div className="flex flex-col gap-4 p-5">
			<div role="status">
				<p className="mb-1 text-sm">Copy {quoted(name)} now. It's shown only once.</p>
				<CodeBlock text={secret} label={label} />
			</div>
			{children}
			<div className="flex justify-end">
				<Button variant="primary" onClick={onDone}>
					Done
				</Button>
			</div>
		</div>
	);
}
