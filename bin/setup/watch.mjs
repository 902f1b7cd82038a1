/** Starts a service again when it dies, but not for ever. */

const MOST_DEATHS = 3;
const WITHIN_MS = 60_000;

/**
 * @param start starts the service anew; given the number of deaths so far.
 * @param options.stopping whether we end it ourselves just now.
 * @param options.gaveUp called when it died more than 3 times within a minute.
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
		const words = kept.current.lastLines();
		const why = words === "" ? "It said nothing." : `Its last words:\n${words}`;
		const { name } = kept.current;
		if (deaths.length > MOST_DEATHS) {
			gaveUp(`${capital(name)} ${how}, for the ${deaths.length}th time within a minute. ${why}`);
			return;
		}
		say(`${capital(name)} ${how}; it is started again. ${why}`);
		await new Promise((next) => setTimeout(next, 500 * deaths.length));
		if (stopping()) return;
		kept.current = start(deaths.length);
		watch();
	};
	watch();
	return kept;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
