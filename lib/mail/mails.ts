/** The texts of emails. */
import type { PasswordReset } from "@tapedeck/contract/account.ts";
import type { Invitation } from "@tapedeck/contract/member.ts";
import type { Mail } from "./mailer.ts";

export function invitationMail(
	{ email, role, url, expiresAt }: Invitation & { email: string; url: string },
	{ organization, inviter }: { organization: string; inviter: string },
): Mail {
	return {
		to: email,
		subject: `${inviter} invited you to ${organization} on Tapedeck`,
		text: `${inviter} invited you to ${organization} on Tapedeck, as ${role}. Tapedeck records the screen while tests run, and shows why they fail.

Join with this link. It works once, until ${minute(expiresAt)}:

${url}

If you don't know ${inviter}, ignore this email.
`,
	};
}

export function passwordMail({ url, expiresAt }: PasswordReset, to: string): Mail {
	return {
		to,
		subject: "Choose a new password for Tapedeck",
		text: `Choose a new password for your account with this link. It works once, until ${minute(expiresAt)}:

${url}

If you didn't ask for it, ignore this email. Your password stays as it is.
`,
	};
}

/** @param instant in RFC 3339. */
const minute = (instant: string): string => `${instant.slice(0, 16).replace("T", " ")} UTC`;
