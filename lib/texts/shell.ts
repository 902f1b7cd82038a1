/** The words of the frame around every page. */

export const shellTexts = {
	skipToContent: "Skip to the content",
	sidebar: "Sidebar",
	mainNavigation: "Main",
	jobs: "Jobs",
	recordings: "Recordings",
	runners: "Runners",
	settings: "Settings",
	notConnected: "Not connected. What you see may be old; trying again.",
} as const;
