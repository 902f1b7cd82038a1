"use client";

import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Monitor } from "lucide-react";
import Link from "next/link";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { runnersQuery } from "#lib/client/runners.ts";
import type { Runner } from "#lib/contract/runner.ts";
import type { JobForm } from "./job-form.ts";
import { useSensiblePlace } from "./use-sensible-place.ts";

/** Runner and display: where to record. */
export function PlaceFields({ form }: { form: JobForm }) {
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
			{runner && runner.displays.length > 1 ? <DisplayChoices runner={runner} form={form} /> : null}
		</div>
	);
}

/** What the runner offers: a list below a filled field would show only what is already in it. */
function DisplayChoices({ runner, form }: { runner: Runner; form: JobForm }) {
	const chosen = useWatch({ control: form.control, name: "displayId" });
	return (
		<div className="-mt-2 flex max-h-24 flex-wrap gap-1.5 overflow-y-auto p-0.5 sm:col-span-2">
			{runner.displays.map(({ id, width, height }) => (
				<button
					key={id}
					type="button"
					aria-pressed={id === chosen}
					onClick={() =>
						form.setValue("displayId", id, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
					}
					className={clsx(
						"flex h-7 items-center gap-1.5 rounded-md border px-2 text-xs",
						id === chosen ? "border-accent bg-accent-soft" : "border-line bg-inset text-muted hover:text-ink",
					)}
				>
					<Monitor aria-hidden className="size-3.5" />
					<span className="font-mono">{id}</span>
					<span className="tabular-nums">
						{width} × {height}
					</span>
				</button>
			))}
		</div>
	);
}
