"use client";

import { titleWithKeys } from "./icon-button.tsx";
import { SPEEDS } from "./player-preferences.ts";

interface Props {
	speed: number;
	disabled?: boolean;
	onChange(speed: number): void;
}

/** How fast a video plays. */
export const SpeedSelect = ({ speed, disabled, onChange }: Props) => (
	<select
		aria-label="Speed"
		aria-keyshortcuts="< >"
		title={titleWithKeys("Speed", "< >")}
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
