"use client";

import { useQuery } from "@tanstack/react-query";
import type { Retention, RetentionPolicy, RetentionPreview } from "@tapedeck/contract/retention.ts";
import { useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { DayPlot } from "#components/ui/day-plot.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { dailyTotalsQuery } from "#lib/client/daily-totals.ts";
import { counted, formatBytes, formatDay, formatExact, quoted } from "#lib/client/format.ts";
import {
	policyOf,
	previewRetention,
	type RetentionFormValues,
	retentionQuery,
	retentionValuesOf,
	useConfirmClock,
	useSaveRetention,
} from "#lib/client/retention.ts";
import { storageQuery } from "#lib/client/storage.ts";
import { Section } from "./section.tsx";

const FIELDS: readonly { name: keyof RetentionFormValues; label: string; step: number | "any" }[] = [
	{ name: "maxAgeDays", label: "Keep for (days)", step: 1 },
	{ name: "trashHours", label: "Keep in the trash (hours)", step: 1 },
	{ name: "testResultDays", label: "Keep test results (days)", step: 1 },
	{ name: "maxDiskPercent", label: "Maximum disk usage (%)", step: 1 },
	{ name: "maxBytes", label: "Storage limit (GB)", step: "any" },
];

const PLACEHOLDERS: Partial<Record<keyof RetentionFormValues, string>> = { trashHours: "0", testResultDays: "400" };

/** The retention policy, and the recordings that are deleted next. */
export function RetentionSection() {
	const retention = useQuery(retentionQuery());
	const mayChange = useCan("organization:manage");
	const intro = "Tapedeck deletes the oldest recordings first, those of failed tests last, and never pinned ones.";
	return (
		<Section title="Retention" intro={mayChange ? `${intro} Leave a field blank for no limit.` : intro}>
			{retention.isError ? (
				<Notice tone="danger">Couldn't load retention. {errorMessage(retention.error)}</Notice>
			) : null}
			{retention.isPending ? <Skeleton className="h-32 w-full rounded-lg" /> : null}
			{retention.data ? (
				<div className="rounded-lg border border-line bg-surface">
					{retention.data.clockJump ? <ClockJump jump={retention.data.clockJump} mayConfirm={mayChange} /> : null}
					{mayChange ? <PolicyForm retention={retention.data} /> : <Policy retention={retention.data} />}
					<StoredRecordings retention={retention.data} />
				</div>
			) : null}
		</Section>
	);
}

/** The clock of the server has jumped ahead, and nothing is deleted by age. */
function ClockJump({ jump, mayConfirm }: { jump: NonNullable<Retention["clockJump"]>; mayConfirm: boolean }) {
	const confirmClock = useConfirmClock();
	const [asked, setAsked] = useState(false);
	const confirm = async () => {
		try {
			await confirmClock.mutateAsync();
			setAsked(false);
			toast.success("Clock confirmed. Retention continues.");
		} catch (error) {
			toast.error(`Couldn't confirm the clock. ${errorMessage(error)}`);
		}
	};
	return (
		<Notice tone="warn" alert className="m-4 mb-0">
			The server's clock jumped from {formatExact(jump.lastSeenAt)} to {formatExact(jump.now)}. Nothing is deleted by
			age until the clock is set back{mayConfirm ? ", or you confirm that it is right" : ", or an admin confirms it"}.
			{mayConfirm ? (
				<div className="mt-2">
					<Button size="small" onClick={() => setAsked(true)}>
						Confirm clock
					</Button>
				</div>
			) : null}
			<ConfirmDialog
				open={asked}
				onOpenChange={setAsked}
				title={`Is it ${formatExact(jump.now)}?`}
				action="The clock is right"
				busy={confirmClock.isPending}
				onConfirm={() => void confirm()}
			>
				Retention then deletes what is too old by this time, in the trash as well.
			</ConfirmDialog>
		</Notice>
	);
}

/** The policy for those who may not change it. */
function Policy({ retention }: { retention: Retention }) {
	const values = retentionValuesOf(retention);
	return (
		<dl className="grid gap-4 p-4 text-sm sm:grid-cols-2">
			{FIELDS.map(({ name, label }) => (
				<div key={name}>
					<dt className="text-muted">{label}</dt>
					<dd className="mt-1 font-medium tabular-nums">{values[name] === "" ? "No limit" : values[name]}</dd>
				</div>
			))}
		</dl>
	);
}

/** Asks before it saves limits by which recordings would be deleted at once. */
function PolicyForm({ retention }: { retention: Retention }) {
	const saveRetention = useSaveRetention();
	const [asked, setAsked] = useState<{ policy: RetentionPolicy; preview: RetentionPreview } | null>(null);
	const save = async (policy: RetentionPolicy) => {
		await saveRetention.mutateAsync(policy);
		toast.success("Retention settings saved.");
	};
	const form = useServerForm(retentionValuesOf(retention), async (values) => {
		const policy = policyOf(values);
		const preview = await previewRetention(policy);
		if (preview.recordings === 0) await save(policy);
		else setAsked({ policy, preview });
	});
	const confirm = async () => {
		if (asked === null) return;
		try {
			await save(asked.policy);
			setAsked(null);
		} catch (error) {
			toast.error(`Couldn't save the settings. ${errorMessage(error)}`);
		}
	};
	return (
		<form {...form.props} className="grid gap-4 p-4 sm:grid-cols-2">
			{FIELDS.map(({ name, label, step }) => (
				<InputField
					key={name}
					form={form}
					name={name}
					label={label}
					type="number"
					inputMode="decimal"
					min={name === "trashHours" ? 0 : 1}
					step={step}
					placeholder={PLACEHOLDERS[name] ?? "No limit"}
				/>
			))}
			<div className="flex flex-col items-start gap-3 sm:col-span-2">
				<FormError message={form.error} />
				<SubmitButton form={form}>Save retention</SubmitButton>
			</div>
			<ConfirmDialog
				open={asked !== null}
				onOpenChange={(open) => open || setAsked(null)}
				title={asked === null ? "" : `Delete ${counted(asked.preview.recordings, "recording", "recordings")}?`}
				action="Save and delete"
				busy={saveRetention.isPending}
				onConfirm={() => void confirm()}
			>
				{asked === null ? null : previewText(asked.preview, asked.policy)}
			</ConfirmDialog>
		</form>
	);
}

/** Recordings that saving a policy deletes. */
function previewText({ bytes, failed, newest }: RetentionPreview, { trashHours }: RetentionPolicy): string {
	const ofFailed =
		failed === 0
			? "None of them shows a failed test."
			: `${failed} of them ${failed === 1 ? "shows a failed test" : "show failed tests"}.`;
	const last = newest === null ? "" : ` The newest is ${quoted(newest.name)} of ${formatExact(newest.createdAt)}.`;
	const undo = trashHours
		? ` They stay in the trash for ${counted(trashHours, "hour", "hours")}, where you can restore them.`
		: " They are not kept in the trash, so they can't be restored.";
	return `Saving deletes ${formatBytes(bytes)} of recordings now. ${ofFailed}${last}${undo}`;
}

function StoredRecordings({ retention }: { retention: Retention }) {
	const { storedBytes, storedRecordings, diskPercent, overdueRecordings, next, maxAgeDays } = retention;
	const { trashBytes, trashRecordings } = retention;
	const storage = useQuery(storageQuery()).data;
	const reasons = {
		age: `${maxAgeDays ?? 0}-day limit`,
		size: "storage limit",
		disk: "disk usage limit",
	} satisfies Record<Retention["next"][number]["reason"], string>;
	return (
		<div className="border-t border-line p-4 text-sm">
			<p className="tabular-nums">
				{counted(storedRecordings, "recording", "recordings")}, {formatBytes(storedBytes)}. The disk is{" "}
				{Math.round(diskPercent)}% full.
			</p>
			{trashRecordings === 0 ? null : (
				<p className="tabular-nums">
					<Link href="/recordings/trash" className="text-accent underline underline-offset-2">
						{counted(trashRecordings, "recording", "recordings")} in the trash
					</Link>
					, which use {formatBytes(trashBytes)} of that space.
				</p>
			)}
			{storage === undefined || storage.quotaBytes === null ? null : (
				<p className="tabular-nums">
					{formatBytes(storage.usedBytes)} of the {formatBytes(storage.quotaBytes)} storage quota used, including
					uploads in progress.
				</p>
			)}
			{overdueRecordings === 0 ? null : (
				<p className="tabular-nums">
					Deleting in the background: {counted(overdueRecordings, "recording", "recordings")} left.
				</p>
			)}
			<StorageOverTime />
			<h3 className="mt-4 mb-1 text-xs font-medium text-muted">Next to be deleted</h3>
			{next.length === 0 ? (
				<p className="text-muted">Nothing yet.</p>
			) : (
				<ol className="divide-y divide-line">
					{next.map((one) => (
						<li key={one.recordingId} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
							<Link
								href={`/recordings/${one.recordingId}`}
								className="min-w-0 truncate leading-6 text-accent hover:underline"
							>
								{one.name}
							</Link>
							<span className="text-xs text-muted tabular-nums" title={formatExact(one.deleteAt)}>
								{`Deletes ${formatDay(one.deleteAt)} · ${reasons[one.reason]}`}
							</span>
						</li>
					))}
				</ol>
			)}
		</div>
	);
}

/** The bytes stored at the end of each of the last 30 days. */
function StorageOverTime() {
	const totals = useQuery(dailyTotalsQuery).data;
	if (totals === undefined) return <div className="mt-4 h-39" />;
	return (
		<DayPlot
			title="Stored at the end of each day"
			columns={["Stored"]}
			days={totals.map(({ day, storedBytes }) => ({
				day,
				parts: storedBytes === null ? null : [{ value: storedBytes, look: "bg-accent" }],
				cells: [storedBytes === null ? "Not known" : formatBytes(storedBytes)],
			}))}
			format={formatBytes}
			atLeast={1}
			className="mt-4"
		/>
	);
}
