import type { ReactElement } from "react";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { STOP_CONDITIONS, type StopCondition } from "#lib/contract/stop-condition.ts";
import { STOP_CONDITION_LABELS } from "../job-labels.ts";
import { DurationFields } from "./duration-fields.tsx";
import type { JobForm } from "./job-form.ts";
import { SeleniumIdleFields } from "./selenium-idle-fields.tsx";

const HINTS: Record<StopCondition, string> = {
	duration: "Stops after a set time.",
	interrupt: "Records until the job is cancelled.",
	selenium_idle: "Stops when a Selenium Grid has had no session for 5 seconds.",
};

interface Props {
	form: JobForm;
	/** Replaces the hint of the grid password. */
	passwordHint?: string;
}

/** The stop condition, and the fields of the chosen one and no others. */
export function StopConditionFields({ form, passwordHint }: Props) {
	const condition = useWatch({ control: form.control, name: "stopCondition" });
	return (
		<>
			<Field label="Stop condition" hint={HINTS[condition]} error={form.formState.errors.stopCondition?.message}>
				{(control) => (
					<select {...control} {...form.register("stopCondition")}>
						{STOP_CONDITIONS.map((one) => (
							<option key={one} value={one}>
								{STOP_CONDITION_LABELS[one]}
							</option>
						))}
					</select>
				)}
			</Field>
			<ConfigFields condition={condition} form={form} passwordHint={passwordHint} />
		</>
	);
}

function ConfigFields({ condition, form, passwordHint }: Props & { condition: StopCondition }): ReactElement | null {
	switch (condition) {
		case "duration":
			return <DurationFields form={form} />;
		case "interrupt":
			return null;
		case "selenium_idle":
			return <SeleniumIdleFields form={form} passwordHint={passwordHint} />;
	}
}
