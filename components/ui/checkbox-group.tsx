import { useId } from "react";
import { useController } from "react-hook-form";
import type { ServerForm } from "./form.tsx";

interface Props<Name extends string, Value extends string, V extends Record<Name, Value[]>> {
	form: ServerForm<V>;
	/** The field that has the chosen values, of which there must be one at least. */
	name: Name;
	legend: string;
	/** The description of each value, in the order of display. */
	labels: Readonly<Record<Value, string>>;
	/** The error if none is chosen. */
	noneChosen: string;
}

/** A checkbox for each value, with its description above the value itself. The first one gets the focus if the choice is wrong. */
export function CheckboxGroup<Name extends string, Value extends string, V extends Record<Name, Value[]>>(
	props: Props<Name, Value, V>,
) {
	const { name, legend, labels, noneChosen } = props;
	// A form with more fields has this one too.
	const form = props.form as unknown as ServerForm<Record<string, Value[]>>;
	const { field } = useController({
		control: form.control,
		name,
		rules: { validate: (chosen) => chosen.length > 0 || noneChosen },
	});
	const chosen: readonly Value[] = field.value;
	const error = form.errorOf(name);
	const errorId = useId();
	return (
		<fieldset aria-describedby={error === undefined ? undefined : errorId}>
			<legend className="text-sm font-medium">{legend}</legend>
			<div className="mt-1 grid gap-x-4 sm:grid-cols-2">
				{(Object.keys(labels) as Value[]).map((value, at) => (
					<label key={value} className="flex items-center gap-1 py-0.5 text-sm">
						<input
							type="checkbox"
							ref={at === 0 ? field.ref : undefined}
							className="checkbox -ms-2"
							checked={chosen.includes(value)}
							onChange={({ target }) =>
								field.onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
							}
						/>
						<span className="min-w-0">
							<span className="block leading-tight">{labels[value]}</span>
							<code className="text-xs text-muted">{value}</code>
						</span>
					</label>
				))}
			</div>
			{error === undefined ? null : (
				<p id={errorId} role="alert" className="mt-1 text-xs text-danger">
					{error}
				</p>
			)}
		</fieldset>
	);
}
