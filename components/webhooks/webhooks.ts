/** Webhooks and their deliveries, as owners and admins see them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Delivery, NewWebhook, Webhook, WholeDelivery } from "@tapedeck/contract/webhook.ts";
import type { WebhookEvent, WebhookKind } from "@tapedeck/contract/webhook-events.ts";
import { call } from "#lib/client/api.ts";
import { everyPage, pagesOf } from "#lib/client/paging.ts";
import { useChange } from "#lib/client/use-change.ts";

const KEY = ["webhooks"] as const;
/** Deliveries come and go without an event. */
const REFRESH_MS = 3_000;

export const webhooksQuery = () =>
	queryOptions({
		queryKey: [...KEY, "list"] as const,
		queryFn: ({ signal }) => everyPage<Webhook>("/v1/webhooks", signal),
		refetchInterval: REFRESH_MS,
	});

export const deliveriesQuery = (webhookId: number, state: Delivery["state"] | "") =>
	infiniteQueryOptions({
		queryKey: [...KEY, webhookId, "deliveries", state] as const,
		...pagesOf<Page<Delivery>>(`/v1/webhooks/${webhookId}/deliveries`, () => ({
			state: state || undefined,
			limit: 20,
		})),
		refetchInterval: REFRESH_MS,
	});

export const deliveryQuery = ({ webhookId, id }: Pick<Delivery, "webhookId" | "id">) =>
	queryOptions({
		queryKey: [...KEY, webhookId, "delivery", id] as const,
		queryFn: ({ signal }) => call<WholeDelivery>("GET", `/v1/webhooks/${webhookId}/deliveries/${id}`, { signal }),
	});

export interface WebhookValues {
	url: string;
	kind: WebhookKind;
	events: WebhookEvent[];
	q: string;
	onlyNew: boolean;
	/** Null to remove it. */
	botToken?: string | null;
}

export const useCreateWebhook = () =>
	useChange(KEY, (body: WebhookValues) => call<NewWebhook>("POST", "/v1/webhooks", { body }));
export const useChangeWebhook = () =>
	useChange(KEY, ({ id, ...body }: { id: number } & Partial<Omit<WebhookValues, "kind"> & { paused: boolean }>) =>
		call<Webhook>("PATCH", `/v1/webhooks/${id}`, { body }),
	);
export const useDeleteWebhook = () => useChange(KEY, (id: number) => call<void>("DELETE", `/v1/webhooks/${id}`));
export const useRotateWebhookSecret = () =>
	useChange(KEY, (id: number) => call<NewWebhook>("POST", `/v1/webhooks/${id}/rotate-secret`));
export const useTestWebhook = () => useChange(KEY, (id: number) => call<Delivery>("POST", `/v1/webhooks/${id}/test`));
export const useResend = () =>
	useChange(KEY, ({ webhookId, id }: Pick<Delivery, "webhookId" | "id">) =>
		call<Delivery>("POST", `/v1/webhooks/${webhookId}/deliveries/${id}/resend`),
	);
