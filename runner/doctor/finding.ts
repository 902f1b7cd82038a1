/** A finding of a check of `tapedeck doctor`. */
export interface Finding {
	check:
		| "configuration"
		| "runner"
		| "ffmpeg"
		| "display"
		| "grid"
		| "capture"
		| "dashboard"
		| "token"
		| "clock"
		| "disk"
		| "buffer";
	level: "ok" | "warning" | "failure";
	/** The fact, without a full stop. */
	message: string;
	/** The remedy; null if nothing is wrong. */
	remedy: string | null;
}

export const ok = (check: Finding["check"], message: string): Finding => ({
	check,
	level: "ok",
	message,
	remedy: null,
});

export const warning = (check: Finding["check"], message: string, remedy: string): Finding => ({
	check,
	level: "warning",
	message,
	remedy,
});

export const failure = (check: Finding["check"], message: string, remedy: string): Finding => ({
	check,
	level: "failure",
	message,
	remedy,
});
