import { useWatch } from "react-hook-form";
import { KeepSelect, LABELS_HINT, LabelsInput } from "#components/recordings/keeping-inputs.tsx";
import { Field } from "#components/ui/field.tsx";
import type { JobForm } from "./job-form.ts";

/** Fields for labels, the maximum length of the recording and its keep policy. */
export function KeepingFields({ form }: { form: JobForm }) {
	const { errors } = form.formState;
	const [type, condition] = useWatch({ control: form.control, name: ["type", "stopCondition"] });
	return (
		<>
			<Field label="Labels" hint={LABELS_HINT} error={errors.labels?.message}>
				{(control) => <LabelsInput {...control} {...form.register("labels")} placeholder={"build=123\nbranch=main"} />}
			</Field>
			<div className="grid gap-4 sm:grid-cols-2">
				<Field label={type === "recording" ? "Keep video" : "Keep"} error={errors.keep?.message}>
					{(control) => <KeepSelect {...control} {...form.register("keep")} />}
				</Field>
				{type !== "recording" || condition === "duration" ? null : (
					<Field
						label="Maximum length (seconds)"
						hint="Leave blank for the default."
						error={errors.maxDurationSeconds?.message}
					>
						{(control) => (
							<input
								{...control}
								{...form.register("maxDurationSeconds")}
								type="number"
								inputMode="numeric"
								min={1}
								step={1}
							/>
						)}
					</Field>
				)}
			</div>
		</>
	);
}
