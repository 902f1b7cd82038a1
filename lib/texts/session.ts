/** The words of the pages before one is signed in: signing in, the first visit, invitations, forgotten passwords. */
import type { InvitationState } from "#lib/contract/member.ts";
import type { Role } from "#lib/contract/organization.ts";
import { isolated } from "./isolated.ts";

export const sessionTexts = {
	email: "E-mail",
	password: "Password",
	yourName: "Your name",
	passwordHint: "At least 10 characters.",
	signIn: "Sign in",
	signInIntro: "With the e-mail address and password of your account.",
	signingIn: "Signing in…",
	signOut: "Sign out",
	continueWith: (provider: string) => `Continue with ${provider}`,
	or: "or",
	setUpTitle: "Set up Tapedeck",
	setUpIntro: "Make the first account. It owns the organization.",
	organization: "Organization",
	organizationHint: "Your team or company.",
	code: "One-time code",
	codeHint: "Only from another machine than the server: it stands in the server's log.",
	setUp: "Set up",
	settingUp: "Setting up…",
	homelessTitle: "No organization",
	homelessIntro: (email: string) =>
		`You are signed in as ${email}, but belong to no organization. Ask an owner or admin for a link that invites you.`,
	inviteTitle: (organization: string) => `Join ${organization}`,
	inviteIntro: (role: Role) => `You are invited as ${role}.`,
	openingInvitation: "Opening the invitation…",
	join: "Join",
	joining: "Joining…",
	joinAs: (name: string, email: string) => `You are signed in as ${isolated(name)} (${email}).`,
	otherAccount: "Use another account",
	createAccount: "Create account and join",
	creatingAccount: "Creating the account…",
	haveAccount: "I have an account",
	newAccount: "I have no account yet",
	signInAndJoin: "Sign in and join",
	toSignIn: "Go to sign-in",
	invitationOver: "This invitation is over",
	noLink: "This address lacks the end of the link. Copy all of it, or ask for a new one.",
	invitationStates: {
		accepted: "It has been used. If it was you, sign in; else ask for a new one.",
		revoked: "It was revoked. Ask an admin of the organization for a new one.",
		expired: "It has expired. Ask an admin of the organization for a new one.",
	} satisfies Record<Exclude<InvitationState, "open">, string>,
	resetTitle: "Choose a new password",
	resetIntro: "Every browser that is signed in with your account is signed out.",
	newPassword: "New password",
	reset: "Set password",
	resetting: "Setting the password…",
	resetDone: "Your new password is set.",
} as const;

/** Why single sign-on was refused, by the code that the browser was sent back with. */
export function signInRefusal(code: string, provider: string | null): string {
	const name = provider ?? "single sign-on";
	switch (code) {
		case "email_not_verified":
			return `Your e-mail is not verified with ${name}. Verify it there, then try again.`;
		case "domain_not_allowed":
			return `Accounts of your e-mail's domain may not sign in here. Use your work account, or ask an admin.`;
		case "account_not_linked":
			return `There is an account with your e-mail already. Sign in with its password, then connect ${name} under Settings, Your account.`;
		case "no_organization":
			return "There is no organization to sign in to yet. Ask whoever runs Tapedeck to set it up.";
		case "access_denied":
			return `${name} did not let you in. Try again, or ask whoever runs it.`;
		case "email_does_not_match":
			return `Your account with ${name} has another e-mail. Sign in there with the one that you use here.`;
		default:
			return `Signing in with ${name} did not work (${code}). Try again; if it stays so, the server's log tells more.`;
	}
}
