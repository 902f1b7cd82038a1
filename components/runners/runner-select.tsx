import { FilterSelect } from "#components/ui/filter-select.tsx";

interface Props {
	runners: readonly { id: number; name: string }[];
	runnerId: number | undefined;
	onChange(runnerId: number | undefined): void;
}

/** Filters a list by runner. One that no longer exists is shown by its id. */
export function RunnerSelect({ runners, runnerId, onChange }: Props) {
	const known = runnerId === undefined || runners.some(({ id }) => id === runnerId);
	const others = known ? runners : [...runners, { id: runnerId, name: `Runner ${runnerId}` }];
	return (
		<FilterSelect
			label="Filter by runner"
			value={String(runnerId ?? "")}
			options={[["", "All runners"], ...others.map(({ id, name }) => [String(id), name] as const)]}
			onChange={(id) => onChange(id === "" ? undefined : Number(id))}
		/>
	);
}
