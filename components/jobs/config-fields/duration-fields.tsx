import { Field } from "#components/ui/field.tsx";
import type { ConfigFieldsProps } from "../job-form.ts";

export function DurationFields({ form }: ConfigFieldsProps) {
	const errors = form.formState.errors.config?.duration;
	return (
		<Field
			label="Duration (seconds)"
			hint="From the first picture on; at most 7 days."
			error={errors?.durationSeconds?.message}
		>
			{(control) => (
				<input
					{...control}
					{...form.register("config.duration.durationSeconds")}
					type="number"
					inputMode="numeric"
					min={1}
					step={1}
				/>
			)}
		</Field>
	);
}
