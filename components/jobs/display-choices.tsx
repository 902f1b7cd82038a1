"use client";

import { clsx } from "clsx";
import { useWatch } from "react-hook-form";
import { DisplayPicture } from "#components/runners/display-picture.tsx";
import type { Display, Runner } from "#lib/contract/runner.ts";
import { jobFieldTexts as texts } from "#lib/texts/create-job.ts";
import type { JobForm } from "./job-form.ts";

/** The displays of a runner with what they show now: a click fills the field above. */
export function DisplayChoices({ runner, form }: { runner: Runner; form: JobForm }) {
	const chosen = useWatch({ control: form.control, name: "displayId" });
	if (runner.displays.length === 0) return null;
	const choose = (id: string) =>
		form.setValue("displayId", id, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
	return (
		<fieldset className="min-w-0 sm:col-span-2">
			<legend className="sr-only">{texts.screens}</legend>
			<div className="grid max-h-52 grid-cols-[repeat(auto-fill,minmax(128px,1fr))] gap-2 overflow-y-auto p-0.5">
				{runner.displays.map((display) => (
					<Choice
						key={display.id}
						runner={runner}
						display={display}
						chosen={display.id === chosen}
						onChoose={() => choose(display.id)}
					/>
				))}
			</div>
		</fieldset>
	);
}

interface ChoiceProps {
	runner: Runner;
	display: Display;
	chosen: boolean;
	onChoose(): void;
}

const Choice = ({ runner, display: { id, width, height }, chosen, onChoose }: ChoiceProps) => (
	<div
		className={clsx(
			"relative rounded-md border p-1 has-focus-visible:outline-2 has-focus-visible:outline-accent",
			chosen ? "border-accent bg-accent-soft" : "border-line hover:bg-hover",
		)}
	>
		<DisplayPicture
			runnerId={runner.id}
			displayId={id}
			online={runner.state === "online"}
			className="rounded-sm! border-0!"
		/>
		{/* The button is the words alone, and reaches over the picture. */}
		<button
			type="button"
			aria-pressed={chosen}
			onClick={onChoose}
			className="flex w-full items-center justify-between gap-2 px-1 pt-1 text-xs outline-none after:absolute after:inset-0"
		>
			<span className="font-mono">{id}</span>
			<span className="text-muted tabular-nums">{texts.size(width, height)}</span>
		</button>
	</div>
);
