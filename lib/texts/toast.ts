/** The words around every toast. */

export const toastTexts = {
	list: "Notifications",
	close: "Close this notification",
} as const;
