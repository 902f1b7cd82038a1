/** Failures as data: messages are composed from faults and never parsed again. */

/** A fault, and its remedy. */
export interface Fault<Code extends string = string> {
	code: Code;
	/** The fault, as a sentence without its full stop. */
	what: string;
	/** The remedy, as the rest of a sentence: lower case, without the full stop. */
	remedy: string;
}

/** The message to show: one sentence. */
export const messageOf = ({ what, remedy }: Fault): string => `${what}; ${remedy}.`;

/** A fault that ends the runner. */
export class FatalError extends Error {
	override name = "FatalError";
	readonly fault: Fault;

	constructor(fault: Fault) {
		super(messageOf(fault));
		this.fault = fault;
	}
}

/** The message of an error; for an AggregateError without one, that of its first cause. */
export function errorMessage(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = (error as NodeJS.ErrnoException).code;
	if (error.message !== "") return error.message;
	if (error instanceof AggregateError && error.errors.length > 0) return errorMessage(error.errors[0]);
	return code ?? error.name;
}
