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
import { actionLabel, sentenceOf } from "./audit-sentence.ts";
import { Section } from "./section.tsx";

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
	const { actor, target, at, address, detail } = entry;
	const actorName = actor.kind === "visitor" ? "Someone" : actor.name;
	const { before, name, after } = sentenceOf(entry);
	const named = target === null || name === null ? null : { reference: referenceOf(target), name };
	const details = auditDetails(entry);
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
					{before}
					{named === null ? (
						name
					) : (
						<button
							type="button"
							className={nameClass}
							title={`Only actions on ${named.name}`}
							onClick={() =>
								onChoose({ filter: "target", value: named.reference, label: `On ${isolated(named.name)}` })
							}
						>
							{named.name}
						</button>
					)}
					{after}
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
