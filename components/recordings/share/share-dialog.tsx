"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogPlace } from "#components/ui/dialog-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { formatExact } from "#lib/client/format.ts";
import { shareLinksQuery, useCreateShareLink, useRevokeShareLink } from "#lib/client/links.ts";
import type { ShareLink } from "#lib/contract/link.ts";
import { sharingTexts as texts } from "#lib/texts/sharing.tsx";

const DAY_MS = 86_400_000;
const LIVES = ["1", "7", "30", "never"] as const;
type Life = (typeof LIVES)[number];

/** Makes public links to a recording, and ends them. */
export function ShareDialog({ recordingId, open, onOpenChange, ...content }: DialogPlace & { recordingId: number }) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead title={texts.title} description={texts.intro} />
				{open ? (
					<div className="flex flex-col gap-5 overflow-y-auto p-5 *:shrink-0">
						<CreateLink recordingId={recordingId} />
						<Links recordingId={recordingId} />
					</div>
				) : null}
			</DialogContent>
		</DialogRoot>
	);
}

function CreateLink({ recordingId }: { recordingId: number }) {
	const [life, setLife] = useState<Life>("7");
	const create = useCreateShareLink(recordingId);
	const expiresAt = () => (life === "never" ? null : new Date(Date.now() + Number(life) * DAY_MS).toISOString());
	return (
		<div className="flex flex-col gap-3">
			<div className="flex items-end gap-2">
				<Field label={texts.expires} className="w-40">
					{(control) => (
						<select {...control} value={life} onChange={(event) => setLife(event.target.value as Life)}>
							{LIVES.map((choice) => (
								<option key={choice} value={choice}>
									{texts.lives[choice]}
								</option>
							))}
						</select>
					)}
				</Field>
				<Button
					look="primary"
					aria-disabled={create.isPending}
					onClick={() => create.isPending || create.mutate(expiresAt())}
				>
					{texts.create}
				</Button>
			</div>
			{create.error ? (
				<Notice tone="danger" alert>
					{wordsOf(create.error)}
				</Notice>
			) : null}
			{create.data ? (
				<div role="status">
					<p className="mb-1 text-sm">{texts.created}</p>
					<CodeBlock text={create.data.url} label={texts.copy} />
				</div>
			) : null}
		</div>
	);
}

function Links({ recordingId }: { recordingId: number }) {
	const links = useQuery(shareLinksQuery(recordingId));
	const revoke = useRevokeShareLink(recordingId);
	const end = (link: ShareLink) =>
		revoke.mutate(link.id, {
			onSuccess: () => toast.success(texts.ended),
			onError: (error) => toast.error(texts.notEnded(wordsOf(error))),
		});
	return (
		<div className="rounded-lg border border-line">
			{links.error ? <Notice tone="danger">{texts.notLoaded(wordsOf(links.error))}</Notice> : null}
			{links.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
			{links.data?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">{texts.none}</p> : null}
			<ul aria-label={texts.links} className="divide-y divide-line">
				{links.data?.map((link) => (
					<li key={link.id} className="flex items-center justify-between gap-3 px-4 py-2">
						<p className="min-w-0 text-xs text-muted tabular-nums">
							<code className="text-ink">{link.prefix}…</code>
							{" · "}
							{texts.madeBy(link.createdBy, <TimeAgo at={link.createdAt} />)}
							{" · "}
							{link.expiresAt === null
								? texts.neverEnds
								: texts.endsOn(<time dateTime={link.expiresAt}>{formatExact(link.expiresAt)}</time>)}
						</p>
						<Button size="small" look="danger" aria-label={texts.endOne(link.prefix)} onClick={() => end(link)}>
							{texts.end}
						</Button>
					</li>
				))}
			</ul>
		</div>
	);
}
