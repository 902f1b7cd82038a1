import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

export const inputClass = (invalid = false, className?: string): string =>
	clsx(
		"h-8 w-full min-w-0 rounded-md border bg-surface px-2.5 text-base text-ink placeholder:text-muted sm:text-sm",
		"focus-visible:outline-offset-0",
		invalid ? "border-danger" : "border-line-strong",
		className,
	);

export interface FieldControl {
	id: string;
	"aria-invalid": boolean | undefined;
	"aria-describedby": string | undefined;
	className: string;
}

interface Props {
	label: string;
	/** A sentence below the field, for as long as there is no error. */
	hint?: ReactNode;
	error?: string;
	className?: string;
	/** Draws the control with the given attributes. */
	children(control: FieldControl): ReactNode;
}

/** A label, its control, and below them a hint or the error. */
export function Field({ label, hint, error, className, children }: Props) {
	const id = useId();
	const noteId = `${id}-note`;
	const noted = error !== undefined || hint !== undefined;
	return (
		<div className={clsx("flex min-w-0 flex-col gap-1", className)}>
			<label htmlFor={id} className="text-sm font-medium">
				{label}
			</label>
			{children({
				id,
				"aria-invalid": error === undefined ? undefined : true,
				"aria-describedby": noted ? noteId : undefined,
				className: inputClass(error !== undefined),
			})}
			{noted ? (
				<p id={noteId} className={clsx("text-xs", error === undefined ? "text-muted" : "text-danger")}>
					{error ?? hint}
				</p>
			) : null}
		</div>
	);
}
