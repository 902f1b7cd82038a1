"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useId, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { curlOf } from "#lib/client/curl.ts";
import { bodyOf, EMPTY_JOB_FORM, type JobFormValues } from "#lib/client/job-form-values.ts";
import { useCreateJob } from "#lib/client/jobs.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import type { CreateJobBody, Job } from "#lib/contract/job.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { STOP_CONDITIONS } from "#lib/contract/stop-condition.ts";
import { ConfigFields } from "./config-fields/config-fields.tsx";
import { type JobForm, jobFormResolver, showFaults } from "./job-form.ts";
import { STOP_CONDITION_HINTS, STOP_CONDITION_WORDS } from "./job-words.ts";
import { lastChoice, rememberChoice } from "./last-choice.ts";
import { useRequestKey } from "./use-request-key.ts";

/** The form behind `New job`. Its fields follow the stop condition; what is sent is of the chosen one only. */
export function CreateJobForm({ onCreated }: { onCreated(job: Job): void }) {
	const form = useForm<JobFormValues>({ defaultValues: EMPTY_JOB_FORM, resolver: jobFormResolver });
	const create = useCreateJob();
	const keyFor = useRequestKey();
	const [problem, setProblem] = useState<string>();
	const { errors } = form.formState;
	const condition = useWatch({ control: form.control, name: "stopCondition" });
	const { setFocus } = form;
	useEffect(() => setFocus("name"), [setFocus]);

	const submit = form.handleSubmit(async (values) => {
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
		}
	});

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

/** Runner and display: where to record. */
function PlaceFields({ form }: { form: JobForm }) {
	const runners = useQuery(runnersQuery());
	const listId = useId();
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const runner = runners.data?.find((one) => String(one.id) === runnerId);
	useSensiblePlace(form, runners.data);
	const { errors } = form.formState;

	if (runners.data?.length === 0) {
		return (
			<Notice tone="warn">
				There is no runner yet, and jobs need one.{" "}
				<Link href="/runners" className="underline underline-offset-2">
					Add a runner
				</Link>{" "}
				first.
			</Notice>
		);
	}
	return (
		<div className="grid gap-4 sm:grid-cols-2">
			<Field
				label="Runner"
				hint={runner?.state === "offline" ? "It is offline: the job waits until it comes back." : undefined}
				error={errors.runnerId?.message}
			>
				{(control) => (
					<select {...control} {...form.register("runnerId")}>
						<option value="">{runners.isPending ? "Loading…" : "Choose a runner"}</option>
						{runners.data?.map((one) => (
							<option key={one.id} value={one.id}>
								{one.state === "offline" ? `${one.name} (offline)` : one.name}
							</option>
						))}
					</select>
				)}
			</Field>
			<Field label="Display" error={errors.displayId?.message}>
				{(control) => (
					<>
						<input
							{...control}
							{...form.register("displayId")}
							list={listId}
							autoComplete="off"
							spellCheck={false}
							placeholder=":99"
						/>
						<datalist id={listId}>
							{runner?.displays.map((display) => (
								<option key={display.id} value={display.id}>
									{`${display.width} × ${display.height}`}
								</option>
							))}
						</datalist>
					</>
				)}
			</Field>
		</div>
	);
}

type Runners = Pick<Runner, "id" | "state" | "displays">[];

/** Chooses what needs no choice: the runner of last time or the only one, and its display likewise. */
function useSensiblePlace(form: JobForm, runners: Runners | undefined): void {
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const displaysOf = useRef("");
	const { setValue, getValues } = form;
	const typed = form.formState.dirtyFields.displayId === true;

	useEffect(() => {
		if (runners === undefined || getValues("runnerId") !== "") return;
		const last = runners.find((one) => one.id === lastChoice()?.runnerId);
		const online = runners.filter((one) => one.state === "online");
		const only = runners.length === 1 ? runners[0] : online.length === 1 ? online[0] : undefined;
		const chosen = last ?? only;
		if (chosen) setValue("runnerId", String(chosen.id));
	}, [runners, getValues, setValue]);

	useEffect(() => {
		const runner = runners?.find((one) => String(one.id) === runnerId);
		if (runner === undefined || displaysOf.current === runnerId) return;
		displaysOf.current = runnerId;
		if (typed && getValues("displayId") !== "") return;
		const last = lastChoice();
		const wanted = last?.runnerId === runner.id ? last.displayId : undefined;
		const known = runner.displays.find((one) => one.id === wanted) ?? runner.displays[0];
		setValue("displayId", known?.id ?? "", { shouldDirty: false });
	}, [runners, runnerId, typed, getValues, setValue]);
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
