/**
 * Errors that operations throw. They have codes and know nothing about HTTP; `lib/http/problem.ts` turns codes into
 * responses.
 */
import type { Fault, ProblemCode } from "@tapedeck/contract/problem.ts";

/**
 * The server and Next bundle their own copies of this class, so recognize it by isTapedeckError, never by `instanceof`.
 */
export class TapedeckError extends Error {
	readonly tapedeck = true;
	readonly code: ProblemCode;
	readonly faults: Fault[];
	/** Response headers for this error, such as `Retry-After`. */
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
	new TapedeckError("not_found", `No such ${what}. Check the id, and that it belongs to your organization.`);

/** Nobody fixes more than these at once, and a body full of unknown fields must not cause an equally large response. */
export const MAX_FAULTS = 100;

/**
 * Reports all faults of a body or query at once, up to MAX_FAULTS.
 * @param total how many there are, when `faults` holds only the first of them.
 */
export function invalid(faults: Fault | readonly Fault[], total?: number): TapedeckError {
	const all = Array.isArray(faults) ? (faults as readonly Fault[]) : [faults as Fault];
	const reported = all.slice(0, MAX_FAULTS);
	const sentences = reported.map((fault) => (fault.path === "" ? fault.message : `${fault.path}: ${fault.message}`));
	const more = (total ?? all.length) - reported.length;
	if (more > 0) sentences.push(`And ${more} more ${more === 1 ? "error" : "errors"}.`);
	return new TapedeckError("validation_failed", sentences.join(" "), { faults: reported });
}
