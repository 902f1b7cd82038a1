"use client";

import { useQuery } from "@tanstack/react-query";
import type { RunnerToken } from "@tapedeck/contract/credential.ts";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { runnerTokensQuery } from "#lib/client/credentials.ts";
import { counted, formatExact } from "#lib/client/format.ts";
import { CreateRunnerTokenDialog } from "./create-runner-token-dialog.tsx";
import { CredentialList } from "./credential-list.tsx";
import { RotateTokenDialog } from "./rotate-token-dialog.tsx";
import { Section } from "./section.tsx";

/** Tokens that runners sign in with: created, rotated, revoked. */
export function RunnerTokensSection() {
	const list = useQuery(runnerTokensQuery());
	// Held here because the row's own button disappears with the rotation, before the new secret is shown.
	const [rotating, setRotating] = useState<RunnerToken | null>(null);
	return (
		<Section
			title="Runner tokens"
			intro="Runners sign in with a token. Revoking it disconnects its runners within seconds."
		>
			<DialogButton dialog={(control) => <CreateRunnerTokenDialog {...control} />}>
				<Plus aria-hidden className="size-4" />
				Create runner token
			</DialogButton>
			<CredentialList
				kind="runner-tokens"
				label="Runner tokens"
				list={list}
				effect="Runners with this token are disconnected immediately. What they recorded and haven't uploaded stays on their disks. You can't undo this."
				actions={(token) =>
					token.expiresAt === null ? (
						<Button size="small" aria-label={`Rotate ${token.name}`} onClick={() => setRotating(token)}>
							Rotate
						</Button>
					) : null
				}
			>
				{(token) => <TokenDetails token={token} />}
			</CredentialList>
			<RotateTokenDialog token={rotating} onClose={() => setRotating(null)} />
		</Section>
	);
}

function TokenDetails({ token }: { token: RunnerToken }) {
	const { prefix, createdAt, lastUsedAt, expiresAt } = token;
	return (
		<div className="text-xs text-muted tabular-nums">
			<p>
				<code>{prefix}…</code> · created <TimeAgo at={createdAt} />
				{" · "}
				{lastUsedAt === null ? (
					"never used"
				) : (
					<>
						last used <TimeAgo at={lastUsedAt} />
					</>
				)}
			</p>
			<TokenLimits token={token} />
			{expiresAt === null ? null : (
				<p className="text-warn">
					Replaced. Works until <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
				</p>
			)}
		</div>
	);
}

/** Use of the token, and its limits. */
function TokenLimits({ token }: { token: RunnerToken }) {
	const { maxRunners, runnerCount, enrollUntil, namePattern, labels, displays, grids, capabilities } = token;
	const isFull = maxRunners !== null && runnerCount >= maxRunners;
	const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
	const parts: [string, ReactNode][] = [
		[
			"runners",
			maxRunners === null ? (
				counted(runnerCount, "runner", "runners")
			) : (
				<span key="runners" className={isFull ? "text-warn" : undefined}>
					{`${runnerCount} of ${counted(maxRunners, "runner", "runners")}`}
					{isFull ? ", used up" : null}
				</span>
			),
		],
	];
	if (enrollUntil !== null) parts.push(["until", <Enrollment key="until" until={enrollUntil} />]);
	if (namePattern !== null) parts.push(["names", `named ${namePattern}`]);
	if (pairs.length > 0) parts.push(["labels", `labels ${pairs.join(", ")}`]);
	if (displays !== null) parts.push(["displays", `only ${displays.join(", ")}`]);
	if (grids !== null) parts.push(["grids", `only grids ${grids.join(", ")}`]);
	if (capabilities !== null) parts.push(["can", `may only ${capabilities.join(", ")}`]);
	return (
		<p className="wrap-anywhere">
			{parts.map(([key, part], at) => (
				<span key={key}>
					{at === 0 ? null : " · "}
					{part}
				</span>
			))}
		</p>
	);
}

function Enrollment({ until }: { until: string }) {
	const now = useNow();
	const isOver = Date.parse(until) <= now;
	return (
		<span className={isOver ? "text-warn" : undefined}>
			{isOver ? "no new runners since " : "new runners until "}
			<time dateTime={until}>{formatExact(until)}</time>
		</span>
	);
}
