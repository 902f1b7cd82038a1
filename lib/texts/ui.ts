/** The words of buttons, dialogs and notices that every feature uses. */

export const uiTexts = {
	close: "Close",
	keep: "Keep",
	tryAgain: "Try again",
	copyRefused: "The browser did not allow copying. Select the text and copy it by hand.",
	partMissing: "This part of the page could not be fetched. Check your connection, then try again.",
} as const;
