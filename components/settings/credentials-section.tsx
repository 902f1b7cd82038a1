"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import {
	type CredentialKind,
	credentialsQuery,
	useCreateCredential,
	useRevokeCredential,
} from "#lib/client/settings.ts";
import type { Credential } from "#lib/contract/credential.ts";
import { Section } from "./section.tsx";

interface Props {
	kind: CredentialKind;
	title: string;
	intro: ReactNode;
	/** What one of them is called in a sentence. */
	noun: string;
}

/** API keys or runner tokens: list, make one (its secret is shown once), revoke. */
export function CredentialsSection({ kind, title, intro, noun }: Props) {
	const list = useQuery(credentialsQuery(kind));
	const [leaving, setLeaving] = useState<Credential | null>(null);
	const revoke = useRevokeCredential(kind);

	return (
		<Section title={title} intro={intro}>
			<CreateCredential kind={kind} noun={noun} />
			<div className="mt-3 overflow-hidden rounded-lg border border-line bg-surface">
				{list.isError ? <Notice tone="danger">They could not be loaded. {wordsOf(list.error)}</Notice> : null}
				{list.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
				{list.data?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">None yet.</p> : null}
				<ul aria-label={title} className="divide-y divide-line">
					{list.data?.map((credential) => (
						<li key={credential.id} className="flex items-center justify-between gap-3 px-4 py-2.5">
							<div className="min-w-0">
								<p className="truncate text-sm font-medium">{credential.name}</p>
								<p className="text-xs text-muted tabular-nums">
									<code>{credential.prefix}…</code> · made <TimeAgo at={credential.createdAt} /> ·{" "}
									{credential.lastUsedAt === null ? (
										"never used"
									) : (
										<>
											used <TimeAgo at={credential.lastUsedAt} />
										</>
									)}
								</p>
							</div>
							<Button
								size="small"
								look="danger"
								aria-label={`Revoke ${credential.name}`}
								onClick={() => setLeaving(credential)}
							>
								Revoke
							</Button>
						</li>
					))}
				</ul>
			</div>
			<ConfirmDialog
				open={leaving !== null}
				onOpenChange={(open) => (open ? undefined : setLeaving(null))}
				title={`Revoke “${leaving?.name ?? ""}”?`}
				action="Revoke"
				busy={revoke.isPending}
				onConfirm={() => {
					if (leaving === null) return;
					revoke.mutate(leaving.id, {
						onSuccess: () => toast.success(`Revoked “${leaving.name}”.`),
						onError: (error) => toast.error(`“${leaving.name}” was not revoked. ${wordsOf(error)}`),
						onSettled: () => setLeaving(null),
					});
				}}
			>
				Whatever uses this {noun} is turned away from now on. It cannot be brought back.
			</ConfirmDialog>
		</Section>
	);
}

function CreateCredential({ kind, noun }: Pick<Props, "kind" | "noun">) {
	const [name, setName] = useState("");
	const create = useCreateCredential(kind);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (create.isPending) return;
		create.mutate(name.trim(), { onSuccess: () => setName("") });
	};
	return (
		<div className="flex flex-col gap-3">
			<form onSubmit={submit} noValidate className="flex gap-2">
				<input
					aria-label={`Name of the new ${noun}`}
					aria-invalid={create.isError || undefined}
					placeholder="What is it for?"
					className={inputClass(create.isError, "max-w-72")}
					value={name}
					maxLength={100}
					autoComplete="off"
					onChange={(event) => setName(event.target.value)}
				/>
				<Button type="submit" aria-disabled={create.isPending}>
					Create {noun}
				</Button>
			</form>
			{create.isError ? (
				<Notice tone="danger" alert>
					{wordsOf(create.error)}
				</Notice>
			) : null}
			{create.data ? (
				<div role="status">
					<p className="mb-1 text-sm">Here is “{create.data.name}”. Copy it now: it is shown only this once.</p>
					<CodeBlock text={create.data.secret} label={`Copy the ${noun}`} />
				</div>
			) : null}
		</div>
	);
}
