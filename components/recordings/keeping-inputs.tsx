import { KEEPS, type Keep } from "@tapedeck/contract/recording-kinds.ts";
import type { ComponentProps } from "react";

/** When the video is kept. */
export const KEEP_NAMES: Record<Keep, string> = { always: "Always", failed: "Unless the test passed" };

/** The keep policy of a job or an upload; its empty value is the organization's. */
export const KeepSelect = (props: ComponentProps<"select">) => (
	<select {...props}>
		<option value="">Default</option>
		{KEEPS.map((keep) => (
			<option key={keep} value={keep}>
				{KEEP_NAMES[keep]}
			</option>
		))}
	</select>
);

export const LABELS_HINT = "Optional. One key=value per line. Tests are found by test, build and branch.";

/** Labels as text: label-lines.ts reads it. */
export const LabelsInput = ({ className, ...props }: ComponentProps<"textarea">) => (
	<textarea
		{...props}
		rows={2}
		spellCheck={false}
		autoComplete="off"
		className={`${className} h-auto! min-h-14 py-1.5 font-mono text-xs!`}
	/>
);
