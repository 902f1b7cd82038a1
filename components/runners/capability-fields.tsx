import type { Capability } from "@tapedeck/contract/permissions.ts";
import { useController } from "react-hook-form";
import { CheckboxGroup } from "#components/ui/checkbox-group.tsx";
import type { ServerForm } from "#components/ui/form.tsx";

const LABELS: Record<Capability, string> = {
	record: "Make recordings",
	screenshot: "Take screenshots",
	upload: "Upload files",
};

interface Values {
	capabilities: Capability[];
}

/** One checkbox for each capability of an API key or a runner token. */
export function CapabilityFields<V extends Values>({ form: given }: { form: ServerForm<V> }) {
	// A form with more fields has this one too.
	const form = given as unknown as ServerForm<Values>;
	const { field } = useController({
		control: form.control,
		name: "capabilities",
		rules: { validate: (chosen) => chosen.length > 0 || "Choose at least one." },
	});
	return (
		<CheckboxGroup
			legend="Allowed to"
			labels={LABELS}
			chosen={field.value}
			onChange={field.onChange}
			firstRef={field.ref}
			error={form.errorOf("capabilities")}
		/>
	);
}
