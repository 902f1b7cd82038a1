"use client";

import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";

interface Props {
	label: string;
	hint?: string;
	/** Initial value of the field; when it changes, the field follows. */
	name: string;
	/** The label of the button. */
	action: string;
	save(name: string): Promise<void>;
}

/** A form with one name and the button that saves it. */
export function NameForm({ label, hint, name, action, save }: Props) {
	const form = useServerForm({ name }, (values) => save(values.name));
	return (
		<form {...form.props} className="flex max-w-md flex-col items-start gap-3">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="name"
				label={label}
				hint={hint}
				maxLength={100}
				autoComplete="off"
				className="w-full"
			/>
			<SubmitButton form={form}>{action}</SubmitButton>
		</form>
	);
}
