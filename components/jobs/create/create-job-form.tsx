"use client";

import { useQuery } from "@tanstack/react-query";
import type { Job, NewJobBody } from "@tapedeck/contract/job.ts";
import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useSession } from "#components/account/use-session.ts";
import { shortcutOf } from "#components/navigation/use-shortcuts.ts";
import { KeepSelect, LABELS_HINT, LabelsInput } from "#components/recordings/keeping-inputs.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { PartFields, VideoFields } from "#components/video/video-fields.tsx";
import type { VideoField } from "#components/video/video-values.ts";
import { ApiError, errorMessage } from "#lib/client/api.ts";
import { quoted } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { useCreateJob, useCreateSchedule } from "../change-jobs.ts";
import { curlOf, hasGridPassword } from "../curl.ts";
import { draftName, lastChoices, readDraft, saveChoices, useJobDraft } from "./job-draft.ts";
import {
	type JobForm,
	type JobFormFault,
	type JobFormValues,
	jobFormFault,
	jobFormResolver,
	parseJobForm,
	requestOf,
	valuesOfJob,
} from "./job-form.ts";
import { PastField } from "./past-field.tsx";
import { PLACE_FIELDS, PlaceFields } from "./place-fields.tsx";
import { StopConditionFields } from "./stop-condition-fields.tsx";

const PASSWORD_AGAIN = "Re-enter the grid password. Tapedeck doesn't show saved passwords.";

interface Props {
	/** The job that the form is filled in to repeat; null for a new one. */
	like: Job | null;
	onCreated(job: Job): void;
}

/** The form behind `New job` and `Run again`. Its fields follow the stop condition, and so does what is sent. */
export function CreateJobForm({ like, onCreated }: Props) {
	const { organizationId } = useSession();
	const name = draftName(organizationId, like?.id ?? null);
	const [start] = useState(() => {
		const last = lastChoices(organizationId);
		// Runner and display are filled in once the runners are known.
		const initial = like === null ? { ...last, runnerId: "", displayId: "" } : valuesOfJob(like);
		return { last, initial, draft: readDraft(name)?.values };
	});
	const form = useForm<JobFormValues>({ defaultValues: start.draft ?? start.initial, resolver: jobFormResolver });
	const draft = useJobDraft(form, name);
	const { submit, isSending, problem } = useSubmit(form, draft.keyFor, (job) => {
		saveChoices(organizationId, form.getValues());
		draft.finish();
		onCreated(job);
	});
	const { setFocus, register, formState } = form;
	const [restarts, setRestarts] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: starting over returns to the first field
	useEffect(() => setFocus("name"), [setFocus, restarts]);
	const startOver = () => {
		draft.startOver(start.initial);
		setRestarts((count) => count + 1);
	};
	const type = useWatch({ control: form.control, name: "type" });
	const video = {
		register: (field: VideoField) => register(`video.${field}`),
		errorOf: (field: VideoField) => formState.errors.video?.[field]?.message,
	};
	const isEdited = formState.isDirty || (start.draft !== undefined && restarts === 0);
	const passwordHint = like !== null && hasGridPassword(like) ? PASSWORD_AGAIN : undefined;
	return (
		<form onSubmit={submit} onKeyDown={submitByKeys} noValidate className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				{problem ? (
					<Notice tone="danger" alert>
						{problem}
					</Notice>
				) : null}
				{like === null ? null : (
					<Notice>
						Copied from {quoted(like.name)}. {passwordHint}
					</Notice>
				)}
				<Field label="Name" hint="Optional. Generated if left blank." error={formState.errors.name?.message}>
					{(control) => <input {...control} {...register("name")} autoComplete="off" placeholder="Checkout, nightly" />}
				</Field>
				<Field label="Type">
					{(control) => (
						<select {...control} {...register("type")}>
							<option value="recording">Recording</option>
							<option value="screenshot">Screenshot</option>
							<option value="file_upload">File upload</option>
						</select>
					)}
				</Field>
				<PlaceFields form={form} last={start.last} />
				{type === "file_upload" ? (
					<Field
						label="Path"
						hint="On the runner, within its TAPEDECK_UPLOAD_DIR or TAPEDECK_WATCH_DIR."
						error={formState.errors.path?.message}
					>
						{(control) => (
							<input
								{...control}
								{...register("path")}
								autoComplete="off"
								spellCheck={false}
								placeholder="reports/run.pdf"
							/>
						)}
					</Field>
				) : null}
				{type === "recording" ? (
					<>
						<StopConditionFields form={form} passwordHint={passwordHint} />
						<PastField form={form} />
					</>
				) : null}
				<KeepingFields form={form} />
				<Field
					label="Repeat every … seconds"
					hint="Leave blank for a single job. Schedules are listed in the settings."
					error={formState.errors.everySeconds?.message}
				>
					{(control) => (
						<input {...control} {...register("everySeconds")} type="number" inputMode="numeric" min={10} step={1} />
					)}
				</Field>
				{type === "screenshot" ? (
					<div className="grid gap-4 sm:grid-cols-2">
						<PartFields {...video} />
					</div>
				) : null}
				{type === "recording" ? (
					<VideoFields {...video} hint="Blank fields use the organization's settings, then the runner's." />
				) : null}
				<CurlPreview form={form} />
			</div>
			<div className="flex items-center justify-end gap-2 border-t border-line px-5 py-3">
				{isEdited ? (
					<Button variant="ghost" className="me-auto -ms-3" onClick={startOver}>
						<RotateCcw aria-hidden className="size-4" />
						Start over
					</Button>
				) : null}
				<Button type="submit" variant="primary" title="Create job (Ctrl+Enter)" aria-disabled={isSending}>
					Create job
				</Button>
			</div>
		</form>
	);
}

