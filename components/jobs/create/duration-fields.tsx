import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { formatSpan } from "#lib/client/format.ts";
import { jobFieldTexts as texts } from "#lib/texts/create-job.ts";
import { ChoiceChip } from "../choice-chip.tsx";
import type { ConfigFieldsProps } from "../job-form.ts";

const NAME = "config.duration.durationSeconds";
const COMMON_SECONDS = [30, 60, 300, 3600];

export function DurationFields({ form }: ConfigFieldsProps) {
	const error = form.formState.errors.config?.duration?.durationSeconds;
	const typed = useWatch({ control: form.control, name: NAME });
	const seconds = /^\s*\d{1,7}\s*$/.test(typed) ? Number(typed) : 0;
	return (
		<Field
			label={texts.durationSeconds}
			hint={seconds >= 60 ? texts.durationInWords(formatSpan(seconds)) : texts.durationHint}
			error={error?.message}
		>
			{(control) => (
				<div className="flex flex-wrap gap-2">
					<input
						{...control}
						{...form.register(NAME)}
						className={`${control.className} basis-28 grow`}
						type="number"
						inputMode="numeric"
						min={1}
						step={1}
					/>
					<fieldset className="flex flex-wrap gap-1.5">
						<legend className="sr-only">{texts.commonDurations}</legend>
						{COMMON_SECONDS.map((common) => (
							<ChoiceChip
								key={common}
								chosen={seconds === common}
								className="h-8 px-2.5"
								onChoose={() =>
									form.setValue(NAME, String(common), {
										shouldDirty: true,
										shouldValidate: form.formState.isSubmitted,
									})
								}
							>
								{formatSpan(common)}
							</ChoiceChip>
						))}
					</fieldset>
				</div>
			)}
		</Field>
	);
}
