/** Sends a password link to people who forgot their password. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { networkOf } from "#lib/core/network-of.ts";
import type { Mailer } from "#lib/mail/mailer.ts";
import { passwordMail } from "#lib/mail/mails.ts";
import { secondsToWait } from "../sign-in/throttle.ts";
import { createOwnPasswordReset } from "./password-reset.ts";

// Against filling a mailbox, and against sending mail to a list of addresses. Each dashboard counts its own.
const PER_HOUR_OF_ACCOUNT = 3;
const PER_HOUR_OF_ADDRESS = 20;
const HOUR_SECONDS = 3_600;

const accounts = new RateLimiterMemory({ points: PER_HOUR_OF_ACCOUNT, duration: HOUR_SECONDS });
const addresses = new RateLimiterMemory({ points: PER_HOUR_OF_ADDRESS, duration: HOUR_SECONDS });

type Deps = Pick<Context, "db" | "clock" | "baseUrl" | "log" | "address"> & { mailer: Mailer | null };

/**
 * Sends a link to the email, if an account with a password has it. The link is created and sent after the answer, so that
 * neither its content nor its time tells whether there is such an account.
 * @throws conflict when the dashboard sends no email; too_many_requests.
 */
export async function requestPasswordReset(deps: Deps, email: string): Promise<void> {
	const { mailer, address = null, log } = deps;
	if (mailer === null) {
		throw new TapedeckError(
			"conflict",
			"This dashboard sends no email. Ask an owner or admin of your organization for a link.",
		);
	}
	const to = email.trim().toLowerCase();
	const seconds = await secondsToWait(() => addresses.consume(networkOf(address)));
	if (seconds !== null) {
		throw new TapedeckError("too_many_requests", "Too many links were requested from here. Try again in an hour.", {
			headers: { "retry-after": String(seconds) },
		});
	}
	// The same answer as for a link that is sent.
	if ((await secondsToWait(() => accounts.consume(to))) !== null) return;
	void (async () => {
		const link = await createOwnPasswordReset(deps, to);
		if (link !== null) await mailer.send(passwordMail(link, to));
	})().catch((error) => log.error({ err: error, component: "mail" }, "a password link could not be created"));
}
