"use client";

/**
 * The unsent values of the create form, and the choices for the last job. Both per organization.
 * The draft lives as long as the tab, across closing the form and reloading the page; the password only in memory.
 */
import { useCallback, useEffect, useRef } from "react";
import {
	EMPTY_JOB_FORM,
	hasPassword,
	type JobForm,
	type JobFormValues,
	restoreValues,
	withoutPassword,
} from "./job-form.ts";

export interface JobDraft {
	values: JobFormValues;
	/** The idempotency key that exactly these values were sent under, if they were: the answer may have been lost. */
	key: string | null;
}

/** Selects a form of an organization: the empty one, or the one that repeats a job. */
export const draftName = (organizationId: number, repeated: number | null): string =>
	`tapedeck.job-draft.${organizationId}.${repeated ?? "new"}`;

/** Drafts of this tab, with their passwords. */
const drafts = new Map<string, JobDraft>();

export function readDraft(name: string): JobDraft | undefined {
	const inMemory = drafts.get(name);
	if (inMemory !== undefined) return inMemory;
	const stored = readJson(() => sessionStorage.getItem(name)) as Partial<JobDraft> | undefined;
	if (stored === undefined) return undefined;
	return {
		values: restoreValues(EMPTY_JOB_FORM, stored.values),
		key: typeof stored.key === "string" ? stored.key : null,
	};
}

export function saveDraft(name: string, draft: JobDraft): void {
	drafts.set(name, draft);
	// Without its password the same values are another body, which must not be sent under the same key.
	const stored = { values: withoutPassword(draft.values), key: hasPassword(draft.values) ? null : draft.key };
	attempt(() => sessionStorage.setItem(name, JSON.stringify(stored)));
}

export function deleteDraft(name: string): void {
	drafts.delete(name);
	attempt(() => sessionStorage.removeItem(name));
}

const lastChoicesName = (organizationId: number): string => `tapedeck.last-job.${organizationId}`;

/** Fields that apply to one job only. */
const OWN = { type: "recording", path: "", name: "", labels: "", preSeconds: "", everySeconds: "" } as const;

/** Initial values of a new form: the choices for the last job, except for its own fields and its password. */
export function lastChoices(organizationId: number): JobFormValues {
	const stored = readJson(() => localStorage.getItem(lastChoicesName(organizationId)));
	return { ...restoreValues(EMPTY_JOB_FORM, stored), ...OWN };
}

/** Keeps the choices for a job that was created: most jobs are like the one before. */
export function saveChoices(organizationId: number, values: JobFormValues): void {
	const stored = JSON.stringify({ ...withoutPassword(values), ...OWN });
	attempt(() => localStorage.setItem(lastChoicesName(organizationId), stored));
}

function readJson(read: () => string | null): unknown {
	try {
		return JSON.parse(read() ?? "null") ?? undefined;
	} catch {
		// Storage is not available, or holds something else.
		return undefined;
	}
}

function attempt(write: () => void): void {
	try {
		write();
	} catch {
		// A browser that stores nothing still has the tab's memory.
	}
}

/** Random, also where the page is served over plain HTTP and crypto.randomUUID is absent. */
const newKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Saves what is typed under `name`, keystroke by keystroke, so that closing the form and reloading the page lose
 * nothing; and with it the idempotency key that exactly these values are sent under.
 */
export function useJobDraft(form: JobForm, name: string) {
	const key = useRef<string | null>(null);
	const isFinished = useRef(false);

	useEffect(() => {
		key.current = readDraft(name)?.key ?? null;
		let isEdited = false;
		return form.subscribe({
			formState: { values: true, dirtyFields: true },
			callback: ({ values, dirtyFields }) => {
				// Values that the form filled in by itself are no draft.
				isEdited ||= Object.keys(dirtyFields ?? {}).length > 0;
				if (!isEdited || isFinished.current) return;
				// Other values are another job.
				key.current = null;
				saveDraft(name, { values: structuredClone(values), key: null });
			},
		});
	}, [form, name]);

	return {
		/** The key to send `values` under: the same until they change, so that sending twice creates one job. */
		keyFor: useCallback(
			(values: JobFormValues): string => {
				key.current ??= newKey();
				saveDraft(name, { values: structuredClone(values), key: key.current });
				return key.current;
			},
			[name],
		),
		/** Deletes the draft: the job was created. */
		finish: useCallback(() => {
			isFinished.current = true;
			deleteDraft(name);
		}, [name]),
		/** Resets the form to `values` and deletes the draft. */
		startOver: useCallback(
			(values: JobFormValues) => {
				form.reset(values);
				key.current = null;
				deleteDraft(name);
			},
			[form, name],
		),
	};
}
