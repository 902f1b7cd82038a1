/**
 * Runs one of several concurrent calls for a name. All of them get its result.
 * @param running the names at work, and their results.
 */
export function oneAtATime<T>(running: Map<string, Promise<T>>, name: string, work: () => Promise<T>): Promise<T> {
	const known = running.get(name);
	if (known !== undefined) return known;
	const started = work().finally(() => running.delete(name));
	running.set(name, started);
	return started;
}
