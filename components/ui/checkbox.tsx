import { clsx } from "clsx";

interface Props {
	label: string;
	checked: boolean;
	/** Whether some of the items it stands for are checked, but not all. */
	partly?: boolean;
	/** @param range whether Shift was held: everything up to here is meant */
	onToggle(range: boolean): void;
	tabIndex?: number;
	className?: string;
}

/** The browser's own checkbox with our look (`.checkbox` in globals.css); a finger gets a target of 44 px. */
export function Checkbox({ label, checked, partly = false, onToggle, tabIndex, className }: Props) {
	return (
		<input
			type="checkbox"
			aria-label={label}
			checked={checked}
			ref={(input) => {
				if (input !== null) input.indeterminate = partly;
			}}
			tabIndex={tabIndex}
			onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey === true)}
			onClick={(event) => event.stopPropagation()}
			className={clsx("checkbox", className)}
		/>
	);
}
