"use client";

import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useSession } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { curlOf } from "#lib/client/curl.ts";
import { draftName, draftOf, lastChoices, rememberChoices } from "#lib/client/job-draft.ts";
import { bodyOf, hasPassword, type JobFormValues, valuesOfJob } from "#lib/client/job-form-values.ts";
import { useCreateJob } from "#lib/client/jobs.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { CreateJobBody, Job } from "#lib/contract/job.ts";
import { STOP_CONDITIONS } from "#lib/contract/stop-condition.ts";
import { createJobTexts, jobFieldTexts, STOP_CONDITION_HINTS } from "#lib/texts/create-job.ts";
import { STOP_CONDITION_WORDS } from "#lib/texts/job-words.ts";
import { ConfigFields } from "./config-fields/config-fields.tsx";
import { type JobForm, jobFormResolver, showFaults } from "./job-form.ts";
import { PlaceFields } from "./place-fields.tsx";
import { useJobDraft } from "./use-job-draft.ts";

interface Props {
	/** The job that the form is filled in to repeat; null for a new one. */
	like: Job | null;
	onCreated(job: Job): void;
}

/** The form behind `New job` and `Run again`. Its fields follow the stop condition; what is sent is of the chosen one only. */
export function CreateJobForm({ like, onCreated }: Props) {
	const { organizationId } = useSession();
	const name = draftName(organizationId, like?.id ?? null);
	const [start] = useState(() => {
		const last = lastChoices(organizationId);
		// Where to record is chosen once it is known which runners there are.
		const initial = like === null ? { ...last, runnerId: "", displayId: "" } : valuesOfJob(like);
		return { last, initial, draft: draftOf(name)?.values };
	});
	const form = useForm<JobFormValues>({ defaultValues: start.draft ?? start.initial, resolver: jobFormResolver });
	const draft = useJobDraft(form, name);
	const { submit, sending, problem } = useSubmit(form, draft.keyFor, (job) => {
		rememberChoices(organizationId, form.getValues());
		draft.finish();
		onCreated(job);
	});
	const { setFocus } = form;
	const [restarts, setRestarts] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: whoever starts over is at the beginning again
	useEffect(() => setFocus("name"), [setFocus, restarts]);
	const startOver = () => {
		draft.startOver(start.initial);
		setRestarts((count) => count + 1);
	};
	const begun = form.formState.isDirty || (start.draft !== undefined && restarts === 0);
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
						{createJobTexts.runAgainOf(like.name)} {hasPassword(like) ? createJobTexts.passwordAgain : null}
					</Notice>
				)}
				<Fields form={form} last={start.last} like={like} />
				<CurlPreview form={form} />
			</div>
			<div className="flex items-center justify-end gap-2 border-t border-line px-5 py-3">
				{begun ? (
					<Button look="quiet" className="me-auto -ms-3" onClick={startOver}>
						<RotateCcw aria-hidden className="size-4" />
						{createJobTexts.startOver}
					</Button>
				) : null}
				<Button type="submit" look="primary" title={createJobTexts.createJobHint} aria-disabled={sending}>
					{createJobTexts.createJob}
				</Button>
			</div>
		</form>
	);
}

/** Ctrl+Enter, and Cmd+Enter on a Mac, from every field. */
function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
	if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
	event.preventDefault();
	event.currentTarget.requestSubmit();
}

function Fields({ form, last, like }: { form: JobForm; last: JobFormValues; like: Job | null }) {
	const { errors } = form.formState;
	const condition = useWatch({ control: form.control, name: "stopCondition" });
	return (
		<>
			<Field label={jobFieldTexts.name} hint={jobFieldTexts.nameHint} error={errors.name?.message}>
				{(control) => (
					<input
						{...control}
						{...form.register("name")}
						autoComplete="off"
						placeholder={jobFieldTexts.namePlaceholder}
					/>
				)}
			</Field>
			<PlaceFields form={form} last={last} />
			<Field
				label={jobFieldTexts.stopCondition}
				hint={STOP_CONDITION_HINTS[condition]}
				error={errors.stopCondition?.message}
			>
				{(control) => (
					<select {...control} {...form.register("stopCondition")}>
						{STOP_CONDITIONS.map((one) => (
							<option key={one} value={one}>
								{STOP_CONDITION_WORDS[one]}
							</option>
						))}
					</select>
				)}
			</Field>
			<ConfigFields
				condition={condition}
				form={form}
				passwordHint={like !== null && hasPassword(like) ? createJobTexts.passwordAgain : undefined}
			/>
		</>
	);
}

/** Sends the form once, however often it is submitted meanwhile, and shows what the server has against it. */
function useSubmit(form: JobForm, keyFor: (values: JobFormValues) => string, onCreated: (job: Job) => void) {
	const create = useCreateJob();
	const isSending = useRef(false);
	const [problem, setProblem] = useState<string>();

	const runners = useQuery(runnersQuery()).data;

	/** Without any runner there is no field to stand beside. */
	const tellHiddenFaults = () => setProblem(runners?.length === 0 ? createJobTexts.needsRunner : undefined);
	const send = async (values: JobFormValues) => {
		if (isSending.current) return;
		isSending.current = true;
		setProblem(undefined);
		const body = bodyOf(values) as unknown as CreateJobBody;
		try {
			onCreated(await create.mutateAsync({ body, key: keyFor(values) }));
		} catch (error) {
			const untold = error instanceof ApiError ? showFaults(form, error.faults) : [];
			if (untold.length > 0) setProblem(untold.join(" "));
			else if (!(error instanceof ApiError && error.faults.length > 0)) setProblem(wordsOf(error));
		} finally {
			isSending.current = false;
		}
	};
	return { submit: form.handleSubmit(send, tellHiddenFaults), sending: create.isPending, problem };
}

/** The same job for those who prefer a shell. */
function CurlPreview({ form }: { form: JobForm }) {
	const values = useWatch({ control: form.control }) as JobFormValues;
	return (
		<section aria-label={createJobTexts.sameWithCurl}>
			<h3 className="mb-1 text-sm font-medium">{createJobTexts.sameWithCurl}</h3>
			<CodeBlock text={curlOf(location.origin, bodyOf(values))} label={createJobTexts.copyCommand} />
		</section>
	);
}
