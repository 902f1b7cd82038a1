/** Restarts a service that ends, unless it keeps ending. */

const MOST_DEATHS = 3;
const WITHIN_MS = 60_000;

/**
 * @param start starts the service again, given how often it has ended lately.
 * @param options.stopping whether we are stopping it ourselves.
 * @param options.gaveUp called when it ended more than 3 times within a minute.
 * @returns an object whose `current` is the running service.
 */
export function keepAlive(service, start, { say, stopping, gaveUp }) {
	const kept = { current: service };
	let deaths = [];
	const watch = async () => {
		const how = await kept.current.exited;
		if (stopping()) return;
		const now = performance.now();
		deaths = [...deaths.filter((at) => now - at < WITHIN_MS), now];
		const output = kept.current.lastLines();
		const why = output === "" ? "It printed nothing." : `Its last output:\n${output}`;
		const { name } = kept.current;
		if (deaths.length > MOST_DEATHS) {
			gaveUp(
				`${capital(name)} ${how}, ${deaths.length} times within a minute. Fix the cause, then start again. ${why}`,
			);
			return;
		}
		say(`${capital(name)} ${how}. Restarting it. ${why}`);
		await new Promise((next) => setTimeout(next, 500 * deaths.length));
		if (stopping()) return;
		kept.current = start(deaths.length);
		watch();
	};
	watch();
	return kept;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
