/** Sends email by SMTP, for invitations and password resets. */
import { createTransport } from "nodemailer";
import type { Log } from "#lib/core/context.ts";

// A call waits for both.
const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;

export interface MailSettings {
	/** `smtp://` or `smtps://`, with user and password if the server requires them. */
	url: string;
	/** The sender, such as `Tapedeck <tapedeck@example.com>`. */
	from: string;
}

export interface Mail {
	to: string;
	subject: string;
	/** Plain text. */
	text: string;
}

export interface Mailer {
	/** @returns whether the server has accepted it. The reason for a refusal is in the log, without the text. */
	send(mail: Mail): Promise<boolean>;
}

export function createMailer({ url, from }: MailSettings, log: Log): Mailer {
	const transport = createTransport(
		{ url, connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: ANSWER_MS },
		// Prevents automatic replies (RFC 3834).
		{ from, headers: { "Auto-Submitted": "auto-generated" } },
	);
	return {
		async send({ to, subject, text }) {
			try {
				await transport.sendMail({
					to,
					subject,
					text,
					disableFileAccess: true,
					disableUrlAccess: true,
				});
				return true;
			} catch (error) {
				log.error({ err: error, component: "mail" }, "an email could not be sent; check TAPEDECK_SMTP_URL");
				return false;
			}
		},
	};
}
