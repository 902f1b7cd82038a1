import type { FieldValues, Path } from "react-hook-form";
import { InputField, type ServerForm } from "#components/ui/form.tsx";

interface Props<V extends FieldValues> {
	form: ServerForm<V>;
	name: Path<V>;
	label: string;
	className?: string;
}

/** For a password that is being chosen: password managers offer one. */
export const NewPasswordField = <V extends FieldValues>(props: Props<V>) => (
	<InputField {...props} hint="At least 10 characters." type="password" autoComplete="new-password" />
);
