"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, X } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/session/use-session.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { type AuditSearch, auditExportPath, auditQuery, NO_SEARCH } from "#lib/client/audit.ts";
import { AUDIT_ACTIONS, type AuditAction } from "#lib/contract/audit.ts";
import { AUDIT_WORDS, auditTexts as texts } from "#lib/texts/audit.ts";
import { AuditRow, type Chosen } from "./audit-row.tsx";
import { Section } from "./section.tsx";

/** Who did what, when and from where: filtered, paged, exported. */
export function AuditPage() {
	return useCan("administer") ? <AuditLog /> : <Notice>{texts.notYours}</Notice>;
}

function AuditLog() {
	const [search, setSearch] = useState<AuditSearch>(NO_SEARCH);
	const [chosen, setChosen] = useState<Partial<Record<Chosen["filter"], string>>>({});
	const log = useInfiniteQuery(auditQuery(search));
	const entries = log.data?.pages.flatMap((page) => page.data);
	const change = (some: Partial<AuditSearch>) => setSearch({ ...search, ...some });
	const choose = ({ filter, value, words }: Chosen) => {
		change({ [filter]: value });
		setChosen({ ...chosen, [filter]: value === "" ? undefined : words });
	};
	return (
		<Section title={texts.title} intro={texts.intro}>
			<Filters search={search} onChange={change} />
			<div className="mt-2 flex flex-wrap gap-2">
				{(["actor", "target"] as const).map((filter) => {
					const words = chosen[filter];
					return words === undefined ? null : (
						<Button
							key={filter}
							size="small"
							aria-label={texts.drop(words)}
							onClick={() => choose({ filter, value: "", words })}
						>
							{words}
							<X aria-hidden className="size-3" />
						</Button>
					);
				})}
			</div>
			<div className="mt-3 overflow-hidden rounded-lg border border-line bg-surface">
				{log.error ? <Notice tone="danger">{texts.notLoaded(wordsOf(log.error))}</Notice> : null}
				{log.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
				{entries?.length === 0 ? <p className="px-4 py-3 text-sm text-muted">{texts.none}</p> : null}
				<ul aria-label={texts.title} className="divide-y divide-line">
					{entries?.map((entry) => (
						<AuditRow key={entry.id} entry={entry} onChoose={choose} />
					))}
				</ul>
			</div>
			{log.hasNextPage ? (
				<Button className="mt-3" aria-disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
					{texts.more}
				</Button>
			) : null}
		</Section>
	);
}

function Filters({ search, onChange }: { search: AuditSearch; onChange(some: Partial<AuditSearch>): void }) {
	const day = (key: "from" | "to") => (
		<label className="flex items-center gap-2 text-sm text-muted max-sm:justify-between">
			{texts[key]}
			<input
				type="date"
				className={inputClass(false, "w-52 sm:w-36")}
				value={search[key]}
				onChange={(event) => onChange({ [key]: event.target.value })}
			/>
		</label>
	);
	return (
		<div className="flex flex-col gap-x-4 gap-y-2 sm:flex-row sm:flex-wrap sm:items-center">
			<select
				aria-label={texts.action}
				className={inputClass(false, "sm:max-w-40")}
				value={search.action}
				onChange={(event) => onChange({ action: event.target.value as AuditAction | "" })}
			>
				<option value="">{texts.anything}</option>
				{AUDIT_ACTIONS.map((action) => (
					<option key={action} value={action}>
						{AUDIT_WORDS[action]}
					</option>
				))}
			</select>
			{day("from")}
			{day("to")}
			<a href={auditExportPath(search)} download className={`${buttonClass()} sm:ms-auto`}>
				<Download aria-hidden className="size-4" />
				{texts.export}
			</a>
		</div>
	);
}
