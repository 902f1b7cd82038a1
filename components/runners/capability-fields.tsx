import type { Capability } from "@tapedeck/contract/permissions.ts";
import { CheckboxGroup } from "#components/ui/checkbox-group.tsx";
import type { ServerForm } from "#components/ui/form.tsx";

const LABELS: Record<Capability, string> = {
	record: "Make recordings",
	screenshot: "Take screenshots",
	upload: "Upload files",
};

/** One checkbox for each capability of an API key or a runner token. */
export const CapabilityFields = <V extends { capabilities: Capability[] }>({ form }: { form: ServerForm<V> }) => (
	<CheckboxGroup
		form={form}
		name="capabilities"
		legend="Allowed to"
		labels={LABELS}
		noneChosen="Choose at least one."
	/>
);
