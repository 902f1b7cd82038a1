/** `?t=12.5` of a player's address: the second at which to start; 0 for what is none. */
export function startSecondsOf(value: string | string[] | undefined): number {
	const seconds = Number(Array.isArray(value) ? value[0] : value);
	return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}
