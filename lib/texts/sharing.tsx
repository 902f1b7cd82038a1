/** The words of sharing a recording, and of the page that is shared. */
import type { ReactNode } from "react";

export const sharingTexts = {
	title: "Share this recording",
	intro: "Whoever has the link sees this one video, its name and its markers, without signing in.",
	expires: "Ends",
	lives: { 1: "In 1 day", 7: "In 7 days", 30: "In 30 days", never: "Never" },
	create: "Create link",
	created: "Here is the link. Copy it now: it is shown only this once.",
	copy: "Copy the link",
	links: "Links",
	none: "Nobody outside can see it.",
	notLoaded: (why: string) => `The links could not be loaded. ${why}`,
	madeBy: (who: string, when: ReactNode) => (
		<>
			made by {who} {when}
		</>
	),
	endsOn: (when: ReactNode) => <>ends {when}</>,
	neverEnds: "never ends",
	end: "End",
	endOne: (prefix: string) => `End the link ${prefix}…`,
	ended: "Ended the link.",
	notEnded: (why: string) => `The link was not ended. ${why}`,
	sharedBy: "Shared from Tapedeck",
	until: (when: ReactNode) => <>This page works until {when}.</>,
	gone: "This link leads nowhere",
	goneWhy: "It was ended, it has expired, or not all of it was copied. Ask who sent it for a new one.",
} as const;
