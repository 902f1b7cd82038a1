"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { formatSpan } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { type JobForm, NO_BUFFER } from "./job-form.ts";

/**
 * Field for the length of the display's past. Shown for runners with a buffer; for others only while it has a value, because
 * every value that is sent must be visible.
 */
export function PastField({ form }: { form: JobForm }) {
	const runners = useQuery(runnersQuery()).data;
	const [runnerId, typed] = useWatch({ control: form.control, name: ["runnerId", "preSeconds"] });
	// Emptied, it stays until it is left: who types in it must not lose the focus.
	const [hasFocus, setFocus] = useState(false);
	const seconds = runners?.find(({ id }) => String(id) === runnerId)?.bufferSeconds ?? null;
	if (seconds === null && typed === "" && !hasFocus) return null;
	return (
		<Field
			label="Begin earlier (seconds)"
			hint={
				seconds === null
					? NO_BUFFER
					: `Adds what the display has shown before. Maximum ${formatSpan(seconds)}, which this runner keeps.`
			}
			error={form.formState.errors.preSeconds?.message}
		>
			{(control) => (
				<input
					{...control}
					{...form.register("preSeconds", { onBlur: () => setFocus(false) })}
					onFocus={() => setFocus(true)}
					type="number"
					inputMode="numeric"
					min={0}
					max={seconds ?? undefined}
					step={1}
					placeholder="0"
				/>
			)}
		</Field>
	);
}
