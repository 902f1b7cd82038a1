"use client";

import { useQuery } from "@tanstack/react-query";
import type { ShareLink } from "@tapedeck/contract/link.ts";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ExactTime, TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { shareLinksQuery, useCreateShareLink, useRevokeShareLink } from "../links.ts";

const DAY_MS = 86_400_000;
const LIFETIMES = { 1: "In 1 day", 7: "In 7 days", 30: "In 30 days", never: "Never" };
type Lifetime = "1" | "7" | "30" | "never";

/** Creates links to a recording, and lists those that work. */
export const ShareForm = ({ recordingId }: { recordingId: number }) => (
	<>
		<CreateLink recordingId={recordingId} />
		<Links recordingId={recordingId} />
	</>
);

function CreateLink({ recordingId }: { recordingId: number }) {
	const [lifetime, setLifetime] = useState<Lifetime>("7");
	const create = useCreateShareLink(recordingId);
	const expiresAt = () =>
		lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
	return (
		<div className="flex flex-col gap-3">
			<div className="flex items-end gap-2">
				<Field label="Expires" className="w-40">
					{(control) => (
						<select {...control} value={lifetime} onChange={(event) => setLifetime(event.target.value as Lifetime)}>
							{Object.entries(LIFETIMES).map(([choice, name]) => (
								<option key={choice} value={choice}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
				<Button
					variant="primary"
					aria-disabled={create.isPending}
					onClick={() => create.isPending || create.mutate(expiresAt())}
				>
					Create link
				</Button>
			</div>
			{create.error ? (
				<Notice tone="danger" alert>
					{errorMessage(create.error)}
				</Notice>
			) : null}
			{create.data ? (
				<div role="status">
					<p className="mb-1 text-sm">Copy and send this link. It's shown only once.</p>
					<CodeBlock text={create.data.url} label="Copy the link" />
				</div>
			) : null}
		</div>
	);
}

function Links({ recordingId }: { recordingId: number }) {
	const links = useQuery(shareLinksQuery(recordingId));
	const revoking = useRevokeShareLink(recordingId);
	const revokeLink = (link: ShareLink) =>
		void toastOutcome(revoking.mutateAsync(link.id), {
			done: "Revoked the link.",
			failed: "Couldn't revoke the link.",
		});
	return (
		<div className="rounded-lg border border-line">
			{links.error ? <Notice tone="danger">{`Couldn't load the links. ${errorMessage(links.error)}`}</Notice> : null}
			{links.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
			{links.data?.length === 0 ? (
				<p className="px-4 py-3 text-sm text-muted">No links yet. Only members can watch.</p>
			) : null}
			<ul aria-label="Links" className="divide-y divide-line">
				{links.data?.map((link) => (
					<li key={link.id} className="flex items-center justify-between gap-3 px-4 py-2">
						<p className="min-w-0 text-xs text-muted tabular-nums">
							<code className="text-ink">{link.prefix}…</code>
							{" · "}
							{`created by ${link.createdBy} `}
							<TimeAgo at={link.createdAt} />
							{" · "}
							{link.expiresAt === null ? (
								"never expires"
							) : (
								<>
									expires <ExactTime at={link.expiresAt} />
								</>
							)}
						</p>
						<Button
							size="small"
							variant="danger"
							aria-label={`Revoke the link ${link.prefix}…`}
							onClick={() => revokeLink(link)}
						>
							Revoke
						</Button>
					</li>
				))}
			</ul>
		</div>
	);
}
