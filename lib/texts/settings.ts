/** The words of the settings, but for keys and tokens (credentials.tsx). */
import type { InvitationState } from "#lib/contract/member.ts";
import type { Retention, Role } from "#lib/contract/organization.ts";
import { isolated } from "./isolated.ts";
import { counted } from "./words.ts";

export const settingsTexts = {
	settings: "Settings",
	sections: "Sections",
	general: "General",
	members: "Members",
	audit: "Audit log",
	account: "Your account",
	save: "Save",
	notLoaded: (why: string) => `It could not be loaded. ${why}`,
	failed: (why: string) => `Nothing was changed. ${why}`,
} as const;

export const ROLE_WORDS: Record<Role, { name: string; may: string }> = {
	owner: { name: "Owner", may: "Everything, other owners included." },
	admin: { name: "Admin", may: "Members, keys, tokens and retention." },
	member: { name: "Member", may: "Record, cancel, and change recordings." },
	viewer: { name: "Viewer", may: "Look, and nothing else." },
};

export const memberTexts = {
	organization: "Organization",
	organizationName: "Organization name",
	renamed: "Saved the name.",
	members: "Members",
	intro: (count: number, organization: string) => `${counted(count, "person", "people")} in ${organization}.`,
	you: "(you)",
	roleOf: (name: string) => `Role of ${name}`,
	roleChanged: (name: string, role: Role) => `${isolated(name)} is ${ROLE_WORDS[role].name.toLowerCase()} now.`,
	remove: "Remove",
	removeOne: (name: string) => `Remove ${name}`,
	removeQuestion: (name: string) => `Remove ${isolated(name)}?`,
	removeEffect:
		"They are out at once, in every browser. What they recorded stays; their API keys and open invitations end.",
	removed: (name: string) => `Removed ${isolated(name)}.`,
	resetOne: (name: string) => `Reset password of ${name}`,
	reset: "Reset password",
	resetLinkFor: (name: string) =>
		`Send this link to ${isolated(name)}. It sets a new password once, within 24 hours, and is shown only now.`,
	copyLink: "Copy the link",
	joined: "joined",
	invitations: "Invitations",
	invitationsIntro: "A link lets one person in, within 7 days. Send it yourself: Tapedeck sends no e-mail.",
	invite: "Invite",
	role: "Role",
	email: "E-mail (optional)",
	emailHint: "Then only this e-mail may use the link.",
	newLink: "Send this link. It is shown only now.",
	anybody: "Anybody with the link",
	as: (role: Role) => `as ${ROLE_WORDS[role].name.toLowerCase()}`,
	by: (name: string) => `by ${isolated(name)}`,
	acceptedBy: (name: string) => `used by ${isolated(name)}`,
	states: { open: "Open", accepted: "Accepted", revoked: "Revoked", expired: "Expired" } satisfies Record<
		InvitationState,
		string
	>,
	revoke: "Revoke",
	revokeOne: (whom: string) => `Revoke invitation of ${whom}`,
	invitationRevoked: "Revoked the invitation.",
	noInvitations: "None yet.",
	danger: "Leave and transfer",
	leave: "Leave organization",
	leaveIntro: "You lose access at once. An owner or admin can invite you again.",
	leaveQuestion: (organization: string) => `Leave ${organization}?`,
	transfer: "Transfer ownership",
	transferIntro: "The chosen member becomes owner, and you stay as admin.",
	newOwner: "New owner",
	transferQuestion: (name: string) => `Make ${isolated(name)} the owner?`,
	transferEffect: "You stay as admin, and cannot take it back yourself.",
	transferred: (name: string) => `${isolated(name)} is owner now.`,
	another: "Another organization",
	anotherIntro: "With members, runners and recordings of its own. You own it, and switch in the menu of your account.",
	anotherName: "Name of the new organization",
	create: "Create organization",
} as const;

export const accountTexts = {
	profile: "Profile",
	name: "Your name",
	nameHint: "As others see it.",
	email: "E-mail",
	nameSaved: "Saved your name.",
	signInWays: "Sign-in",
	connected: (provider: string) => `Connected with ${provider}.`,
	connect: (provider: string) => `Connect ${provider}`,
	password: "Password",
	currentPassword: "Current password",
	newPassword: "New password",
	newPasswordHint: "At least 10 characters.",
	endOthers: "Also sign out my other browsers",
	change: "Change password",
	changed: "Changed your password.",
	noPassword: "You sign in with your organization's provider, without a password here.",
	sessions: "Sessions",
	sessionsIntro: "Browsers that are signed in with your account.",
	current: "this one",
	device: (browser: string | null, system: string | null) =>
		browser === null && system === null
			? "Unknown device"
			: [browser ?? "Unknown browser", system].filter(Boolean).join(" on "),
	from: (address: string) => `from ${address}`,
	seen: "last seen",
	revoke: "Revoke",
	revokeOne: (device: string) => `Revoke session ${device}`,
	revoked: "Signed that browser out.",
	revokeOthers: "Sign out everywhere else",
	othersRevoked: "Signed out everywhere else.",
	signOut: "Sign out",
} as const;

export const retentionTexts = {
	title: "Retention",
	intro: "The oldest recordings are deleted first; pinned ones never.",
	emptyIsNoLimit: "A field left empty sets no limit.",
	days: "Keep for (days)",
	diskPercent: "Fill the disk up to (%)",
	gigabytes: "Store at most (GB)",
	noLimit: "No limit",
	save: "Save retention",
	saved: "Saved the retention.",
	stored: (recordings: number, size: string, diskPercent: number) =>
		`${counted(recordings, "recording", "recordings")}, ${size}. The disk is ${Math.round(diskPercent)} % full.`,
	quota: (used: string, quota: string) => `Uploads under way counted, ${used} of the ${quota} that may be stored.`,
	next: "Goes next",
	nothing: "Nothing for now.",
	reasons: { age: "too old", size: "too much stored", disk: "disk too full" } satisfies Record<
		Retention["next"][number]["reason"],
		string
	>,
} as const;
