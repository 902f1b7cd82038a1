import { type Ref, useId } from "react";

interface Props<Value extends string> {
	legend: string;
	/** The description of each value, in the order of display. */
	labels: Readonly<Record<Value, string>>;
	chosen: readonly Value[];
	onChange(chosen: Value[]): void;
	/** The first checkbox, which gets the focus if the choice is wrong. */
	firstRef: Ref<HTMLInputElement>;
	error: string | undefined;
}

/** A checkbox for each value, with its description above the value itself. */
export function CheckboxGroup<Value extends string>({
	legend,
	labels,
	chosen,
	onChange,
	firstRef,
	error,
}: Props<Value>) {
	const errorId = useId();
	return (
		<fieldset aria-describedby={error === undefined ? undefined : errorId}>
			<legend className="text-sm font-medium">{legend}</legend>
			<div className="mt-1 grid gap-x-4 sm:grid-cols-2">
				{(Object.keys(labels) as Value[]).map((value, at) => (
					<label key={value} className="flex items-center gap-1 py-0.5 text-sm">
						<input
							type="checkbox"
							ref={at === 0 ? firstRef : undefined}
							className="checkbox -ms-2"
							checked={chosen.includes(value)}
							onChange={({ target }) =>
								onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
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
