/**
 * Reads a job that the dashboard orders. One that this version does not understand must not hold up the others: it
 * becomes an order that fails at once, as `not_supported`.
 */
import * as z from "zod";
import { runnerJobSchema } from "#lib/contract/runner-protocol.ts";
import type { JobOrder } from "../spool.ts";

export interface OrderedJob {
	order: JobOrder & { id: number };
	/** The grid's. */
	password: string | undefined;
	cancelRequested: boolean;
}

/** What can be read of any job; only the id has to be there. */
const outlineSchema = z.object({
	id: z.int().positive(),
	key: z.string().optional().catch(undefined),
	displayId: z.string().catch(""),
	name: z.string().catch("A job that is not understood"),
	cancelRequested: z.boolean().catch(false),
});

/**
 * @param raw an entry of the list of jobs to start.
 * @param versions the sentence that names both versions, without its full stop.
 * @returns null when not even an id can be read: nobody could be told.
 */
export function readJob(raw: unknown, versions: string): OrderedJob | null {
	const outline = outlineSchema.safeParse(raw).data;
	if (outline === undefined) return null;
	const { id, key, displayId, name, cancelRequested } = outline;
	const read = runnerJobSchema.safeParse(raw);
	if (read.success) {
		const { stopCondition, stopConditionConfig } = read.data;
		const { gridPassword: password } = stopConditionConfig as { gridPassword?: string };
		const order = { id, key, displayId, name, stopCondition, stopConditionConfig, auto: null };
		return { order, password, cancelRequested };
	}
	const message = `The runner does not understand this job (${misfits(read.error.issues, raw)}). ${versions}; update the older one.`;
	// Any condition will do: it never begins.
	const never = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const order = { id, key, displayId, name, ...never, auto: null, stop: { reason: "not_supported", message } as const };
	return { order, password: undefined, cancelRequested };
}

/** The fields that do not fit, with what stands in them when it is a word. */
function misfits(issues: readonly z.core.$ZodIssue[], raw: unknown): string {
	const fields = issues.flatMap(({ path, ...issue }) => {
		if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...path, key].join("."));
		const value = path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | null)?.[key], raw);
		return typeof value === "string" ? `${path.join(".")} ${JSON.stringify(value.slice(0, 100))}` : path.join(".");
	});
	return [...new Set(fields)].slice(0, 10).join(", ");
}
