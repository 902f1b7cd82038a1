"use client";

import { Toaster as Sonner } from "sonner";
import { useClientValue } from "./use-client-value.ts";

const dirOfPage = () => (document.documentElement.dir === "rtl" ? "rtl" : "ltr");

/** The place of toasts. Alt+T moves the focus there, and while it has the focus or the pointer, toasts stay. */
export function Toaster() {
	const dir = useClientValue(dirOfPage, "ltr");
	// Sonner would take the focus back from the element that gets it after a toast, such as a form that a key has just opened.
	// It does not if it has not seen the focus come; `FocusKeeper` gives it back when the toast goes.
	return (
		<div onFocusCapture={(event) => event.stopPropagation()}>
			<Sonner
				dir={dir}
				position={dir === "rtl" ? "bottom-left" : "bottom-right"}
				mobileOffset={{ bottom: 72 }}
				theme="system"
				closeButton
				containerAriaLabel="Notifications"
				toastOptions={{ className: "font-sans pointer-events-auto", closeButtonAriaLabel: "Close this notification" }}
			/>
		</div>
	);
}
