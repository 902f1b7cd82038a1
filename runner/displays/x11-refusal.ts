/** Reasons with which an X server refuses a connection, and the remedy for each. */
import type { Fault } from "../base/fault.ts";

/**
 * The reasons of X servers (Xorg, Xvfb, Xvnc, Xephyr) and of libxcb, which ffmpeg prints. `what` is the rest of a sentence
 * that begins with the display's name.
 */
const REASONS: readonly ({ said: RegExp } & Omit<Fault, "code">)[] = [
	{
		said: /maximum number of clients/i,
		what: "has as many clients as its X server allows",
		remedy:
			"end programs on it that are left over, such as browsers of earlier tests, or start it with -maxclients 2048",
	},
	{
		said: /has no screen|cannot open display \S+ error 6\b/i,
		what: "does not have the screen that DISPLAY names",
		remedy: "set DISPLAY without the part after the dot, such as :99",
	},
	{
		said: /protocol version mismatch|prohibited client endian/i,
		what: "is not an X server that the runner and ffmpeg can talk to",
		remedy: "check which program has it, and start an X server such as Xvfb on another display",
	},
	{
		said: /authori[sz]|authenticat|no protocol specified|magic-cookie|xdm-|access control/i,
		what: "refuses the runner",
		remedy: "set XAUTHORITY to the authority file of that display's user, or allow it with xhost",
	},
];

/** @param text of the server, or what ffmpeg wrote. @returns null if it names no known reason. */
export function refusalIn(text: string): Omit<Fault, "code"> | null {
	const found = REASONS.find(({ said }) => said.test(text));
	return found === undefined ? null : { what: found.what, remedy: found.remedy };
}

/** The refusal of a server that says this. */
export function refusalOf(reason: string): Omit<Fault, "code"> {
	const known = refusalIn(reason);
	if (known !== null) return { ...known, what: `${known.what} (${reason})` };
	return {
		what: `refuses the runner (${reason})`,
		remedy: "see the log of its X server, and check that it accepts this user (xhost, XAUTHORITY)",
	};
}
