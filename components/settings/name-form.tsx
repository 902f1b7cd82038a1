"use client";

import { FormFault } from "#components/session/form-fault.tsx";
import { useFormSubmit } from "#components/session/use-form-submit.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";

interface Props {
	label: string;
	hint?: string;
	name: string;
	/** The word on the button. */
	action: string;
	save(name: string): Promise<void>;
}

/** One name and the button that saves it. */
export function NameForm({ label, hint, name, action, save }: Props) {
	const { faults, busy, again, props } = useFormSubmit(["name"], async (text) => {
		await save(text("name"));
		again();
	});
	return (
		<form {...props} className="flex max-w-md flex-col items-start gap-3">
			<FormFault text={faults.form} />
			<Field label={label} hint={hint} error={faults.name} className="w-full">
				{/* Named anew, it is another field: what somebody else saved shows up. */}
				{(control) => (
					<input {...control} key={name} name="name" defaultValue={name} maxLength={100} autoComplete="off" />
				)}
			</Field>
			<Button type="submit" aria-disabled={busy}>
				{action}
			</Button>
		</form>
	);
}
