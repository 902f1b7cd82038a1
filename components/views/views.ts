/** Saved views for the pages. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import type { ChangeView, CreateView, SavedView, ViewPage } from "@tapedeck/contract/view.ts";
import { call } from "#lib/client/api.ts";

const keyOf = (page: ViewPage) => ["views", page] as const;

export const viewsQuery = (page: ViewPage) =>
	queryOptions({
		queryKey: keyOf(page),
		queryFn: async ({ signal }) => (await call<Page<SavedView>>("GET", "/v1/views", { query: { page }, signal })).data,
	});

const reload = (client: QueryClient, page: ViewPage) => client.invalidateQueries({ queryKey: keyOf(page) });

/** @throws ApiError with the server's message, like the other two */
export async function createView(client: QueryClient, view: CreateView): Promise<SavedView> {
	const created = await call<SavedView>("POST", "/v1/views", { body: view });
	void reload(client, view.page);
	return created;
}

export async function changeView(client: QueryClient, { id, page }: SavedView, changes: ChangeView): Promise<void> {
	await call<SavedView>("PATCH", `/v1/views/${id}`, { body: changes });
	void reload(client, page);
}

export async function deleteView(client: QueryClient, { id, page }: SavedView): Promise<void> {
	await call<void>("DELETE", `/v1/views/${id}`);
	void reload(client, page);
}
