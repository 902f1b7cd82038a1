/** Pagination: the query and the response of every list. */
import * as z from "zod";
import { plainText } from "./primitives.ts";
import { intParam } from "./query-params.ts";

export const pageOf = <T extends z.ZodType>(item: T) =>
	z.object({ data: z.array(item), nextCursor: z.string().nullable() });

export type Page<T> = { data: T[]; nextCursor: string | null };

/** Maximum and default page size. */
const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 50;
export const limitParam = intParam("limit", 1, MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE);
export const cursorParam = plainText("cursor").max(500).optional();
/** The query of every list. */
export const pageQuerySchema = z.object({ limit: limitParam, cursor: cursorParam });
export type PageQuery = z.output<typeof pageQuerySchema>;
