"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { runnerTokensQuery, useCreateRunnerToken } from "#lib/client/credentials.ts";
import { formatExact } from "#lib/client/format.ts";
import type { Credential } from "#lib/contract/credential.ts";
import { credentialTexts as texts } from "#lib/texts/credentials.tsx";
import { CredentialList, NewSecret } from "./credential-list.tsx";
import { RotateTokenDialog } from "./rotate-token-dialog.tsx";
import { Section } from "./section.tsx";

/** What runners sign in with: made, rotated, revoked. */
export function RunnerTokensSection() {
	const list = useQuery(runnerTokensQuery());
	// Kept here: the row's own button goes with the rotation, and the secret is still to be shown.
	const [rotating, setRotating] = useState<Credential | null>(null);
	return (
		<Section title={texts.runnerTokens} intro={texts.runnerTokensIntro}>
			<CreateRunnerToken />
			<CredentialList
				kind="runner-tokens"
				label={texts.runnerTokens}
				list={list}
				effect={texts.revokeTokenEffect}
				actions={(token) =>
					token.expiresAt === null ? (
						<Button size="small" aria-label={texts.rotateOne(token.name)} onClick={() => setRotating(token)}>
							{texts.rotate}
						</Button>
					) : null
				}
			>
				{(token) => <TokenFacts token={token} />}
			</CredentialList>
			<RotateTokenDialog token={rotating} onClose={() => setRotating(null)} />
		</Section>
	);
}

function TokenFacts({ token }: { token: Credential }) {
	return (
		<p className="text-xs text-muted tabular-nums">
			<code>{token.prefix}…</code>
			{" · "}
			{texts.made(<TimeAgo at={token.createdAt} />)}
			{" · "}
			{token.lastUsedAt === null ? texts.neverUsed : texts.used(<TimeAgo at={token.lastUsedAt} />)}
			{token.expiresAt === null ? null : (
				<span className="block text-warn">
					{texts.endsOn(<time dateTime={token.expiresAt}>{formatExact(token.expiresAt)}</time>)}
				</span>
			)}
		</p>
	);
}

function CreateRunnerToken() {
	const [name, setName] = useState("");
	const create = useCreateRunnerToken();
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!create.isPending) create.mutate(name.trim(), { onSuccess: () => setName("") });
	};
	return (
		<div className="flex flex-col gap-3">
			<form onSubmit={submit} noValidate className="flex gap-2">
				<input
					aria-label={texts.tokenName}
					aria-invalid={create.isError || undefined}
					placeholder={texts.namePlaceholder}
					className={inputClass(create.isError, "max-w-72")}
					value={name}
					maxLength={100}
					autoComplete="off"
					onChange={(event) => setName(event.target.value)}
				/>
				<Button type="submit" aria-disabled={create.isPending}>
					{texts.createRunnerToken}
				</Button>
			</form>
			{create.isError ? (
				<Notice tone="danger" alert>
					{wordsOf(create.error)}
				</Notice>
			) : null}
			{create.data ? <NewSecret name={create.data.name} secret={create.data.secret} label={texts.copyToken} /> : null}
		</div>
	);
}
