"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from "@tapedeck/contract/audit.ts";
import { Download, X } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { formatExact, isolated } from "#lib/client/format.ts";
import { useRunnerName } from "#lib/client/runners.ts";
import { type AuditSearch, auditDetails, auditExportPath, auditQuery, NO_SEARCH } from "./audit.ts";
import { Section } from "./section.tsx";

/** The predicate of each action's sentence. Braces hold its target, which is replaced by the target's name. */
const ACTIONS: Record<AuditAction, string> = {
	"setup.done": "set up Tapedeck",
	"session.started": "signed in",
	"session.refused": "failed to sign in as {a user}",
	"session.ended": "signed out",
	"session.revoked": "ended the sessions of {a user}",
	"password.changed": "changed the password of {a user}",
	"password.reset_link_created": "created a password link for {a user}",
	"password.reset": "reset the password of {a user} with a link",
	"second_factor.added": "added a second factor to the account of {a user}",
	"second_factor.removed": "removed the second factor of {a user}",
	"organization.created": "created {the organization}",
	"organization.updated": "renamed {the organization}",
	"organization.deletion_requested": "asked to delete {the organization}",
	"organization.deletion_cancelled": "cancelled the deletion of {the organization}",
	"organization.transferred": "transferred the ownership of {the organization}",
	"invitation.created": "created {an invitation}",
	"invitation.revoked": "revoked {an invitation}",
	"invitation.accepted": "accepted {an invitation}",
	"member.joined": "joined {the organization}",
	"member.role_changed": "changed the role of {a member}",
	"member.removed": "removed {a member}",
	"member.left": "left {the organization}",
	"api_key.created": "created {an API key}",
	"api_key.revoked": "revoked {an API key}",
	"device_sign_in.approved": "let a terminal sign in with {an API key}",
	"runner_token.created": "created {a runner token}",
	"runner_token.rotated": "rotated {a runner token}",
	"runner_token.revoked": "revoked {a runner token}",
	"runner.renamed": "renamed {a runner}",
	"runner.removed": "removed {a runner}",
	"job.created": "created {a job}",
	"job.renamed": "renamed {a job}",
	"job.changed": "changed {a job}",
	"job.cancelled": "cancelled {a job}",
	"job.privacy_started": "made {a job} private",
	"job.privacy_ended": "ended the private stretch of {a job}",
	"job.deleted": "deleted {a job}",
	"test_run.created": "created a test run",
	"test_run.deleted": "deleted a test run",
	"test_run.let_through": "let CI pass for a test run",
	"attachment.deleted": "deleted an attachment of a test",
	"attachment.signed": "created a signed URL of an attachment",
	"recording.uploaded": "uploaded {a recording}",
	"recording.renamed": "renamed {a recording}",
	"recording.changed": "changed {a recording}",
	"recording.kept": "kept {a recording} that was due for deletion",
	"recording.pinned": "pinned {a recording}",
	"recording.unpinned": "unpinned {a recording}",
	"recording.restored": "restored {a recording}",
	"recording.purged": "removed the video of {a deleted recording}",
	"recording.deleted": "deleted {a recording}",
	"retention.changed": "changed the retention",
	"retention.clock_confirmed": "confirmed the clock",
	"retention.many_deleted": "is deleting many recordings",
	"recording_settings.changed": "changed the recording settings",
	"view.created": "saved {a view} for the organization",
	"view.changed": "changed {a view} of the organization",
	"view.deleted": "deleted {a view} of the organization",
	"link.created": "shared {a recording}",
	"webhook.created": "created {a webhook}",
	"webhook.changed": "changed {a webhook}",
	"webhook.deleted": "deleted {a webhook}",
	"webhook.secret_rotated": "replaced the secret of {a webhook}",
	"webhook.test_sent": "sent a test to {a webhook}",
	"webhook.delivery_repeated": "sent a delivery again to {a webhook}",
	"build.finish_announced": "said that a build is complete",
	"schedule.created": "created {a schedule}",
	"schedule.paused": "paused {a schedule}",
	"schedule.resumed": "resumed {a schedule}",
	"schedule.deleted": "deleted {a schedule}",
	"link.signed": "created a signed URL of {a recording}",
	"link.revoked": "revoked a share link of {a recording}",
};

/** @returns an action without a target, such as `created an API key`. */
const actionLabel = (action: AuditAction): string => ACTIONS[action].replace(/[{}]/g, "");

/** @returns an action whose target is the person who did it, such as `changed their password`. */
const ownActionLabel = (action: AuditAction): string =>
	actionLabel(action)
		.replace(/\bthe (\w+) of a (?:user|member)\b/, "their $1")
		.replace("a user", "themselves");

/** @returns the parts of an action's sentence before and after the name of its target. */
function aroundTarget(action: AuditAction, { kind }: NonNullable<AuditEntry["target"]>): readonly [string, string] {
	const [before = "", noun, after = ""] = ACTIONS[action].split(/[{}]/);
	if (noun === undefined) return [`${before}: `, ""];
	// The name of a person needs no noun.
	return [kind === "user" ? before : `${before}${noun.replace(/^an? /, "the ")} `, after];
}

/** A filter that was chosen in a row, and its label. */
interface Chosen {
	filter: "actor" | "target";
	value: string;
	label: string;
}

