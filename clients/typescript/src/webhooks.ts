/** Webhooks: where an organization's events are sent. The key needs the scope `settings:write`. */
import type { CallOptions, Http } from "./http.ts";
import { List } from "./list.ts";
import type {
	CreateWebhook,
	ListWebhookDeliveriesQuery,
	NewWebhook,
	UpdateWebhook,
	Webhook,
	WebhookDelivery,
	WebhookPage,
	WholeWebhookDelivery,
} from "./openapi.ts";

export type DeliveryFilter = ListWebhookDeliveriesQuery;

export class Webhooks {
	readonly #http: Http;
	constructor(http: Http) {
		this.#http = http;
	}

	/** Creates a webhook. @returns it with its signing secret, which is never shown again. */
	create(body: CreateWebhook, options: CallOptions = {}): Promise<NewWebhook> {
		return this.#http.call("POST", "/v1/webhooks", { ...options, body });
	}

	async list(options: CallOptions = {}): Promise<Webhook[]> {
		return (await this.#http.call<WebhookPage>("GET", "/v1/webhooks", options)).data;
	}

	get(webhookId: number, options: CallOptions = {}): Promise<Webhook> {
		return this.#http.call("GET", `/v1/webhooks/${webhookId}`, options);
	}

	/** Changes, pauses or resumes a webhook. Omitted fields stay unchanged. */
	update(webhookId: number, body: UpdateWebhook, options: CallOptions = {}): Promise<Webhook> {
		return this.#http.call("PATCH", `/v1/webhooks/${webhookId}`, { ...options, body, repeatable: true });
	}

	async delete(webhookId: number, options: CallOptions = {}): Promise<void> {
		await this.#http.call("DELETE", `/v1/webhooks/${webhookId}`, options);
	}

	/** Replaces the secret. For 24 hours, requests are signed with the old one as well. */
	rotateSecret(webhookId: number, options: CallOptions = {}): Promise<NewWebhook> {
		return this.#http.call("POST", `/v1/webhooks/${webhookId}/rotate-secret`, options);
	}

	/** Sends a test, signed like any other event. */
	test(webhookId: number, options: CallOptions = {}): Promise<WebhookDelivery> {
		return this.#http.call("POST", `/v1/webhooks/${webhookId}/test`, options);
	}

	/** Deliveries of the last 30 days, the newest first. */
	deliveries(webhookId: number, filter: DeliveryFilter = {}, options: CallOptions = {}): List<WebhookDelivery> {
		return new List(
			(cursor) =>
				this.#http.call("GET", `/v1/webhooks/${webhookId}/deliveries`, { ...options, query: { ...filter, cursor } }),
			filter.cursor,
		);
	}

	/** Gets a delivery with its payload and the beginning of the response. */
	delivery(webhookId: number, deliveryId: number, options: CallOptions = {}): Promise<WholeWebhookDelivery> {
		return this.#http.call("GET", `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`, options);
	}

	/** Sends the same message again. */
	resend(webhookId: number, deliveryId: number, options: CallOptions = {}): Promise<WebhookDelivery> {
		return this.#http.call("POST", `/v1/webhooks/${webhookId}/deliveries/${deliveryId}/resend`, options);
	}
}
