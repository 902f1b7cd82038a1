/** The words of the pages that stand instead of another, and what tabs are called. */

export const pageTitles = {
	jobs: "Jobs",
	recordings: "Recordings",
	runners: "Runners",
	settings: "Settings",
	signIn: "Sign in",
	setUp: "Set up",
	api: "API",
	notHere: "Not here",
	product: "Tapedeck",
	description: "Recording jobs on your runners, and the videos that they leave behind.",
} as const;

export const brokenTexts = {
	title: "This page broke",
	means: "Your jobs and recordings are not touched by it. Try again; if it breaks once more, look in the server’s log.",
	/** What the log calls it. */
	inLog: "The log calls it",
	tryAgain: "Try again",
	jobs: "Jobs",
} as const;

export const notHereTexts = {
	title: "There is nothing at this address",
	means: "It may have been deleted, or the link is not complete. Look for it in the list.",
	jobs: "Jobs",
	recordings: "Recordings",
} as const;
