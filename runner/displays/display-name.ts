/** What stands in DISPLAY: `:99`, `:99.0`, `unix:99`, `<host>:<number>`. */

export interface DisplayName {
	/** Null for a display of this machine. */
	host: string | null;
	number: number;
	screen: number;
}

/** @returns null when the text is no display name. */
export function parseDisplayName(text: string): DisplayName | null {
	const match = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:\s/]*)(?:\/unix)?:(?<number>\d{1,5})(?:\.(?<screen>\d{1,3}))?$/.exec(
		text.trim(),
	);
	if (match?.groups === undefined) return null;
	const { host = "", number, screen } = match.groups;
	const local = host === "" || host === "unix";
	return { host: local ? null : host, number: Number(number), screen: Number(screen ?? 0) };
}

/** The id under which the dashboard knows it, such as `:99`. */
export const displayIdOf = (name: DisplayName): string => `:${name.number}`;

/** The name as Xlib, and so ffmpeg, takes it. */
export const xNameOf = (name: DisplayName): string => `${name.host ?? ""}:${name.number}.${name.screen}`;
