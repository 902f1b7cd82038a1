"use client";

import { useQuery } from "@tanstack/react-query";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { clsx } from "clsx";
import { useEffect, useId, useRef } from "react";
import { useWatch } from "react-hook-form";
import { Link } from "#components/navigation/link.tsx";
import { LabelsInput } from "#components/recordings/keeping-inputs.tsx";
import { labelsIn } from "#components/recordings/label-lines.ts";
import { DisplayPicture } from "#components/runners/display-picture.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { counted, formatSpan } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { ANY_RUNNER, type JobForm, type JobFormField, type JobFormValues } from "./job-form.ts";

/** The fields that are shown only while there are runners. */
export const PLACE_FIELDS: ReadonlySet<JobFormField> = new Set(["runnerId", "displayId", "runnerLabels"] as const);

/** The place to record: a runner and its display, or any runner with the wanted labels. */
export function PlaceFields({ form, last }: { form: JobForm; last: JobFormValues }) {
	const runners = useQuery(runnersQuery());
	const [runnerId, type] = useWatch({ control: form.control, name: ["runnerId", "type"] });
	const runner = runners.data?.find((one) => String(one.id) === runnerId);
	useDefaultPlace(form, runners.data, last);

	if (runners.data?.length === 0) {
		return (
			<Notice tone="warn">
				Jobs need a runner to record them.{" "}
				<Link href="/runners" className="underline underline-offset-2">
					Add a runner
				</Link>{" "}
				first.
			</Notice>
		);
	}
	return (
		<div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
			<RunnerField form={form} runners={runners.data} runner={runner} runnerId={runnerId} />
			{type === "file_upload" ? null : (
				<DisplayField form={form} runner={runner} isAny={type === "recording" && runnerId === ANY_RUNNER} />
			)}
			{type === "recording" && runnerId === ANY_RUNNER ? (
				<RunnerLabelsField form={form} runners={runners.data ?? []} />
			) : null}
			{runner && type !== "file_upload" ? <DisplayPicker runner={runner} form={form} /> : null}
		</div>
	);
}

/** The runner to suggest: that of the last job or the only one, preferably one that is online. */
function defaultRunner(runners: readonly Runner[], last: JobFormValues): Runner | undefined {
	const lastRunner = runners.find((one) => String(one.id) === last.runnerId);
	const online = runners.filter((one) => one.state === "online");
	if (lastRunner?.state === "online") return lastRunner;
	if (online.length === 1) return online[0];
	return lastRunner ?? (runners.length === 1 ? runners[0] : undefined);
}

/** Fills in a runner while none is chosen, and a display of its own whenever the runner changes. */
function useDefaultPlace(form: JobForm, runners: readonly Runner[] | undefined, last: JobFormValues): void {
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const { setValue, getValues } = form;
	/** The runner that the display was chosen for. One that came with its display needs no other. */
	const displayOf = useRef(getValues("displayId") === "" ? "" : runnerId);
	const isTyped = form.formState.dirtyFields.displayId === true;

	useEffect(() => {
		if (runners === undefined || runnerId !== "") return;
		const runner = defaultRunner(runners, last);
		if (runner) setValue("runnerId", String(runner.id));
	}, [runners, runnerId, last, setValue]);

	useEffect(() => {
		if (runnerId === "") displayOf.current = "";
		// Any display, unless one was typed.
		if (runnerId === ANY_RUNNER && displayOf.current !== ANY_RUNNER) {
			displayOf.current = ANY_RUNNER;
			if (!isTyped) setValue("displayId", "");
		}
		const runner = runners?.find((one) => String(one.id) === runnerId);
		if (runner === undefined || displayOf.current === runnerId) return;
		displayOf.current = runnerId;
		if (isTyped && getValues("displayId") !== "") return;
		const lastDisplay = last.runnerId === runnerId ? last.displayId : undefined;
		const display = runner.displays.find((one) => one.id === lastDisplay) ?? runner.displays[0];
		setValue("displayId", display?.id ?? "");
	}, [runners, runnerId, last, isTyped, getValues, setValue]);
}

interface RunnerFieldProps {
	form: JobForm;
	runners: readonly Runner[] | undefined;
	/** The chosen one; undefined when none is, or it was removed. */
	runner: Runner | undefined;
	runnerId: string;
}

