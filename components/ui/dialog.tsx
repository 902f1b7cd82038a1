"use client";

import * as Radix from "@radix-ui/react-dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { buttonClass } from "./button.tsx";

export const DialogRoot = Radix.Root;
export const DialogTitle = Radix.Title;
export const DialogDescription = Radix.Description;

/**
 * Covers the page behind a dialog. Not Radix's own, which also locks scrolling: our page never scrolls as a whole, and
 * the style sheet that Radix adds makes the browser recompute the style of every element. So do the pointer events that
 * Radix disables on the body and everything in it; they are enabled again, and this catches the pointer instead.
 */
function Scrim() {
	// Before Radix disables them on the body, and until it enables them again.
	useLayoutEffect(() => pageFrame()?.style.setProperty("pointer-events", "auto"), []);
	useEffect(() => () => void pageFrame()?.style.removeProperty("pointer-events"), []);
	return (
		<div
			data-dialog-overlay
			className="motion-fade pointer-events-auto fixed inset-0 z-40 touch-none bg-(--scrim)"
			aria-hidden
		/>
	);
}

const pageFrame = () => document.querySelector<HTMLElement>(".page-frame");

type ContentProps = ComponentProps<typeof Radix.Content>;

/** A toast is above every dialog; pressing its button must not close the dialog below. */
const onInteractOutside: ContentProps["onInteractOutside"] = (event) => {
	if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]")) event.preventDefault();
};

const AGAIN_MS = 20;
const OPEN_DIALOGS = ':is([role="dialog"], [role="alertdialog"])[data-state="open"]';

/**
 * Escape belongs to the topmost dialog. Radix takes the one below for it until the effects of a new one have run, although
 * the new one is shown and has the focus. So the key waits for it.
 */
function useEscapeOfTopmost() {
	const content = useRef<HTMLDivElement>(null);
	const onEscapeKeyDown = (event: KeyboardEvent) => {
		const topmost = [...document.querySelectorAll(OPEN_DIALOGS)].at(-1);
		if (topmost === undefined || topmost === content.current) return;
		event.preventDefault();
		const again = new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true });
		setTimeout(() => topmost.dispatchEvent(again), AGAIN_MS);
	};
	return { ref: content, onEscapeKeyDown };
}

/** A dialog in the middle of the page; on a phone it fills it. */
export function DialogContent({ className, narrow = false, children, ...rest }: ContentProps & { narrow?: boolean }) {
	const topmostKeys = useEscapeOfTopmost();
	return (
		<Radix.Portal>
			<Scrim />
			<Radix.Content
				className={clsx(
					"motion-fade fixed z-50 flex flex-col overflow-hidden bg-surface shadow-float outline-none",
					"inset-x-0 bottom-0 max-h-[94dvh] rounded-t-xl border-t border-line",
					"sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-[6dvh] sm:max-h-[88dvh] sm:-translate-x-1/2 sm:rounded-xl sm:border",
					narrow ? "sm:w-[min(100vw-32px,420px)]" : "sm:w-[min(100vw-32px,560px)]",
					className,
				)}
				onInteractOutside={onInteractOutside}
				{...topmostKeys}
				{...rest}
			>
				{children}
			</Radix.Content>
		</Radix.Portal>
	);
}

/** A dialog at the far edge, as tall as the page. */
export function DrawerContent({ className, children, ...rest }: ContentProps) {
	const topmostKeys = useEscapeOfTopmost();
	return (
		<Radix.Portal>
			<Scrim />
			<Radix.Content
				data-drawer
				className={clsx(
					"motion-slide fixed inset-y-0 end-0 z-50 flex w-full flex-col bg-surface shadow-float outline-none sm:w-[min(100vw-48px,680px)] sm:border-s sm:border-line",
					className,
				)}
				onInteractOutside={onInteractOutside}
				{...topmostKeys}
				{...rest}
			>
				{children}
			</Radix.Content>
		</Radix.Portal>
	);
}

export function DialogClose({ label = "Close" }: { label?: string }) {
	return (
		<Radix.Close className={buttonClass("ghost", "icon")} aria-label={label}>
			<X aria-hidden className="size-4" />
		</Radix.Close>
	);
}

/** Title and close button of a dialog in the middle. */
export function DialogHead({ title, description }: { title: string; description?: ReactNode }) {
	return (
		<div className="flex items-start justify-between gap-4 border-b border-line py-3 pe-3 ps-5">
			<div className="min-w-0 py-1">
				<Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
				{description ? (
					<Radix.Description className="mt-0.5 text-sm text-muted">{description}</Radix.Description>
				) : null}
			</div>
			<DialogClose />
		</div>
	);
}
