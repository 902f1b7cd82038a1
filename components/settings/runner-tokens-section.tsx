"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, useServerForm } from "#components/ui/form.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";
import { runnerTokensQuery, useCreateRunnerToken } from "#lib/client/credentials.ts";
import { formatExact } from "#lib/client/format.ts";
import type { Credential } from "#lib/contract/credential.ts";
import { CredentialList, NewSecret } from "./credential-list.tsx";
import { Section } from "./section.tsx";

const loadRotateToken = () => import("./rotate-token-dialog.tsx").then((module) => module.RotateTokenDialog);

/** What runners sign in with: created, rotated, revoked. */
export function RunnerTokensSection() {
	const list = useQuery(runnerTokensQuery());
	// Held here because the row's own button disappears with the rotation, before the new secret is shown.
	const [rotating, setRotating] = useState<Credential | null>(null);
	const [RotateTokenDialog, loadDialog] = useLazyModule(loadRotateToken);
	const rotate = async (token: Credential) => {
		if (await loadDialog()) setRotating(token);
	};
	return (
		<Section
			title="Runner tokens"
			intro="Runners sign in with a token. Revoking it disconnects its runners within seconds."
		>
			<CreateRunnerToken />
			<CredentialList
				kind="runner-tokens"
				label="Runner tokens"
				list={list}
				effect="Runners with this token are disconnected immediately. What they recorded and haven't uploaded stays on their disks. You can't undo this."
				actions={(token) =>
					token.expiresAt === null ? (
						<Button
							size="small"
							aria-label={`Rotate ${token.name}`}
							onPointerEnter={() => void loadDialog(true)}
							onFocus={() => void loadDialog(true)}
							onClick={() => void rotate(token)}
						>
							Rotate
						</Button>
					) : null
				}
			>
				{(token) => <TokenDetails token={token} />}
			</CredentialList>
			{RotateTokenDialog === null ? null : <RotateTokenDialog token={rotating} onClose={() => setRotating(null)} />}
		</Section>
	);
}

function TokenDetails({ token: { prefix, createdAt, lastUsedAt, expiresAt } }: { token: Credential }) {
	return (
		<p className="text-xs text-muted tabular-nums">
			<code>{prefix}…</code> · created <TimeAgo at={createdAt} />
			{" · "}
			{lastUsedAt === null ? (
				"never used"
			) : (
				<>
					last used <TimeAgo at={lastUsedAt} />
				</>
			)}
			{expiresAt === null ? null : (
				<span className="block text-warn">
					Replaced. Works until <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
				</span>
			)}
		</p>
	);
}

function CreateRunnerToken() {
	const create = useCreateRunnerToken();
	const form = useServerForm({ name: "" }, async ({ name }) => {
		await create.mutateAsync(name);
		form.reset();
	});
	return (
		<div className="flex flex-col gap-3">
			<form {...form.props} className="flex flex-col gap-3">
				<FormError message={form.error} />
				<div className="flex items-start gap-2">
					<InputField
						form={form}
						name="name"
						label="Name of the new runner token"
						maxLength={100}
						autoComplete="off"
						placeholder="What is it for?"
						className="w-72"
					/>
					<Button type="submit" aria-disabled={form.busy} className="mt-6">
						Create runner token
					</Button>
				</div>
			</form>
			{create.data ? (
				<NewSecret name={create.data.name} secret={create.data.secret} label="Copy the runner token" />
			) : null}
		</div>
	);
}
