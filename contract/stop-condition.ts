/**
 * Stop conditions: when a recording ends (spec 2.2). STOP_CONDITION_SCHEMAS is the one map; the API's body and answer,
 * the runner protocol, the database mapping, the runner's spool and the create form's types all derive from it.
 */
import * as z from "zod";
import "./no-eval.ts";
import { onTheWire } from "./on-the-wire.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { plainText } from "./primitives.ts";

/** The longest recording: 7 days. */
export const MAX_DURATION_SECONDS = 7 * 86_400;
export const MAX_FIRST_SESSION_TIMEOUT_SECONDS = 86_400;

export const durationConfigSchema = z.strictObject({
	durationSeconds: z
		.int({ error: "Send a whole number of seconds, such as 30." })
		.min(1, { error: "Send at least 1 second." })
		.max(MAX_DURATION_SECONDS, {
			error: `Send at most ${MAX_DURATION_SECONDS} seconds (7 days).`,
		}),
});

export const interruptConfigSchema = z.strictObject({});

/** Faults of a grid URL, and the API's message for each. */
const GRID_URL_FAULTS = {
	unsafe_characters: "Send a URL without spaces or control characters.",
	not_absolute: "Send an absolute URL, such as http://selenium:4444.",
	not_http: "Send a URL that begins with http:// or https://.",
	credentials: "Leave the credentials out of the URL and send them as gridUsername and gridPassword.",
	query: "Remove the query (?) and fragment (#); the status path is appended to this URL.",
} as const;
export type GridUrlFault = keyof typeof GRID_URL_FAULTS;

