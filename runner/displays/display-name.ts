/** Display names in the notation of DISPLAY: `:99`, `:99.0`, `unix:99`, `<host>:<number>`. */

export interface DisplayName {
	/** Null for a display of this machine. */
	host: string | null;
	number: number;
	screen: number;
}

/** @returns null when the text is not a display name. */
export function parseDisplayName(text: string): DisplayName | null {
	const match = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:\s/]*)(?:\/unix)?:(?<number>\d{1,5})(?:\.(?<screen>\d{1,3}))?$/.exec(
		text.trim(),
	);
	if (match?.groups === undefined) return null;
	const { host = "", number, screen } = match.groups;
	const local = host === "" || host === "unix";
	return { host: local ? null : host, number: Number(number), screen: Number(screen ?? 0) };
}

/** The display's id in the dashboard, such as `:99`. */
export const displayIdOf = (name: DisplayName): string => `:${name.number}`;

/** The name for Xlib, and so for ffmpeg. */
export const xNameOf = (name: DisplayName): string => `${name.host ?? ""}:${name.number}.${name.screen}`;
