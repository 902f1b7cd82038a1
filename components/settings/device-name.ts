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

/** Browser and operating system from a User-Agent header, such as `Chrome on Linux`. */
export function deviceOf(userAgent: string | null): string {
	const browser = first(BROWSERS, userAgent ?? "");
	const system = first(SYSTEMS, userAgent ?? "");
	if (browser === null && system === null) return "Unknown device";
	return [browser ?? "Unknown browser", system].filter(Boolean).join(" on ");
}
