import { clsx } from "clsx";
import { type ComponentProps, createContext, useContext } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";

/**
 * Whether something is selected: then all boxes are shown. Told to each box by itself; by an attribute of the table the
 * browser would work out the style of every cell again.
 */
export const Selecting = createContext(false);

/**
 * A box to select rows by. It stays out of the way until the pointer or the focus is near, or something is selected; a
 * finger has no near. Only what it shows is hidden, and at once: half transparent, each would be a layer of its own to
 * the browser, all along a list that scrolls under a pointer.
 * @param props.className also says what is near
 */
export function SelectBox({ className, ...rest }: ComponentProps<typeof Checkbox>) {
	const atRest = !useContext(Selecting);
	return (
		<Checkbox
			className={clsx(
				className,
				atRest && "not-checked:before:invisible focus-visible:before:visible pointer-coarse:not-checked:before:visible",
			)}
			{...rest}
		/>
	);
}