function RunnerField({ form, runners, runner, runnerId }: RunnerFieldProps) {
	const isAny = runnerId === ANY_RUNNER;
	const isRemoved = runnerId !== "" && !isAny && runners !== undefined && runner === undefined;
	const isRecording = useWatch({ control: form.control, name: "type" }) === "recording";
	const onlineFirst = runners?.toSorted((a, b) => Number(a.state === "offline") - Number(b.state === "offline"));
	return (
		<Field
			label="Runner"
			hint={runner ? <RunnerState runner={runner} /> : isAny ? "The first that is free takes the job." : " "}
			error={form.formState.errors.runnerId?.message}
		>
			{(control) => (
				// The key: a select that renders before its options are known does not show what is chosen.
				<select key={runners === undefined ? "loading" : "known"} {...control} {...form.register("runnerId")}>
					<option value="" disabled={runnerId !== ""}>
						{runners === undefined ? "Loading…" : "Choose a runner"}
					</option>
					{isRecording ? <option value={ANY_RUNNER}>Any runner with these labels</option> : null}
					{isRemoved ? <option value={runnerId}>{`Runner ${runnerId} · removed`}</option> : null}
					{onlineFirst?.map((one) => (
						<option key={one.id} value={one.id}>
							{`${one.name} · ${one.state}`}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

function RunnerState({ runner }: { runner: Runner }) {
	const now = useNow();
	if (runner.state === "online") {
		const running = runner.runningJobIds.length;
		return running === 0 ? "Idle" : `Recording ${counted(running, "job", "jobs")}`;
	}
	if (runner.lastSeenAt === null) return "Never connected. Starts when the runner connects.";
	const seconds = Math.max(0, now - Date.parse(runner.lastSeenAt)) / 1000;
	return `Offline for ${formatSpan(seconds)}. Starts when the runner reconnects.`;
}

/** Labels that a runner must have to take the job. */
function RunnerLabelsField({ form, runners }: { form: JobForm; runners: readonly Runner[] }) {
	const typed = useWatch({ control: form.control, name: "runnerLabels" });
	const wanted = Object.entries(labelsIn(typed) ?? {});
	const fitting = runners.filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
	return (
		<Field
			label="Runner labels"
			hint={
				wanted.length === 0
					? "One a line, as key=value. Leave blank for any runner."
					: `${fitting.length} of ${counted(runners.length, "runner", "runners")} ${fitting.length === 1 ? "has" : "have"} them.`
			}
			error={form.formState.errors.runnerLabels?.message}
			className="sm:col-span-2"
		>
			{(control) => <LabelsInput {...control} {...form.register("runnerLabels")} placeholder="pool=linux" />}
		</Field>
	);
}

interface DisplayFieldProps {
	form: JobForm;
	runner: Runner | undefined;
	/** Whether any runner may take the job. */
	isAny: boolean;
}

function DisplayField({ form, runner, isAny }: DisplayFieldProps) {
	const listId = useId();
	const isScreenshot = useWatch({ control: form.control, name: "type" }) === "screenshot";
	const typed = useWatch({ control: form.control, name: "displayId" }).trim();
	const isMissing =
		runner?.state === "online" && /^:\d+$/.test(typed) && !runner.displays.some(({ id }) => id === typed);
	return (
		<Field
			label="Display"
			hint={
				isMissing
					? "Not available on this runner yet. The job waits up to 10 seconds for it."
					: isAny
						? "Leave blank for any display that is free."
						: "Pick a display below or enter its ID."
			}
			error={form.formState.errors.displayId?.message}
		>
			{(control) => (
				<>
					<input
						{...control}
						{...form.register("displayId")}
						list={listId}
						autoComplete="off"
						spellCheck={false}
						placeholder={isAny ? "any" : ":99"}
					/>
					<datalist id={listId}>
						{isScreenshot || runner?.virtualDisplays == null ? null : (
							<option value={NEW_DISPLAY}>A new virtual display</option>
						)}
						{runner?.displays.map(({ id, width, height }) => (
							<option key={id} value={id}>
								{`${width} × ${height}`}
							</option>
						))}
					</datalist>
				</>
			)}
		</Field>
	);
}

/** The displays of a runner with what they show now. A click fills in the field above. */
function DisplayPicker({ runner, form }: { runner: Runner; form: JobForm }) {
	const chosen = useWatch({ control: form.control, name: "displayId" });
	if (runner.displays.length === 0) return null;
	const choose = (id: string) =>
		form.setValue("displayId", id, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
	return (
		<fieldset className="min-w-0 sm:col-span-2">
			<legend className="sr-only">Displays of this runner</legend>
			<div className="grid max-h-52 grid-cols-[repeat(auto-fill,minmax(128px,1fr))] gap-2 overflow-y-auto p-0.5">
				{runner.displays.map(({ id, width, height }) => (
					<div
						key={id}
						className={clsx(
							"relative rounded-md border p-1 has-focus-visible:outline-2 has-focus-visible:outline-accent",
							id === chosen ? "border-accent bg-accent-soft" : "border-line hover:bg-hover",
						)}
					>
						<DisplayPicture
							runnerId={runner.id}
							displayId={id}
							online={runner.state === "online"}
							className="rounded-sm! border-0!"
						/>
						{/* The button's name is its text alone; it covers the picture. */}
						<button
							type="button"
							aria-pressed={id === chosen}
							onClick={() => choose(id)}
							className="flex w-full items-center justify-between gap-2 px-1 pt-1 text-xs outline-none after:absolute after:inset-0"
						>
							<span className="font-mono">{id}</span>
							<span className="text-muted tabular-nums">{`${width} × ${height}`}</span>
						</button>
					</div>
				))}
			</div>
		</fieldset>
	);
}
