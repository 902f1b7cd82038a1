"use client";

import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { type CredentialKind, useRevokeCredential } from "#lib/client/credentials.ts";
import { credentialTexts as texts } from "#lib/texts/credentials.tsx";

interface Named {
	id: number;
	name: string;
}

interface Props<T extends Named> {
	kind: CredentialKind;
	/** Accessible name of the list. */
	label: string;
	list: { data?: T[]; isPending: boolean; error: Error | null };
	/** What revoking one does, for the question before it. */
	effect: string;
	/** Below the name. */
	children(credential: T): ReactNode;
	/** Buttons before the one that revokes. */
	actions?(credential: T): ReactNode;
}

/** Keys or tokens, one a row, each with the button that revokes it. */
export function CredentialList<T extends Named>({ kind, label, list, effect, children, actions }: Props<T>) {
	const [leaving, setLeaving] = useState<Named | null>(null);
	const revoke = useRevokeCredential(kind);
	const confirmed = () => {
		if (leaving === null) return;
		revoke.mutate(leaving.id, {
			onSuccess: () => toast.success(texts.revoked(leaving.name)),
			onError: (error) => toast.error(texts.notRevoked(leaving.name, wordsOf(error))),
			onSettled: () => setLeaving(null),
		});
	};
	return (
		<div className="mt-3 overflow-hidden rounded-lg border border-line bg-surface">
			{list.error ? <Notice tone="danger">{texts.notLoaded(wordsOf(list.error))}</Notice> : null}
			{list.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
			{list.data?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">{texts.none}</p> : null}
			<ul aria-label={label} className="divide-y divide-line">
				{list.data?.map((credential) => (
					<li key={credential.id} className="flex items-center justify-between gap-3 px-4 py-2.5">
						<div className="min-w-0">
							<p className="truncate text-sm font-medium">{credential.name}</p>
							{children(credential)}
						</div>
						<div className="flex shrink-0 gap-2">
							{actions?.(credential)}
							<Button
								size="small"
								look="danger"
								aria-label={texts.revokeOne(credential.name)}
								onClick={() => setLeaving(credential)}
							>
								{texts.revoke}
							</Button>
						</div>
					</li>
				))}
			</ul>
			<ConfirmDialog
				open={leaving !== null}
				onOpenChange={(open) => (open ? undefined : setLeaving(null))}
				title={texts.revokeQuestion(leaving?.name ?? "")}
				action={texts.revoke}
				busy={revoke.isPending}
				onConfirm={confirmed}
			>
				{effect}
			</ConfirmDialog>
		</div>
	);
}

/** The only time that a secret is shown. */
export function NewSecret({ name, secret, label }: { name: string; secret: string; label: string }) {
	return (
		<div role="status">
			<p className="mb-1 text-sm">{texts.secretIs(name)}</p>
			<CodeBlock text={secret} label={label} />
		</div>
	);
}
