import type { Page } from "../contract/page.ts";
import { call } from "./api.ts";

/** Everything that a list holds, page after page. For lists that stay short. */
export async function everyPage<T>(path: string, signal: AbortSignal): Promise<T[]> {
	const all: T[] = [];
	let cursor: string | undefined;
	do {
		const page: Page<T> = await call("GET", path, { query: { cursor, limit: 100 }, signal });
		all.push(...page.data);
		cursor = page.nextCursor ?? undefined;
	} while (cursor !== undefined);
	return all;
}
