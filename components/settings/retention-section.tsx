"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useCan } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Link } from "#components/navigation/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { formatBytes, formatExact } from "#lib/client/format.ts";
import { policyOf, textsOf } from "#lib/client/retention-texts.ts";
import { retentionQuery, useSaveRetention } from "#lib/client/settings.ts";
import { storageQuery } from "#lib/client/storage.ts";
import type { Retention } from "#lib/contract/organization.ts";
import { settingsTexts, retentionTexts as words } from "#lib/texts/settings.ts";
import { Section } from "./section.tsx";

/** How long recordings are kept, and what goes next. */
export function RetentionSection() {
	const retention = useQuery(retentionQuery());
	const mayChange = useCan("administer");
	return (
		<Section title={words.title} intro={mayChange ? `${words.intro} ${words.emptyIsNoLimit}` : words.intro}>
			{retention.isError ? <Notice tone="danger">{settingsTexts.notLoaded(wordsOf(retention.error))}</Notice> : null}
			{retention.isPending ? <Skeleton className="h-32 w-full rounded-lg" /> : null}
			{retention.data ? (
				<div className="rounded-lg border border-line bg-surface">
					{mayChange ? <PolicyForm retention={retention.data} /> : <Policy retention={retention.data} />}
					<Stored retention={retention.data} />
				</div>
			) : null}
		</Section>
	);
}

/** The same for those who may not change it. */
function Policy({ retention }: { retention: Retention }) {
	const texts = textsOf(retention);
	const rows: [label: string, value: string][] = [
		[words.days, texts.days],
		[words.diskPercent, texts.diskPercent],
		[words.gigabytes, texts.gigabytes],
	];
	return (
		<dl className="grid gap-4 p-4 text-sm sm:grid-cols-3">
			{rows.map(([label, value]) => (
				<div key={label}>
					<dt className="text-muted">{label}</dt>
					<dd className="mt-1 font-medium tabular-nums">{value === "" ? words.noLimit : value}</dd>
				</div>
			))}
		</dl>
	);
}

function PolicyForm({ retention }: { retention: Retention }) {
	const [texts, setTexts] = useState(() => textsOf(retention));
	const save = useSaveRetention();
	const fault = (path: string) =>
		save.error instanceof ApiError ? save.error.faults.find((one) => one.path === path)?.message : undefined;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (save.isPending) return;
		save.mutate(policyOf(texts), { onSuccess: () => toast.success(words.saved) });
	};
	const field = (key: keyof typeof texts, label: string, path: string) => (
		<Field label={label} error={fault(path)}>
			{(control) => (
				<input
					{...control}
					type="number"
					inputMode="decimal"
					min={1}
					step={key === "gigabytes" ? "any" : 1}
					placeholder={words.noLimit}
					value={texts[key]}
					onChange={(event) => setTexts({ ...texts, [key]: event.target.value })}
				/>
			)}
		</Field>
	);
	return (
		<form onSubmit={submit} noValidate className="grid gap-4 p-4 sm:grid-cols-3">
			{field("days", words.days, "maxAgeDays")}
			{field("diskPercent", words.diskPercent, "maxDiskPercent")}
			{field("gigabytes", words.gigabytes, "maxBytes")}
			{save.isError && !(save.error instanceof ApiError && save.error.faults.length > 0) ? (
				<Notice tone="danger" alert className="sm:col-span-3">
					{wordsOf(save.error)}
				</Notice>
			) : null}
			<div className="sm:col-span-3">
				<Button type="submit" aria-disabled={save.isPending}>
					{words.save}
				</Button>
			</div>
		</form>
	);
}

function Stored({ retention }: { retention: Retention }) {
	const { storedBytes, storedRecordings, diskPercent, next } = retention;
	const storage = useQuery(storageQuery()).data;
	return (
		<div className="border-t border-line p-4 text-sm">
			<p className="tabular-nums">{words.stored(storedRecordings, formatBytes(storedBytes), diskPercent)}</p>
			{storage === undefined || storage.quotaBytes === null ? null : (
				<p className="tabular-nums">{words.quota(formatBytes(storage.usedBytes), formatBytes(storage.quotaBytes))}</p>
			)}
			<h3 className="mt-4 mb-1 text-xs font-medium text-muted">{words.next}</h3>
			{next.length === 0 ? (
				<p className="text-muted">{words.nothing}</p>
			) : (
				<ol className="divide-y divide-line">
					{next.map((one) => (
						<li key={one.recordingId} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
							<Link href={`/recordings/${one.recordingId}`} className="min-w-0 truncate text-accent hover:underline">
								{one.name}
							</Link>
							<span className="text-xs text-muted tabular-nums">
								{formatBytes(one.bytes)} · {formatExact(one.deleteAt)} · {words.reasons[one.reason]}
							</span>
						</li>
					))}
				</ol>
			)}
		</div>
	);
}
