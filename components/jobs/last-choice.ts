/** Where the last job was recorded: most jobs follow one another on the same display. */
const KEY = "tapedeck.last-place";

export interface LastChoice {
	runnerId: number;
	displayId: string;
}

export function lastChoice(): LastChoice | undefined {
	try {
		return JSON.parse(localStorage.getItem(KEY) ?? "") as LastChoice;
	} catch {
		// Nothing kept, or not allowed to look.
		return undefined;
	}
}

export function rememberChoice(choice: LastChoice): void {
	try {
		localStorage.setItem(KEY, JSON.stringify(choice));
	} catch {
		// A browser that keeps nothing: the next form starts afresh.
	}
}
