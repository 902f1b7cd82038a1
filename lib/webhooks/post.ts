/** Sends one request of a webhook, signed as Standard Webhooks 1.0.0 says. */
import { Webhook } from "standardwebhooks";
import type { Send, Sent } from "./send.ts";

export interface Signed {
	url: string;
	messageId: string;
	body: string;
	/** The current one first. */
	secrets: readonly string[];
	/** When it is sent, in milliseconds. */
	at: number;
}

export function postSigned(send: Send, { url, body, at, ...message }: Signed, signal: AbortSignal): Promise<Sent> {
	const headers = { "content-type": "application/json", ...signatureHeaders({ body, at, ...message }) };
	return send({ url, headers, body, at }, signal);
}

/** One signature for each secret: receivers accept the one that they know. */
function signatureHeaders({ messageId, body, secrets, at }: Omit<Signed, "url">): Record<string, string> {
	const sentAt = new Date(at);
	return {
		"webhook-id": messageId,
		"webhook-timestamp": `${Math.floor(at / 1_000)}`,
		"webhook-signature": secrets.map((secret) => new Webhook(secret).sign(messageId, sentAt, body)).join(" "),
	};
}
