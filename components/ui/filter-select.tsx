import { inputClass } from "./field.tsx";

interface Props {
	label: string;
	value: string;
	options: readonly (readonly [value: string, name: string])[];
	onChange(value: string): void;
}

/** A filter of a list, chosen from a few values. */
export const FilterSelect = ({ label, value, options, onChange }: Props) => (
	<select
		aria-label={label}
		value={value}
		onChange={(event) => onChange(event.target.value)}
		className={inputClass(false, "max-lg:min-w-30 max-lg:flex-1 lg:w-36 lg:shrink-0")}
	>
		{options.map(([one, name]) => (
			<option key={one} value={one}>
				{name}
			</option>
		))}
	</select>
);
