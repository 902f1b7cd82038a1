"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { clsx } from "clsx";
import { type ComponentProps, type Ref, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { MenuControl } from "./menu-button.tsx";

// Not modal: otherwise a dialog opened by an item would have to wait until the menu releases the page.
export const MenuRoot = (props: ComponentProps<typeof Radix.Root>) => <Radix.Root modal={false} {...props} />;

interface ContentProps extends ComponentProps<typeof Radix.Content> {
	/** The element that it is rendered into; defaults to the end of the page. */
	container?: Element | null;
}

export function MenuContent({ className, container, ...rest }: ContentProps) {
	return (
		<Radix.Portal container={container}>
			<Radix.Content
				align="end"
				sideOffset={4}
				collisionPadding={8}
				className={clsx(
					"motion-fade z-50 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-float",
					className,
				)}
				{...rest}
			/>
		</Radix.Portal>
	);
}

export function MenuItem({ className, danger, ...rest }: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
	return (
		<Radix.Item
			className={clsx(
				"flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm outline-none select-none [&>svg]:size-4 [&>svg]:text-muted",
				"data-highlighted:bg-hover data-disabled:opacity-60",
				danger && "text-danger [&>svg]:text-danger",
				className,
			)}
			{...rest}
		/>
	);
}

export const MenuLabel = (props: ComponentProps<typeof Radix.Label>) => (
	<Radix.Label className="px-2 py-1.5 text-xs text-muted" {...props} />
);
export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />;

/** A menu is rendered into the landmark of its button, so that screen readers find it there. */
const LANDMARKS = "[data-drawer], main, aside, header";

/** The menu of a `MenuButton`. */
export function MenuPanel({
	trigger,
	open,
	byKeyboard,
	onOpenChange,
	...content
}: MenuControl & Omit<ComponentProps<typeof MenuContent>, "onInteractOutside">) {
	const box = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (!open || !byKeyboard) return;
		// Radix loaded after the key was pressed, and so assumes a pointer.
		const frame = requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus());
		return () => cancelAnimationFrame(frame);
	}, [open, byKeyboard]);
	return (
		<MenuRoot open={open} onOpenChange={onOpenChange}>
			<Radix.Trigger asChild>
				<Adopted element={trigger} />
			</Radix.Trigger>
			<MenuContent
				ref={box}
				container={trigger.current?.closest(LANDMARKS)}
				// Hides clicks from the elements around the menu, such as a row that opens on a click.
				onClick={(event) => event.stopPropagation()}
				{...content}
				onInteractOutside={(event) => {
					// The button closes its menu itself. If this handler closed it as well, the button would open it again.
					if (event.target instanceof Node && trigger.current?.contains(event.target)) event.preventDefault();
				}}
			/>
		</MenuRoot>
	);
}

/** Passes an element that is rendered elsewhere as the child that Radix needs. */
function Adopted({ element, ref }: { element: RefObject<HTMLButtonElement | null>; ref?: Ref<HTMLButtonElement> }) {
	useLayoutEffect(() => {
		if (typeof ref === "function") ref(element.current);
		else if (ref) ref.current = element.current;
	}, [ref, element]);
	return null;
}