/** The audit log: filtered, paged, exported. */
export function AuditPage() {
	return useCan("organization:manage") ? <AuditLog /> : <Notice>Only owners and admins can see the audit log.</Notice>;
}

function AuditLog() {
	const [search, setSearch] = useState<AuditSearch>(NO_SEARCH);
	const [chosen, setChosen] = useState<Partial<Record<Chosen["filter"], string>>>({});
	const log = useInfiniteQuery(auditQuery(search));
	const entries = log.data?.pages.flatMap((page) => page.data);
	const change = (some: Partial<AuditSearch>) => setSearch({ ...search, ...some });
	const choose = ({ filter, value, label }: Chosen) => {
		change({ [filter]: value });
		setChosen({ ...chosen, [filter]: value === "" ? undefined : label });
	};
	return (
		<Section
			title="Audit log"
			intro="Who did what, when and from where. Entries can't be changed and are kept for a year."
			action={
				<a href={auditExportPath(search)} download className={buttonClass()}>
					<Download aria-hidden className="size-4" />
					Export as JSON lines
				</a>
			}
		>
			<Filters search={search} onChange={change} />
			<div className="mt-2 flex flex-wrap gap-2">
				{(["actor", "target"] as const).map((filter) => {
					const label = chosen[filter];
					return label === undefined ? null : (
						<Button
							key={filter}
							size="small"
							aria-label={`Remove the filter ${label}`}
							onClick={() => choose({ filter, value: "", label })}
						>
							{label}
							<X aria-hidden className="size-3" />
						</Button>
					);
				})}
			</div>
			<div className="mt-3 overflow-hidden rounded-lg border border-line bg-surface">
				{log.error ? <Notice tone="danger">Couldn't load the audit log. {errorMessage(log.error)}</Notice> : null}
				{log.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
				{entries?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">No matching entries.</p> : null}
				<ul aria-label="Audit log" className="divide-y divide-line">
					{entries?.map((entry) => (
						<AuditRow key={entry.id} entry={entry} onChoose={choose} />
					))}
				</ul>
			</div>
			<ShowMore list={log} className="mt-3" />
		</Section>
	);
}

function Filters({ search, onChange }: { search: AuditSearch; onChange(some: Partial<AuditSearch>): void }) {
	const day = (key: "from" | "to", label: string) => (
		<label className="flex min-w-0 flex-col gap-1 text-sm text-muted sm:flex-row sm:items-center sm:gap-2">
			{label}
			<input
				type="date"
				className={inputClass(false, "sm:w-36")}
				value={search[key]}
				onChange={(event) => onChange({ [key]: event.target.value })}
			/>
		</label>
	);
	return (
		<div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:flex sm:items-center">
			<select
				aria-label="Action"
				className={inputClass(false, "col-span-2 sm:max-w-64")}
				value={search.action}
				onChange={(event) => onChange({ action: event.target.value as AuditAction | "" })}
			>
				<option value="">Any action</option>
				{AUDIT_ACTIONS.map((action) => (
					<option key={action} value={action}>
						{actionLabel(action)}
					</option>
				))}
			</select>
			{day("from", "From")}
			{day("to", "To")}
		</div>
	);
}

const referenceOf = ({ kind, id }: { kind: string; id: number | null }) => (id === null ? kind : `${kind}:${id}`);

/** One entry; the names in it filter the list by who acted and on what. */
function AuditRow({ entry, onChoose }: { entry: AuditEntry; onChoose(chosen: Chosen): void }) {
	const { actor, target, action, at, address, detail } = entry;
	const actorName = actor.kind === "visitor" ? "Someone" : actor.name;
	const named =
		target === null || target.name === null || referenceOf(target) === referenceOf(actor)
			? null
			: { ...target, name: target.name };
	const [before, after] = named === null ? [] : aroundTarget(action, named);
	const details = auditDetails(detail);
	const nameClass = "rounded-sm text-start font-medium hover:underline";
	return (
		<li className="flex flex-col gap-0.5 px-4 py-2 text-sm sm:flex-row sm:items-baseline sm:justify-between sm:gap-4">
			<div className="min-w-0">
				<p className="break-words">
					<button
						type="button"
						className={nameClass}
						title={`Only actions by ${actorName}`}
						onClick={() => onChoose({ filter: "actor", value: referenceOf(actor), label: `By ${isolated(actorName)}` })}
					>
						{actorName}
					</button>{" "}
					{named === null ? (
						target === null ? (
							actionLabel(action)
						) : (
							ownActionLabel(action)
						)
					) : (
						<>
							{before}
							<button
								type="button"
								className={nameClass}
								title={`Only actions on ${named.name}`}
								onClick={() =>
									onChoose({ filter: "target", value: referenceOf(named), label: `On ${isolated(named.name)}` })
								}
							>
								{named.name}
							</button>
							{after}
						</>
					)}
					{typeof detail.runnerId === "number" ? <OnRunner id={detail.runnerId} /> : null}
				</p>
				{details.length === 0 ? null : <p className="text-xs break-words text-muted">{details.join(" · ")}</p>}
			</div>
			<p className="shrink-0 text-xs text-muted tabular-nums">
				<time dateTime={at}>{formatExact(at)}</time>
				{address === null ? null : ` · ${address}`}
			</p>
		</li>
	);
}

const OnRunner = ({ id }: { id: number }) => <> on the runner {useRunnerName(id) ?? id}</>;
