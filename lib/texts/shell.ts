/** The words of the frame around every page. */

export const shellTexts = {
	product: "Tapedeck",
	skipToContent: "Skip to the content",
	sidebar: "Sidebar",
	mainNavigation: "Main",
	jobs: "Jobs",
	recordings: "Recordings",
	runners: "Runners",
	settings: "Settings",

	search: "Search…",
	searchKey: (command: string) => `${command} K`,
	shortcuts: "Keyboard shortcuts",

	pageTitle: (page: string) => `${page} · Tapedeck`,
	/** The tab's title, with how many jobs are being recorded. */
	tabTitle: (page: string, recording: number) => (recording > 0 ? `● ${recording} recording · ${page}` : page),

	yourAccount: "Your account",
	accountOf: (name: string, organization: string) => `Your account: ${name} ${organization}`,
	roleOf: (role: string, organization: string) => `${role} of ${organization}`,
	switchTo: (organization: string) => `Switch to ${organization}`,
	signOut: "Sign out",
	stillSignedIn: (why: string) => `You are still signed in. ${why}`,

	connection: {
		offline: "You are offline. What you see may be old; it goes on by itself.",
		lost: "Not connected. What you see may be old; trying again.",
		back: "Back again. Everything is up to date.",
	},

	diskFull: "The dashboard’s disk is full, so uploads wait.",
	diskFullMeans: "Nothing is lost: runners keep their videos and send them when there is room.",
	diskFullFigures: (free: string, total: string, reserve: string) =>
		`${free} of ${total} are free, and ${reserve} are kept for the database.`,
	quotaUsedUp: "Your organization’s recordings take all the room that they may, so uploads wait.",
	quotaFigures: (used: string, quota: string) => `They take ${used} of ${quota}.`,
	deleteRecordings: "Delete recordings",
	or: "or",
	shortenRetention: "shorten their retention",
	fullStop: ".",
} as const;