/** Ctrl+Enter, and Cmd+Enter on a Mac, from every field. */
function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
	if (shortcutOf(event, ["createJob"]) === undefined) return;
	event.preventDefault();
	event.currentTarget.requestSubmit();
}

/** Sends the form once, however often it is submitted meanwhile. `problem` is everything that no field can show. */
function useSubmit(form: JobForm, keyFor: (values: JobFormValues) => string, onCreated: (job: Job) => void) {
	const create = useCreateJob();
	const createSchedule = useCreateSchedule();
	const isSending = useRef(false);
	const [problem, setProblem] = useState<string>();
	const hasNoRunners = useQuery(runnersQuery()).data?.length === 0;

	const showWithoutField = (faults: JobFormFault[]) => {
		const messages = faults.flatMap(({ field, message }) => {
			if (field === null) return [message];
			// Without runners there is nothing to choose from, and no field.
			return hasNoRunners && PLACE_FIELDS.has(field) ? ["Add a runner before you create a job."] : [];
		});
		setProblem([...new Set(messages)].join(" ") || undefined);
	};

	const showAll = (faults: JobFormFault[]) => {
		const first = faults.find(({ field }) => field !== null);
		for (const fault of faults) {
			if (fault.field === null) continue;
			const { field, code: type, message } = fault;
			form.setError(field, { type, message }, { shouldFocus: fault === first });
		}
		showWithoutField(faults);
	};

	const send = async (body: NewJobBody, everySeconds: number | null, values: JobFormValues) => {
		if (isSending.current) return;
		isSending.current = true;
		setProblem(undefined);
		try {
			onCreated(
				everySeconds === null
					? await create.mutateAsync({ body, key: keyFor(values) })
					: await createSchedule.mutateAsync({ everySeconds, job: body }),
			);
		} catch (error) {
			const faults = error instanceof ApiError ? error.faults : [];
			if (faults.length === 0) setProblem(errorMessage(error));
			else showAll(faults.map((fault) => jobFormFault(fault, form.getValues())));
		} finally {
			isSending.current = false;
		}
	};

	/** The resolver has shown the faults that have a field by now. */
	const submitted = () => {
		const values = form.getValues();
		const parsed = parseJobForm(values);
		return parsed.body === null ? showWithoutField(parsed.faults) : send(parsed.body, parsed.everySeconds, values);
	};
	return {
		submit: form.handleSubmit(submitted, submitted),
		isSending: create.isPending || createSchedule.isPending,
		problem,
	};
}

/** The same job as a command. */
function CurlPreview({ form }: { form: JobForm }) {
	const values = useWatch({ control: form.control }) as JobFormValues;
	const { path, body } = requestOf(values);
	return (
		<section aria-label="Equivalent curl command">
			<h3 className="mb-1 text-sm font-medium">Equivalent curl command</h3>
			<CodeBlock text={curlOf(location.origin, body, path)} label="Copy the command" />
		</section>
	);
}

/** Fields for labels, the maximum length of the recording and its keep policy. */
function KeepingFields({ form }: { form: JobForm }) {
	const { errors } = form.formState;
	const [type, condition] = useWatch({ control: form.control, name: ["type", "stopCondition"] });
	return (
		<>
			<Field label="Labels" hint={LABELS_HINT} error={errors.labels?.message}>
				{(control) => <LabelsInput {...control} {...form.register("labels")} placeholder={"build=123\nbranch=main"} />}
			</Field>
			<div className="grid gap-4 sm:grid-cols-2">
				<Field label={type === "recording" ? "Keep video" : "Keep"} error={errors.keep?.message}>
					{(control) => <KeepSelect {...control} {...form.register("keep")} />}
				</Field>
				{type !== "recording" || condition === "duration" ? null : (
					<Field
						label="Maximum length (seconds)"
						hint="Leave blank for the default."
						error={errors.maxDurationSeconds?.message}
					>
						{(control) => (
							<input
								{...control}
								{...form.register("maxDurationSeconds")}
								type="number"
								inputMode="numeric"
								min={1}
								step={1}
							/>
						)}
					</Field>
				)}
			</div>
		</>
	);
}
