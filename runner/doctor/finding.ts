/** What a check of `tapedeck doctor` finds. */
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
	/** What was found, without a full stop. */
	message: string;
	/** What to do about it; null when nothing is wrong. */
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
