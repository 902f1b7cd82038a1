"use client";

import { type ComponentProps, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { useLazyModule } from "./use-lazy-module.ts";

/** Props that a `MenuButton` passes to its menu. */
export interface MenuControl {
	trigger: RefObject<HTMLButtonElement | null>;
	open: boolean;
	/** A key opened it: the first item takes the focus. */
	byKeyboard: boolean;
	onOpenChange(open: boolean): void;
	"aria-labelledby": string;
}

interface Props<T> extends ComponentProps<"button"> {
	/** Fetches the menu's module; a stable function. */
	load(): Promise<T>;
	/** Renders the menu of the fetched module: a `MenuPanel` with the given props. */
	menu(module: T, control: MenuControl): ReactNode;
	ref?: RefObject<HTMLButtonElement | null>;
}

/** A button with a menu, which is fetched when the pointer or the focus comes near the button. */
export function MenuButton<T>({ load, menu, ref, children, ...button }: Props<T>) {
	const own = useRef<HTMLButtonElement>(null);
	const trigger = ref ?? own;
	const id = useId();
	const [open, setOpen] = useState(false);
	const [byKeyboard, setByKeyboard] = useState(false);
	const [module, fetch] = useLazyModule(load);
	const press = async (keyboard: boolean) => {
		if (open) setOpen(false);
		else if (await fetch()) {
			setByKeyboard(keyboard);
			setOpen(true);
		}
	};
	return (
		<>
			<button
				type="button"
				id={id}
				ref={trigger}
				aria-haspopup="menu"
				aria-expanded={open}
				{...button}
				onPointerEnter={() => void fetch(true)}
				onFocus={() => void fetch(true)}
				onClick={(event) => {
					event.stopPropagation();
					// A click that no pointer made: Enter or the space bar.
					void press(event.detail === 0);
				}}
				onKeyDown={(event) => {
					if (event.key !== "ArrowDown" || open) return;
					event.preventDefault();
					event.stopPropagation();
					void press(true);
				}}
			>
				{children}
			</button>
			{module === null
				? null
				: menu(module, { trigger, open, byKeyboard, onOpenChange: setOpen, "aria-labelledby": id })}
		</>
	);
}
