/** The environment of programs that are to be shown on an X display. */

/** Variables that lead a program to a Wayland session, such as that of the desktop from which tests are started. */
const WAYLAND = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "MOZ_ENABLE_WAYLAND"];

/**
 * @param displayId such as `:104`.
 * @param env the environment that the program would have otherwise.
 * @returns one in which browsers, GTK and Qt show themselves on the display and not in a Wayland session.
 */
export function displayEnvironment(
	displayId: string,
	env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
	const kept = Object.entries(env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !WAYLAND.includes(entry[0]),
	);
	const { QT_QPA_PLATFORM = "" } = env;
	return {
		...Object.fromEntries(kept),
		DISPLAY: displayId,
		// Without the name of a socket, GTK tries the usual one.
		XDG_SESSION_TYPE: "x11",
		GDK_BACKEND: "x11",
		...(QT_QPA_PLATFORM.startsWith("wayland") ? { QT_QPA_PLATFORM: "xcb" } : {}),
	};
}
