import { STOP_CONDITIONS, type StopCondition } from "@tapedeck/contract/stop-condition.ts";
import type { ReactElement } from "react";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { STOP_CONDITION_LABELS } from "../job-labels.ts";
import { DurationFields } from "./duration-fields.tsx";
import { GridFields } from "./grid-fields.tsx";
import type { JobForm } from "./job-form.ts";

const HINTS: Record<StopCondition, string> = {
	duration: "Stops after a set time.",
	interrupt: "Records until the job is cancelled.",
	selenium_idle: "Stops when a Selenium Grid has had no session for 5 seconds.",
	selenium_session: "Records one session of a Selenium Grid and stops when it ends.",
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
		case "selenium_session":
			// A key of its own: the fields of the two share no state.
			return <GridFields key={condition} form={form} condition={condition} passwordHint={passwordHint} />;
	}
}
