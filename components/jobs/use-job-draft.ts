"use client";

import { useCallback, useEffect, useRef } from "react";
import { draftOf, forgetDraft, keepDraft } from "#lib/client/job-draft.ts";
import type { JobFormValues } from "#lib/client/job-form-values.ts";
import type { JobForm } from "./job-form.ts";

/** Random enough, also where the page is not served securely and crypto.randomUUID is absent. */
const freshKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Keeps what is typed under `name`, from keystroke to keystroke, so that closing the form and reloading the page
 * lose nothing; and with it the idempotency key that these very values are sent under.
 */
export function useJobDraft(form: JobForm, name: string) {
	const key = useRef<string | null>(null);
	const isOver = useRef(false);

	useEffect(() => {
		key.current = draftOf(name)?.key ?? null;
		let touched = false;
		return form.subscribe({
			formState: { values: true, dirtyFields: true },
			callback: ({ values, dirtyFields }) => {
				// What the form chose by itself is no draft.
				touched ||= Object.keys(dirtyFields ?? {}).length > 0;
				if (!touched || isOver.current) return;
				// Other values are another job.
				key.current = null;
				keepDraft(name, { values: structuredClone(values), key: null });
			},
		});
	}, [form, name]);

	return {
		/** The key to send `values` under: the same until they change, so that sent twice, they make one job. */
		keyFor: useCallback(
			(values: JobFormValues): string => {
				key.current ??= freshKey();
				keepDraft(name, { values: structuredClone(values), key: key.current });
				return key.current;
			},
			[name],
		),
		/** Nothing is kept any more: the job was created. */
		finish: useCallback(() => {
			isOver.current = true;
			forgetDraft(name);
		}, [name]),
		/** Begins anew with `values`. */
		startOver: useCallback(
			(values: JobFormValues) => {
				form.reset(values);
				key.current = null;
				forgetDraft(name);
			},
			[form, name],
		),
	};
}
