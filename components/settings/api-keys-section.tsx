"use client";

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { apiKeysQuery } from "#lib/client/credentials.ts";
import { formatExact } from "#lib/client/format.ts";
import { type ApiKey, scopesOfRole } from "#lib/contract/credential.ts";
import { SCOPES } from "#lib/contract/organization.ts";
import { credentialTexts as texts } from "#lib/texts/credentials.tsx";
import { CreateApiKeyDialog } from "./create-api-key-dialog.tsx";
import { CredentialList } from "./credential-list.tsx";
import { Section } from "./section.tsx";

const docs = (label: string) => (
	<a href="/docs" className="text-accent underline underline-offset-2">
		{label}
	</a>
);

/** What scripts call with: made, seen, revoked. */
export function ApiKeysSection() {
	const list = useQuery(apiKeysQuery());
	return (
		<Section title={texts.apiKeys} intro={texts.apiKeysIntro(docs)}>
			<CreateApiKeyDialog />
			<CredentialList kind="api-keys" label={texts.apiKeys} list={list} effect={texts.revokeKeyEffect}>
				{(key) => <ApiKeyFacts apiKey={key} />}
			</CredentialList>
		</Section>
	);
}

function ApiKeyFacts({ apiKey }: { apiKey: ApiKey }) {
	const made = <TimeAgo at={apiKey.createdAt} />;
	const facts = [
		<code key="prefix">{apiKey.prefix}…</code>,
		apiKey.createdBy === null ? texts.made(made) : texts.madeBy(made, apiKey.createdBy.name),
		apiKey.lastUsedAt === null ? texts.neverUsed : texts.used(<TimeAgo at={apiKey.lastUsedAt} />),
		<Expiry key="expiry" at={apiKey.expiresAt} />,
	];
	return (
		<>
			<p className="text-xs text-muted tabular-nums">
				{facts.map((fact, at) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the facts of a key stand in one order
					<Fragment key={at}>
						{at > 0 ? " · " : null}
						{fact}
					</Fragment>
				))}
			</p>
			<Scopes apiKey={apiKey} />
		</>
	);
}

function Expiry({ at }: { at: string | null }) {
	const now = useNow();
	if (at === null) return texts.neverExpires;
	const exact = <time dateTime={at}>{formatExact(at)}</time>;
	if (Date.parse(at) > now) return texts.expiresOn(exact);
	return <span className="font-medium text-danger">{texts.expired(exact)}</span>;
}

function Scopes({ apiKey: { scopes, createdBy } }: { apiKey: ApiKey }) {
	const allowed = createdBy === null ? SCOPES : scopesOfRole(createdBy.role);
	const limited = createdBy !== null && scopes.some((scope) => !allowed.includes(scope));
	const chip = "rounded-full bg-inset px-2 py-0.5 font-mono text-xs text-muted";
	return (
		<>
			<ul aria-label={texts.scopes} className="mt-1 flex flex-wrap gap-1">
				{scopes.length === SCOPES.length ? (
					<li className={chip}>{texts.everything}</li>
				) : (
					scopes.map((scope) => (
						<li key={scope} className={chip}>
							{scope}
						</li>
					))
				)}
			</ul>
			{limited ? <p className="mt-1 text-xs text-warn">{texts.limitedBy(createdBy.role)}</p> : null}
		</>
	);
}
