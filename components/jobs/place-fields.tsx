"use client";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { Link } from "#components/navigation/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import type { JobFormValues } from "#lib/client/job-form-values.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { jobFieldTexts as texts } from "#lib/texts/create-job.ts";
import { counted } from "#lib/texts/words.ts";
import { DisplayChoices } from "./display-choices.tsx";
import type { JobForm } from "./job-form.ts";
import { useSensiblePlace } from "./use-sensible-place.ts";

/** Runner and display: where to record. */
export function PlaceFields({ form, last }: { form: JobForm; last: JobFormValues }) {
	const runners = useQuery(runnersQuery());
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const runner = runners.data?.find((one) => String(one.id) === runnerId);
	useSensiblePlace(form, runners.data, last);

	if (runners.data?.length === 0) {
		return (
			<Notice tone="warn">
				{texts.noRunnerBefore}{" "}
				<Link href="/runners" className="underline underline-offset-2">
					{texts.addRunner}
				</Link>{" "}
				{texts.noRunnerAfter}
			</Notice>
		);
	}
	return (
		<div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
			<RunnerField form={form} runners={runners.data} runner={runner} runnerId={runnerId} />
			<DisplayField form={form} runner={runner} />
			{runner ? <DisplayChoices runner={runner} form={form} /> : null}
		</div>
	);
}

interface RunnerFieldProps {
	form: JobForm;
	runners: Runner[] | undefined;
	/** The chosen one; undefined when none is, or it has gone. */
	runner: Runner | undefined;
	runnerId: string;
}

function RunnerField({ form, runners, runner, runnerId }: RunnerFieldProps) {
	const gone = runnerId !== "" && runners !== undefined && runner === undefined;
	const inOrder = runners?.toSorted((a, b) => Number(a.state === "offline") - Number(b.state === "offline"));
	return (
		<Field
			label={texts.runner}
			hint={runner ? <RunnerState runner={runner} /> : " "}
			error={form.formState.errors.runnerId?.message}
		>
			{(control) => (
				// The key: a select that is drawn before its options are known does not show what is chosen.
				<select key={runners === undefined ? "loading" : "known"} {...control} {...form.register("runnerId")}>
					<option value="" disabled={runnerId !== ""}>
						{runners === undefined ? texts.loading : texts.chooseRunner}
					</option>
					{gone ? <option value={runnerId}>{texts.runnerGone(runnerId)}</option> : null}
					{inOrder?.map((one) => (
						<option key={one.id} value={one.id}>
							{texts.runnerOption(one.name, one.state === "online" ? texts.online : texts.offline)}
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
		return running === 0 ? texts.onlineIdle : texts.onlineBusy(counted(running, "job", "jobs"));
	}
	if (runner.lastSeenAt === null) return texts.neverConnected;
	return texts.offlineFor(formatSpan(Math.max(0, now - Date.parse(runner.lastSeenAt)) / 1000));
}

function DisplayField({ form, runner }: { form: JobForm; runner: Runner | undefined }) {
	const listId = useId();
	const typed = useWatch({ control: form.control, name: "displayId" }).trim();
	const unknown = runner?.state === "online" && /^:\d+$/.test(typed) && !runner.displays.some(({ id }) => id === typed);
	return (
		<Field
			label={texts.display}
			hint={unknown ? texts.displayUnknown : texts.displayHint}
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
						placeholder={texts.displayPlaceholder}
					/>
					<datalist id={listId}>
						{runner?.displays.map(({ id, width, height }) => (
							<option key={id} value={id}>
								{texts.size(width, height)}
							</option>
						))}
					</datalist>
				</>
			)}
		</Field>
	);
}
