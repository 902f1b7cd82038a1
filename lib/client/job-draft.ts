/**
 * What was typed into the create form and not sent yet, and what was chosen last. Both per organization. The draft
 * lives as long as the tab, over closing the form and reloading the page; the password lives in memory alone.
 */
import { EMPTY_JOB_FORM, fitted, type JobFormValues, withoutPassword } from "./job-form-values.ts";

export interface JobDraft {
	values: JobFormValues;
	/** The idempotency key that these very values were sent under, when they were: the answer may have been lost. */
	key: string | null;
}

/** Which form of which organization: the empty one, or the one that repeats a job. */
export const draftName = (organizationId: number, repeated: number | null): string =>
	`tapedeck.job-draft.${organizationId}.${repeated ?? "new"}`;

/** Drafts of this tab, with their passwords. */
const drafts = new Map<string, JobDraft>();

export function draftOf(name: string): JobDraft | undefined {
	const kept = drafts.get(name);
	if (kept !== undefined) return kept;
	const written = read(() => sessionStorage.getItem(name)) as Partial<JobDraft> | undefined;
	if (written === undefined) return undefined;
	return {
		values: fitted(EMPTY_JOB_FORM, written.values),
		key: typeof written.key === "string" ? written.key : null,
	};
}

export function keepDraft(name: string, draft: JobDraft): void {
	drafts.set(name, draft);
	// Without its password the same values are another body, which must not be sent under the same key.
	const hasPassword = draft.values.config.selenium_idle.gridPassword !== "";
	const written = { values: withoutPassword(draft.values), key: hasPassword ? null : draft.key };
	attempt(() => sessionStorage.setItem(name, JSON.stringify(written)));
}

export function forgetDraft(name: string): void {
	drafts.delete(name);
	attempt(() => sessionStorage.removeItem(name));
}

const lastName = (organizationId: number): string => `tapedeck.last-job.${organizationId}`;

/** What a new form begins with: the choices of the last job, but its name and password. */
export function lastChoices(organizationId: number): JobFormValues {
	const kept = read(() => localStorage.getItem(lastName(organizationId)));
	return { ...fitted(EMPTY_JOB_FORM, kept), name: "" };
}

/** Keeps the choices of a job that was created: most jobs are like the one before. */
export function rememberChoices(organizationId: number, values: JobFormValues): void {
	const written = JSON.stringify({ ...withoutPassword(values), name: "" });
	attempt(() => localStorage.setItem(lastName(organizationId), written));
}

function read(from: () => string | null): unknown {
	try {
		return JSON.parse(from() ?? "null") ?? undefined;
	} catch {
		// Not allowed to look, or not ours.
		return undefined;
	}
}

function attempt(write: () => void): void {
	try {
		write();
	} catch {
		// A browser that keeps nothing: the memory of the tab is all there is.
	}
}
