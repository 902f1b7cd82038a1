/** Errors that the domains throw. They know codes, not HTTP; `lib/server/problem` turns codes into answers. */
import type { Fault, ProblemCode } from "../contract/problem.ts";

/**
 * Across the two doors classes are not shared, so that an error is told by its `code`,
 * never by `instanceof` (see isTapedeckError).
 */
export class TapedeckError extends Error {
	readonly tapedeck = true;
	readonly code: ProblemCode;
	readonly faults: Fault[];
	/** Response headers that belong to the error, such as `Retry-After`. */
	readonly headers: Record<string, string>;

	constructor(
		code: ProblemCode,
		detail: string,
		options: { faults?: Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
	) {
		super(detail, { cause: options.cause });
		this.name = "TapedeckError";
		this.code = code;
		this.faults = options.faults ?? [];
		this.headers = options.headers ?? {};
	}
}

export const isTapedeckError = (error: unknown): error is TapedeckError =>
	typeof error === "object" && error !== null && (error as { tapedeck?: unknown }).tapedeck === true;

export const notFound = (what: string): TapedeckError =>
	new TapedeckError("not_found", `There is no such ${what}. Check its id, and that it belongs to your organization.`);

/** Nobody corrects more than these at once, and a body of unknown fields must not become an answer as large. */
export const MAX_FAULTS = 100;

/**
 * Faults of a body or query, all at once; of very many, the first.
 * @param total how many there are, where `faults` holds the first of them only.
 */
export function invalid(faults: Fault | readonly Fault[], total?: number): TapedeckError {
	const all = Array.isArray(faults) ? (faults as readonly Fault[]) : [faults as Fault];
	const told = all.slice(0, MAX_FAULTS);
	const sentences = told.map((fault) => (fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`));
	const more = (total ?? all.length) - told.length;
	if (more > 0) sentences.push(`And ${more} more ${more === 1 ? "fault" : "faults"}.`);
	return new TapedeckError("validation_failed", sentences.join(" "), { faults: told });
}
