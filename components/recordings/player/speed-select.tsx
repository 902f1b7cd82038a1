"use client";

import { useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { titleWithKeys } from "./icon-button.tsx";
import { SPEEDS } from "./player-preferences.ts";

interface Props {
	speed: number;
	disabled?: boolean;
	onChange(speed: number): void;
}

/** Selects the playback speed. */
export function SpeedSelect({ speed, disabled, onChange }: Props) {
	const isNamed = useSingleKeys();
	return (
		<select
			aria-label="Speed"
			aria-keyshortcuts={isNamed ? "< >" : undefined}
			title={isNamed ? titleWithKeys("Speed", "< >") : "Speed"}
			value={speed}
			disabled={disabled}
			onChange={(event) => onChange(Number(event.target.value))}
			className="h-8 rounded-md border border-transparent bg-transparent ps-1 [field-sizing:content] text-xs text-muted tabular-nums hover:bg-hover hover:text-ink disabled:opacity-60"
		>
			{SPEEDS.map((one) => (
				<option key={one} value={one}>
					{`${one}×`}
				</option>
			))}
		</select>
	);
}
