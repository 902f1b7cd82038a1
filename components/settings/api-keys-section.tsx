"use client";

import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "@tapedeck/contract/credential.ts";
import { SCOPES, scopesOfRole } from "@tapedeck/contract/permissions.ts";
import { Plus } from "lucide-react";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { apiKeysQuery } from "#lib/client/credentials.ts";
import { formatExact, withArticle } from "#lib/client/format.ts";
import { CreateApiKeyDialog } from "./create-api-key-dialog.tsx";
import { CredentialList } from "./credential-list.tsx";
import { Section } from "./section.tsx";

/** Keys that scripts authenticate with: created, listed with their use, revoked. */
export function ApiKeysSection() {
	const list = useQuery(apiKeysQuery());
	const intro = (
		<>
			Send one as <code className="text-xs">Authorization: Bearer …</code>. See the{" "}
			<a href="/docs" className="text-accent underline underline-offset-2">
				API docs
			</a>{" "}
			for what each scope allows.
		</>
	);
	return (
		<Section title="API keys" intro={intro}>
			<DialogButton dialog={(control) => <CreateApiKeyDialog {...control} />}>
				<Plus aria-hidden className="size-4" />
				Create API key
			</DialogButton>
			<CredentialList
				kind="api-keys"
				label="API keys"
				list={list}
				effect="Calls with this API key are refused from now on. You can't undo this."
			>
				{(key) => <ApiKeyDetails apiKey={key} />}
			</CredentialList>
		</Section>
	);
}

function ApiKeyDetails({ apiKey }: { apiKey: ApiKey }) {
	const { prefix, createdAt, createdBy, lastUsedAt, expiresAt } = apiKey;
	return (
		<>
			<p className="text-xs text-muted tabular-nums">
				<code>{prefix}…</code> · created <TimeAgo at={createdAt} />
				{createdBy === null ? null : ` by ${createdBy.name}`}
				{" · "}
				{lastUsedAt === null ? (
					"never used"
				) : (
					<>
						last used <TimeAgo at={lastUsedAt} />
					</>
				)}
				{" · "}
				<Expiry at={expiresAt} />
			</p>
			<KeyScopes apiKey={apiKey} />
		</>
	);
}

function Expiry({ at }: { at: string | null }) {
	const now = useNow();
	if (at === null) return "never expires";
	const exact = <time dateTime={at}>{formatExact(at)}</time>;
	if (Date.parse(at) > now) return <>expires {exact}</>;
	return <span className="font-medium text-danger">expired {exact}</span>;
}

function KeyScopes({ apiKey: { scopes, capabilities, createdBy } }: { apiKey: ApiKey }) {
	const allowed = createdBy === null ? SCOPES : scopesOfRole(createdBy.role);
	const limited = createdBy !== null && scopes.some((scope) => !allowed.includes(scope));
	const chip = "rounded-full bg-inset px-2 py-0.5 font-mono text-xs text-muted";
	return (
		<>
			<ul aria-label="Scopes" className="mt-1 flex flex-wrap gap-1">
				{scopes.length === SCOPES.length ? (
					<li className={chip}>all scopes</li>
				) : (
					scopes.map((scope) => (
						<li key={scope} className={chip}>
							{scope}
						</li>
					))
				)}
			</ul>
			{capabilities === null ? null : (
				<p className="mt-1 text-xs text-muted">{`May only ${capabilities.join(", ")}`}</p>
			)}
			{limited ? (
				<p className="mt-1 text-xs text-warn">Limited: its creator is now {withArticle(createdBy.role)}.</p>
			) : null}
		</>
	);
}
