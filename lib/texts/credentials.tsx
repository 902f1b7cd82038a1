/** The words of API keys and runner tokens. */
import type { ReactNode } from "react";
import type { Role, Scope } from "#lib/contract/organization.ts";
import { quoted } from "./isolated.ts";

export const credentialTexts = {
	apiKeys: "API keys",
	apiKeysIntro: (docs: (label: string) => ReactNode) => (
		<>
			Scripts send one as <code className="text-xs">Authorization: Bearer …</code>. What they can call stands in the{" "}
			{docs("API’s documentation")}.
		</>
	),
	runnerTokens: "Runner tokens",
	runnerTokensIntro: "Runners sign in with one. Revoking it turns its runners away within seconds.",
	createApiKey: "Create API key",
	createApiKeyHint: "It acts for this organization, and ends with your membership.",
	createKey: "Create key",
	createRunnerToken: "Create runner token",
	tokenName: "Name of the new runner token",
	name: "Name",
	namePlaceholder: "What is it for?",
	scopes: "Scopes",
	expires: "Expires",
	lastDay: "Last day",
	expiries: { 30: "In 30 days", 90: "In 90 days", 365: "In 365 days", date: "After a date", never: "Never" },
	none: "None yet.",
	notLoaded: (why: string) => `They could not be loaded. ${why}`,
	noScope: "Choose at least one.",
	noDay: "Choose a day that is still to come.",
	secretIs: (name: string) => `Here is ${quoted(name)}. Copy it now: it is shown only this once.`,
	copyKey: "Copy the API key",
	copyToken: "Copy the runner token",
	done: "Done",
	made: (when: ReactNode) => <>made {when}</>,
	madeBy: (when: ReactNode, who: string) => (
		<>
			made {when} by {who}
		</>
	),
	used: (when: ReactNode) => <>used {when}</>,
	neverUsed: "never used",
	expired: (when: ReactNode) => <>expired {when}</>,
	expiresOn: (when: ReactNode) => <>expires {when}</>,
	neverExpires: "never expires",
	endsOn: (when: ReactNode) => <>replaced, works until {when}</>,
	everything: "everything",
	limitedBy: (role: Role) => `Its maker is ${role} now, so that it does no more than that.`,
	revoke: "Revoke",
	revokeOne: (name: string) => `Revoke ${name}`,
	revokeQuestion: (name: string) => `Revoke ${quoted(name)}?`,
	revokeKeyEffect: "Whatever uses this API key is turned away from now on. It cannot be brought back.",
	revokeTokenEffect:
		"Runners that use this runner token are turned away at once; what they have recorded waits on their disks. It cannot be brought back.",
	revoked: (name: string) => `Revoked ${quoted(name)}.`,
	notRevoked: (name: string, why: string) => `${quoted(name)} was not revoked. ${why}`,
	rotate: "Rotate",
	rotateOne: (name: string) => `Rotate ${name}`,
	rotateTitle: (name: string) => `Rotate ${quoted(name)}`,
	rotateHint: "Makes a new token. The old one works on for a while, so that runners can be given the new one in turn.",
	grace: "The old one works on for",
	graces: { 0: "no time at all", 3600: "1 hour", 86400: "24 hours", 604800: "7 days", 2592000: "30 days" },
	rotateNow: "Make the new token",
	oldEnds: (when: ReactNode) => <>The old token works until {when}.</>,
} as const;

/** What each scope lets a key do. */
export const SCOPE_WORDS: Record<Scope, string> = {
	"jobs:read": "See jobs and follow what happens",
	"jobs:write": "Create and cancel jobs",
	"recordings:read": "See and download recordings",
	"recordings:write": "Upload, pin and delete recordings",
	"runners:read": "See runners",
	"runners:write": "Let runners in",
	"metrics:read": "Read the metrics",
};
