import type { ComponentType } from "react";
import type { StopCondition } from "#lib/contract/stop-condition.ts";
import type { ConfigFieldsProps } from "../job-form.ts";
import { DurationFields } from "../create/duration-fields.tsx";
import { InterruptFields } from "./interrupt-fields.tsx";
import { SeleniumIdleFields } from "../create/selenium-idle-fields.tsx";

const FIELDS: Record<StopCondition, ComponentType<ConfigFieldsProps>> = {
	duration: DurationFields,
	interrupt: InterruptFields,
	selenium_idle: SeleniumIdleFields,
};

/** The fields of the chosen condition and no others. */
export function ConfigFields({ condition, ...rest }: ConfigFieldsProps & { condition: StopCondition }) {
	const Fields = FIELDS[condition];
	return <Fields {...rest} />;
}
