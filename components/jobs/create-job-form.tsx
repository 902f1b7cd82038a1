"use client";

import { useEffect, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { curlOf } from "#lib/client/curl.ts";
import { bodyOf, EMPTY_JOB_FORM, type JobFormValues } from "#lib/client/job-form-values.ts";
import { useCreateJob } from "#lib/client/jobs.ts";
import type { CreateJobBody, Job } from "#lib/contract/job.ts";
import { STOP_CONDITIONS } from "#lib/contract/stop-condition.ts";
import { STOP_CONDITION_WORDS } from "#lib/texts/job-words.ts";
import { ConfigFields } from "./config-fields/config-fields.tsx";
import { type JobForm, jobFormResolver, showFaults } from "./job-form.ts";
import { STOP_CONDITION_HINTS } from "./job-words.ts";
import { rememberChoice } from "./last-choice.ts";
import { PlaceFields } from "./place-fields.tsx";
import { useRequestKey } from "./use-request-key.ts";

/** The form behind `New job`. Its fields follow the stop condition; what is sent is of the chosen one only. */
export function CreateJobForm({ onCreated }: { onCreated(job: Job): void }) {
	const form = useForm<JobFormValues>({ defaultValues: EMPTY_JOB_FORM, resolver: jobFormResolver });
	const create = useCreateJob();
	const keyFor = useRequestKey();
	const sending = useRef(false);
	const [problem, setProblem] = useState<string>();
	const { errors } = form.formState;
	const condition = useWatch({ control: form.control, name: "stopCondition" });
	const { setFocus } = form;
	useEffect(() => setFocus("name"), [setFocus]);

	const submit = form.handleSubmit(async (values) => {
		if (sending.current) return;
		sending.current = true;
		setProblem(undefined);
		const body = bodyOf(values) as unknown as CreateJobBody;
		try {
			const job = await create.mutateAsync({ body, key: keyFor(body) });
			rememberChoice({ runnerId: job.runnerId, displayId: job.displayId });
			onCreated(job);
		} catch (error) {
			const untold = error instanceof ApiError ? showFaults(form, error.faults) : [];
			if (untold.length > 0) setProblem(untold.join(" "));
			else if (!(error instanceof ApiError && error.faults.length > 0)) setProblem(wordsOf(error));
		} finally {
			sending.current = false;
		}
	}, tellHiddenFaults);

	/** Without any runner there is no field to stand beside. */
	function tellHiddenFaults({ runnerId }: typeof errors): void {
		const isHidden = runnerId !== undefined && runnerId.ref === undefined;
		setProblem(isHidden ? "A job needs a runner to record it. Add one on the Runners page first." : undefined);
	}

	return (
		<form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
			<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
				{problem ? (
					<Notice tone="danger" alert>
						{problem}
					</Notice>
				) : null}
				<Field label="Name" hint="Left empty, it gets a readable one." error={errors.name?.message}>
					{(control) => (
						<input {...control} {...form.register("name")} autoComplete="off" placeholder="Checkout, nightly" />
					)}
				</Field>
				<PlaceFields form={form} />
				<Field label="Stop condition" hint={STOP_CONDITION_HINTS[condition]} error={errors.stopCondition?.message}>
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
				<ConfigFields condition={condition} form={form} />
				<CurlPreview form={form} />
			</div>
			<div className="flex justify-end gap-2 border-t border-line px-5 py-3">
				<Button type="submit" look="primary" aria-disabled={create.isPending}>
					Create job
				</Button>
			</div>
		</form>
	);
}

/** The same job for those who prefer a shell. */
function CurlPreview({ form }: { form: JobForm }) {
	const values = useWatch({ control: form.control }) as JobFormValues;
	return (
		<section aria-label="The same with curl">
			<h3 className="mb-1 text-sm font-medium">The same with curl</h3>
			<CodeBlock text={curlOf(location.origin, bodyOf(values))} label="Copy the command" />
		</section>
	);
}