/** @returns what is wrong with a grid URL, or null if it is usable. */
export function gridUrlFault(value: string): GridUrlFault | null {
	// URL drops tabs and line breaks instead of refusing them.
	if (/\s/.test(value) || !PLAIN_TEXT.test(value)) return "unsafe_characters";
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(value) || !URL.canParse(value)) return "not_absolute";
	const url = new URL(value);
	if (url.protocol !== "http:" && url.protocol !== "https:") return "not_http";
	// URL drops empty credentials ("http://@host"), so the raw authority is checked as well.
	const authority = value.slice(value.indexOf("//") + 2).split(/[/?#\\]/)[0] ?? "";
	if (url.username !== "" || url.password !== "" || authority.includes("@")) return "credentials";
	return url.search !== "" || url.hash !== "" ? "query" : null;
}

/**
 * The grid's base URL: a trailing `/` and a trailing `/wd/hub` are stripped,
 * because the runner appends `/wd/hub/status` (spec 4.3).
 */
export function normalizeGridUrl(value: string): string {
	return value
		.trim()
		.replace(/\/+$/, "")
		.replace(/\/wd\/hub$/, "")
		.replace(/\/+$/, "");
}

const gridUrlSchema = z
	.string({ error: "Send the grid's URL as a string, such as http://selenium:4444." })
	.trim()
	.max(2_000, { error: "Send a URL of at most 2,000 characters." })
	.superRefine((value, ctx) => {
		const fault = gridUrlFault(value);
		if (fault !== null) ctx.addIssue({ code: "custom", message: GRID_URL_FAULTS[fault] });
	})
	.register(onTheWire, { format: "uri", pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#@\\\\]+(/[^\\s?#@]*)?$" });

const credentialSchema = (name: string) =>
	plainText(name, `Send ${name} as text, or leave it out.`)
		.min(1, { error: `Send a ${name} that is not empty, or leave it out.` })
		.max(500, { error: `Send a ${name} of at most 500 characters.` });

/** The fields of every condition that watches a grid. */
const gridShape = {
	gridUrl: gridUrlSchema,
	gridUsername: credentialSchema("gridUsername")
		.regex(/^[^:]*$/, { error: "Send a gridUsername without a colon (RFC 7617)." })
		.optional(),
	gridPassword: credentialSchema("gridPassword").optional(),
	gridNode: plainText("gridNode", "Send gridNode as text, such as http://node-1:5555.")
		.trim()
		.min(1, { error: "Send a node's id, its URI or its host as gridNode, or leave it out." })
		.max(500, { error: "Send a gridNode of at most 500 characters." })
		.optional()
		.describe("A node of the grid: its id, its URI or its host. Only its sessions count."),
	firstSessionTimeoutSeconds: z
		.int({ error: "Send a whole number of seconds, such as 60." })
		.min(0, { error: "Send 0 or more seconds." })
		.max(MAX_FIRST_SESSION_TIMEOUT_SECONDS, {
			error: `Send at most ${MAX_FIRST_SESSION_TIMEOUT_SECONDS} seconds (1 day).`,
		})
		.optional(),
};

/** The same in responses. */
const publicGridShape = {
	gridUrl: z.string(),
	gridUsername: z.string().optional(),
	gridNode: z.string().optional(),
	firstSessionTimeoutSeconds: z.int().optional(),
};

const hasItsUsername = (config: { gridUsername?: string; gridPassword?: string }): boolean =>
	config.gridPassword === undefined || config.gridUsername !== undefined;
const NEEDS_USERNAME = {
	path: ["gridUsername"],
	error: "Send gridUsername too: gridPassword requires it.",
	// Also checked when other fields are invalid, so that all faults are reported at once.
	when: ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null,
};
const NEEDS_ON_THE_WIRE = { dependentRequired: { gridPassword: ["gridUsername"] } };

export const seleniumIdleConfigSchema = z
	.strictObject(gridShape)
	.refine(hasItsUsername, NEEDS_USERNAME)
	.register(onTheWire, NEEDS_ON_THE_WIRE);

/** Not in the specification: records one session of a grid. */
export const seleniumSessionConfigSchema = z
	.strictObject({
		...gridShape,
		sessionId: plainText("sessionId", "Send sessionId as text, or leave it out for the next session.")
			.min(1, { error: "Send a sessionId that is not empty, or leave it out for the next session." })
			.max(200, { error: "Send a sessionId of at most 200 characters." })
			.optional()
			.describe("The session to record; the next one to begin (on gridNode) if omitted."),
	})
	.refine(hasItsUsername, NEEDS_USERNAME)
	.register(onTheWire, NEEDS_ON_THE_WIRE);

/** A required configuration that is missing is read as an empty one, so that the fault names the missing field. */
const orEmpty = <S extends z.ZodType>(config: S) => z.preprocess((value) => (value === undefined ? {} : value), config);

/**
 * The configuration schemas of each stop condition, in the order of the form: `body` in `POST /v1/jobs`, `config` as
 * sent to the runner, `publicConfig` in responses, without write-only fields.
 */
export const STOP_CONDITION_SCHEMAS = {
	duration: {
		body: orEmpty(durationConfigSchema),
		config: durationConfigSchema,
		publicConfig: durationConfigSchema,
	},
	interrupt: {
		body: interruptConfigSchema.default({}),
		config: interruptConfigSchema,
		publicConfig: interruptConfigSchema,
	},
	selenium_idle: {
		body: orEmpty(seleniumIdleConfigSchema),
		config: seleniumIdleConfigSchema,
		publicConfig: z.strictObject(publicGridShape),
	},
	selenium_session: {
		body: orEmpty(seleniumSessionConfigSchema),
		config: seleniumSessionConfigSchema,
		publicConfig: z.strictObject({ ...publicGridShape, sessionId: z.string().optional() }),
	},
} as const;

type Schemas = typeof STOP_CONDITION_SCHEMAS;
export type StopCondition = keyof Schemas;
export type StopConditionConfig<C extends StopCondition> = z.output<Schemas[C]["config"]>;
export const STOP_CONDITIONS = Object.keys(STOP_CONDITION_SCHEMAS) as StopCondition[];

type Variant<Kind extends keyof Schemas[StopCondition], Shape extends z.ZodRawShape> = {
	[C in StopCondition]: z.ZodObject<Shape & { stopCondition: z.ZodLiteral<C>; stopConditionConfig: Schemas[C][Kind] }>;
}[StopCondition];

/**
 * The union over all stop conditions of an object with `shape`, `stopCondition` and `stopConditionConfig`.
 * @param kind which of the configuration's schemas to use
 * @param object z.strictObject to refuse unknown fields
 */
export function stopConditionUnion<Kind extends keyof Schemas[StopCondition], Shape extends z.ZodRawShape>(
	kind: Kind,
	shape: Shape,
	object: typeof z.object | typeof z.strictObject = z.object,
) {
	const variants = STOP_CONDITIONS.map((stopCondition) =>
		object({
			...shape,
			stopCondition: z.literal(stopCondition),
			stopConditionConfig: STOP_CONDITION_SCHEMAS[stopCondition][kind],
		}),
	);
	// A cast, because `map` loses which configuration belongs to which name.
	return z.discriminatedUnion("stopCondition", variants as unknown as [Variant<Kind, Shape>]);
}

/** A stop condition with its configuration, secrets included. */
export type StopRule = {
	[C in StopCondition]: { stopCondition: C; stopConditionConfig: StopConditionConfig<C> };
}[StopCondition];

/** The stop condition in responses: without the write-only `gridPassword`. */
export const publicStopRuleSchema = stopConditionUnion("publicConfig", {});
export type PublicStopRule = z.infer<typeof publicStopRuleSchema>;
