"use client";

import type { FieldErrors, Path, Resolver, UseFormReturn } from "react-hook-form";
import { bodyOf, fieldOf, type JobFormValues, messageOf } from "#lib/client/job-form-values.ts";
import { faultsOf } from "#lib/contract/faults.ts";
import { createJobBodySchema } from "#lib/contract/job.ts";
import type { Fault } from "#lib/contract/problem.ts";

export type JobForm = UseFormReturn<JobFormValues>;

/** What the fields of every stop condition get. */
export interface ConfigFieldsProps {
	form: JobForm;
	/** Stands beside the password in place of its usual hint. */
	passwordHint?: string;
}

/**
 * Judges the form by the API's own schema: what would be sent is parsed, and its faults, which
 * have the same shape as the server's, go back to the fields. (The stock zod resolver judges the
 * form's values themselves, which are text.)
 */
export const jobFormResolver: Resolver<JobFormValues> = (values) => {
	const body = bodyOf(values);
	const judged = createJobBodySchema.safeParse(body);
	if (judged.success) return { values, errors: {} };
	const errors = {};
	for (const fault of faultsOf(judged.error.issues, body)) {
		put(errors, fieldOf(fault.path, values.stopCondition) ?? "root", { type: fault.code, message: messageOf(fault) });
	}
	return { values: {}, errors: errors as FieldErrors<JobFormValues> };
};

/** Sets the first error at a dotted path; later ones of the same field wait their turn. */
function put(errors: Record<string, unknown>, path: string, error: { type: string; message: string }): void {
	const keys = path.split(".");
	let place = errors;
	for (const key of keys.slice(0, -1)) {
		place[key] ??= {};
		place = place[key] as Record<string, unknown>;
	}
	place[keys.at(-1) as string] ??= error;
}

/** Puts the server's faults beside their fields, and the focus in the first of these; gives back the words of those that have none. */
export function showFaults(form: JobForm, faults: readonly Fault[]): string[] {
	const condition = form.getValues("stopCondition");
	let focused = false;
	return faults.flatMap((fault) => {
		const field = fieldOf(fault.path, condition);
		if (field === null) return [fault.message];
		form.setError(
			field as Path<JobFormValues>,
			{ type: fault.code, message: messageOf(fault) },
			{ shouldFocus: !focused },
		);
		focused = true;
		return [];
	});
}
