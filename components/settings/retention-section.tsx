"use client";

import { useQuery } from "@tanstack/react-query";
import { Link } from "#components/navigation/link.tsx";
import { useCan } from "#components/session/use-session.ts";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { counted, formatBytes, formatExact } from "#lib/client/format.ts";
import {
	policyOf,
	type RetentionFormValues,
	retentionQuery,
	retentionValuesOf,
	useSaveRetention,
} from "#lib/client/retention.ts";
import { storageQuery } from "#lib/client/storage.ts";
import type { Retention } from "#lib/contract/organization.ts";
import { Section } from "./section.tsx";

const FIELDS: readonly { name: keyof RetentionFormValues; label: string; step: number | "any" }[] = [
	{ name: "maxAgeDays", label: "Keep for (days)", step: 1 },
	{ name: "maxDiskPercent", label: "Fill the disk up to (%)", step: 1 },
	{ name: "maxBytes", label: "Store at most (GB)", step: "any" },
];

/** How long recordings are kept, and which are deleted next. */
export function RetentionSection() {
	const retention = useQuery(retentionQuery());
	const mayChange = useCan("organization:manage");
	const intro = "Tapedeck deletes the oldest recordings first and never deletes pinned ones.";
	return (
		<Section title="Retention" intro={mayChange ? `${intro} Leave a field blank for no limit.` : intro}>
			{retention.isError ? (
				<Notice tone="danger">Couldn't load retention. {errorMessage(retention.error)}</Notice>
			) : null}
			{retention.isPending ? <Skeleton className="h-32 w-full rounded-lg" /> : null}
			{retention.data ? (
				<div className="rounded-lg border border-line bg-surface">
					{mayChange ? <PolicyForm retention={retention.data} /> : <Policy retention={retention.data} />}
					<StoredRecordings retention={retention.data} />
				</div>
			) : null}
		</Section>
	);
}

/** The policy for those who may not change it. */
function Policy({ retention }: { retention: Retention }) {
	const values = retentionValuesOf(retention);
	return (
		<dl className="grid gap-4 p-4 text-sm sm:grid-cols-3">
			{FIELDS.map(({ name, label }) => (
				<div key={name}>
					<dt className="text-muted">{label}</dt>
					<dd className="mt-1 font-medium tabular-nums">{values[name] === "" ? "No limit" : values[name]}</dd>
				</div>
			))}
		</dl>
	);
}

function PolicyForm({ retention }: { retention: Retention }) {
	const saveRetention = useSaveRetention();
	const form = useServerForm(retentionValuesOf(retention), async (values) => {
		await saveRetention.mutateAsync(policyOf(values));
		toast.success("Saved retention.");
	});
	return (
		<form {...form.props} className="grid gap-4 p-4 sm:grid-cols-3">
			{FIELDS.map(({ name, label, step }) => (
				<InputField
					key={name}
					form={form}
					name={name}
					label={label}
					type="number"
					inputMode="decimal"
					min={1}
					step={step}
					placeholder="No limit"
				/>
			))}
			<div className="flex flex-col items-start gap-3 sm:col-span-3">
				<FormError message={form.error} />
				<SubmitButton form={form}>Save retention</SubmitButton>
			</div>
		</form>
	);
}

function StoredRecordings({ retention }: { retention: Retention }) {
	const { storedBytes, storedRecordings, diskPercent, overdueRecordings, next, maxAgeDays } = retention;
	const storage = useQuery(storageQuery()).data;
	const reasons = {
		age: `over ${counted(maxAgeDays ?? 0, "day", "days")}`,
		size: "storage limit",
		disk: "disk full",
	} satisfies Record<Retention["next"][number]["reason"], string>;
	return (
		<div className="border-t border-line p-4 text-sm">
			<p className="tabular-nums">
				{counted(storedRecordings, "recording", "recordings")}, {formatBytes(storedBytes)}. The disk is{" "}
				{Math.round(diskPercent)}% full.
			</p>
			{storage === undefined || storage.quotaBytes === null ? null : (
				<p className="tabular-nums">
					{formatBytes(storage.usedBytes)} of the {formatBytes(storage.quotaBytes)} storage quota used, including
					uploads in progress.
				</p>
			)}
			{overdueRecordings === 0 ? null : (
				<p className="tabular-nums">
					Being deleted in the background: {counted(overdueRecordings, "recording", "recordings")} left.
				</p>
			)}
			<h3 className="mt-4 mb-1 text-xs font-medium text-muted">Next to be deleted</h3>
			{next.length === 0 ? (
				<p className="text-muted">Nothing for now.</p>
			) : (
				<ol className="divide-y divide-line">
					{next.map((one) => (
						<li key={one.recordingId} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
							<Link href={`/recordings/${one.recordingId}`} className="min-w-0 truncate text-accent hover:underline">
								{one.name}
							</Link>
							<span className="text-xs text-muted tabular-nums">
								{formatBytes(one.bytes)} · {formatExact(one.deleteAt)} · {reasons[one.reason]}
							</span>
						</li>
					))}
				</ol>
			)}
		</div>
	);
}
