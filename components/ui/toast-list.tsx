"use client";

import { useEffect, useState } from "react";
import { Toaster, toast } from "sonner";
import { showToastsWith } from "./toast.ts";

/** Sonner's list of toasts: Alt T moves the focus there, and a pointer or the focus on it keeps toasts from going. */
export function ToastList() {
	// Effects of children come first, so the list is listening by then.
	useEffect(() => {
		showToastsWith(toast);
		return () => showToastsWith(null);
	}, []);
	const [dir] = useState<"rtl" | "ltr">(() => (document.documentElement.dir === "rtl" ? "rtl" : "ltr"));
	// Sonner would take the focus back from whatever gets it after a toast, such as a form that a key has just opened.
	// Without having seen the focus come it does not; `FocusKeeper` gives it back when the toast goes.
	return (
		<div onFocusCapture={(event) => event.stopPropagation()}>
			<Toaster
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
