/** Kinds of object store failures that callers handle differently. */
import { TapedeckError } from "#lib/core/errors.ts";

export const OBJECT_FAULTS = [
	/** The object does not exist. */
	"missing",
	"missing_bucket",
	"wrong_region",
	/** The credentials are not known, or there are none. */
	"credentials",
	"clock",
	/** The credentials do not have the right to do this. */
	"denied",
	/** There is no space left. */
	"full",
	/** The store does not know this operation, or not in this form. */
	"unsupported",
	/** Anything else, such as an unreachable or overloaded store: it may work later. */
	"unavailable",
] as const;
export type ObjectFault = (typeof OBJECT_FAULTS)[number];

const RETRY_AFTER = { "retry-after": "5" };

/** Callers learn only that the storage does not work; `what` is for the operator. */
export class ObjectStoreError extends TapedeckError {
	readonly objectFault: ObjectFault;
	readonly what: string;
	/** The bucket's region, if the store said that it is another one. */
	readonly region: string | null;

	constructor(objectFault: ObjectFault, what: string, options: { cause?: unknown; region?: string | null } = {}) {
		if (objectFault === "full") super("insufficient_storage", "The video storage is full.", options);
		else if (objectFault === "missing") super("not_found", "The file is missing in the video storage.", options);
		else {
			const detail = "The video storage is not available now. Try again in a moment.";
			super("unavailable", detail, { headers: RETRY_AFTER, cause: options.cause });
		}
		this.name = "ObjectStoreError";
		this.objectFault = objectFault;
		this.what = what;
		this.region = options.region ?? null;
	}
}

/** Never by `instanceof`: the server and Next bundle their own copies. @returns null for any other error. */
export const objectFaultOf = (error: unknown): ObjectFault | null =>
	(error as { objectFault?: ObjectFault } | null)?.objectFault ?? null;

/** Whether the store keeps refusing until the operator changes it or the settings: more space, rights or credentials. */
export function needsOperator(fault: ObjectFault): boolean {
	return !["missing", "unsupported", "unavailable"].includes(fault);
}

const BY_CODE: Record<string, ObjectFault> = {
	NoSuchKey: "missing",
	NotFound: "missing",
	NoSuchUpload: "missing",
	NoSuchBucket: "missing_bucket",
	PermanentRedirect: "wrong_region",
	AuthorizationHeaderMalformed: "wrong_region",
	IllegalLocationConstraintException: "wrong_region",
	InvalidAccessKeyId: "credentials",
	SignatureDoesNotMatch: "credentials",
	ExpiredToken: "credentials",
	InvalidToken: "credentials",
	CredentialsProviderError: "credentials",
	RequestTimeTooSkewed: "clock",
	AccessDenied: "denied",
	Forbidden: "denied",
	AllAccessDisabled: "denied",
	MethodNotAllowed: "unsupported",
	NotImplemented: "unsupported",
	InvalidPart: "unsupported",
	EntityTooSmall: "unsupported",
	InvalidRequest: "unsupported",
	InvalidArgument: "unsupported",
	QuotaExceeded: "full",
	InsufficientStorage: "full",
	XMinioStorageFull: "full",
	EntityTooLarge: "unsupported",
};

const BY_STATUS: Record<number, ObjectFault> = {
	301: "wrong_region",
	403: "denied",
	404: "missing",
	405: "unsupported",
	501: "unsupported",
	507: "full",
};

/** Describes an error of the SDK, or of a connection. */
export function objectStoreError(error: unknown, doing: string): ObjectStoreError {
	if (objectFaultOf(error) !== null) return error as ObjectStoreError;
	const {
		name = "",
		message = "",
		code,
		$metadata,
		$response,
	} = error as {
		name?: string;
		message?: string;
		code?: string;
		$metadata?: { httpStatusCode?: number };
		$response?: { headers?: Record<string, string> };
	};
	const fault = BY_CODE[name] ?? BY_STATUS[$metadata?.httpStatusCode ?? 0] ?? "unavailable";
	const what = [name === "Error" ? "" : name, code ?? "", message === name ? "" : message].filter(
		(part) => part !== "",
	);
	const region = $response?.headers?.["x-amz-bucket-region"] ?? /expecting '([a-z0-9-]+)'/.exec(message)?.[1] ?? null;
	return new ObjectStoreError(fault, `The object store could not ${doing}: ${what.join(", ") || "no answer"}`, {
		cause: error,
		region,
	});
}
