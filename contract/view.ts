/** Saved views: a list's filters under a name, for one person or for everyone in the organization. */
import * as z from "zod";
import "./no-eval.ts";
import { onTheWire } from "./on-the-wire.ts";
import { pageOf } from "./page.ts";
import { idSchema, nameSchema, plainText, timestampSchema } from "./primitives.ts";
import { searchFaults } from "./query-params.ts";

export const VIEW_PAGES = ["jobs", "recordings"] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

const pageSchema = z.enum(VIEW_PAGES, { error: `Send page as one of ${VIEW_PAGES.join(", ")}.` });

/** Longer than the URL of a search of the greatest length with every filter. */
const MAX_QUERY_LENGTH = 4_000;
const querySchema = plainText("query", "Send query as text: the query of the page's URL, such as q=build:123.")
	.min(1, {
		error: "Send the query of the page's URL, such as q=build:123. A view without filters is the page itself.",
	})
	.max(MAX_QUERY_LENGTH, { error: `Use a query of at most ${MAX_QUERY_LENGTH} characters.` })
	.regex(/^[^?#]/, { error: "Send query without a question mark at its beginning." })
	.superRefine((query, ctx) => {
		const q = new URLSearchParams(query).get("q") ?? "";
		for (const message of searchFaults(q)) ctx.addIssue({ code: "custom", message });
	});

export const MAX_VIEW_NAME = 80;
const viewNameSchema = nameSchema({ max: MAX_VIEW_NAME });

export const savedViewSchema = z.object({
	id: idSchema,
	page: z.enum(VIEW_PAGES),
	name: z.string(),
	/** The query of the page's URL, without the question mark: `q=build%3A123&status=failed`. */
	query: z.string(),
	/** Whether everyone in the organization has it; else only its creator. */
	shared: z.boolean(),
	createdAt: timestampSchema,
});
export type SavedView = z.infer<typeof savedViewSchema>;
export const savedViewPageSchema = pageOf(savedViewSchema);

export const listViewsQuerySchema = z.object({ page: pageSchema.optional() });
export type ListViewsQuery = z.output<typeof listViewsQuerySchema>;

export const createViewBodySchema = z.strictObject({
	page: pageSchema,
	name: viewNameSchema,
	query: querySchema,
	shared: z.boolean({ error: "Send shared as true or false." }).default(false),
});
export type CreateView = z.output<typeof createViewBodySchema>;

export const changeViewBodySchema = z
	.strictObject({ name: viewNameSchema.optional(), query: querySchema.optional() })
	.refine((changes) => Object.keys(changes).length > 0, { error: "Send what to change: name or query." })
	.register(onTheWire, { minProperties: 1 });
export type ChangeView = z.output<typeof changeViewBodySchema>;
