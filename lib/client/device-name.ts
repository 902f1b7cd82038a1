const BROWSERS: readonly [RegExp, string][] = [
	[/\bEdgA?\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\bFirefox\/|\bFxiOS\//, "Firefox"],
	[/Chrome\/|\bChromium\/|\bCriOS\//, "Chrome"],
	[/\bSafari\//, "Safari"],
	[/^curl\//, "curl"],
];
const SYSTEMS: readonly [RegExp, string][] = [
	[/\biPhone\b/, "iPhone"],
	[/\biPad\b/, "iPad"],
	[/\bAndroid\b/, "Android"],
	[/\bWindows\b/, "Windows"],
	[/\bMac OS X\b|\bMacintosh\b/, "macOS"],
	[/\bCrOS\b/, "ChromeOS"],
	[/\bLinux\b/, "Linux"],
];

const first = (names: readonly [RegExp, string][], agent: string): string | null =>
	names.find(([pattern]) => pattern.test(agent))?.[1] ?? null;

/** What a User-Agent header says in the words of people: the browser and what it runs on, each null when unknown. */
export function deviceOf(userAgent: string | null): { browser: string | null; system: string | null } {
	return { browser: first(BROWSERS, userAgent ?? ""), system: first(SYSTEMS, userAgent ?? "") };
}
