const MAX_CONCURRENT_CALLS = 6;

/** Calls `act` for each item, a few at a time. @returns the items for which it failed, with its errors. */
export async function fewAtATime<T>(
	items: readonly T[],
	act: (item: T) => Promise<unknown>,
): Promise<{ item: T; error: unknown }[]> {
	const left = items.values();
	const refused: { item: T; error: unknown }[] = [];
	const work = async () => {
		// All workers take from the same iterator.
		for (const item of left) await act(item).catch((error: unknown) => refused.push({ item, error }));
	};
	await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, work));
	return refused;
}
