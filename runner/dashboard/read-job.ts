/**
 * Reads a job sent by the dashboard. A job that this version does not understand must not block the others, so it becomes
 * an order that fails immediately with `not_supported`.
 */
import { type RunnerJob, runnerJobSchema } from "@tapedeck/contract/runner-protocol.ts";
import type { StopRule } from "@tapedeck/contract/stop-condition.ts";
import * as z from "zod";
import type { JobOrder } from "../spool/spool.ts";

export interface OrderedJob {
	order: JobOrder & { id: number };
	/** The grid's password. */
	password: string | undefined;
	cancelRequested: boolean;
	/** Null for a recording. */
	unspooled: { type: "screenshot" } | { type: "file_upload"; path: string } | null;
}

/** The fields that can be read from any job. Only its identifying fields are required. */
const outlineSchema = z.object({
	id: z.int().positive(),
	key: z.string(),
	displayId: z.string().catch(""),
	name: z.string().catch("A job that is not understood"),
	cancelRequested: z.boolean().catch(false),
});

/**
 * @param raw an entry of the list of jobs to start.
 * @param versions a sentence that names both versions, without its full stop.
 * @returns null when there is no readable id and key, so that not even a failure can be reported.
 */
export function readJob(raw: unknown, versions: string): OrderedJob | null {
	const outline = outlineSchema.safeParse(raw).data;
	if (outline === undefined) return null;
	const { id, key, displayId, name, cancelRequested } = outline;
	const read = runnerJobSchema.safeParse(raw);
	if (read.success) {
		const order = { ...read.data, id, key, displayId, name, origin: "dashboard" as const };
		return { order, password: gridPasswordOf(read.data), cancelRequested, unspooled: unspooledOf(read.data) };
	}
	const message = `The runner does not understand this job (${invalidFields(read.error.issues, raw)}). ${versions}; update the older one.`;
	// Any stop condition will do: the job never starts.
	const never = { stopCondition: "interrupt", stopConditionConfig: {} } as const;
	const order = {
		id,
		key,
		displayId,
		name,
		...never,
		origin: "dashboard" as const,
		stop: { reason: "not_supported", message } as const,
	};
	return { order, password: undefined, cancelRequested, unspooled: null };
}

function unspooledOf({ type, path = "" }: RunnerJob): OrderedJob["unspooled"] {
	if (type === "screenshot") return { type };
	return type === "file_upload" ? { type, path } : null;
}

const gridPasswordOf = (rule: StopRule): string | undefined =>
	"gridPassword" in rule.stopConditionConfig ? rule.stopConditionConfig.gridPassword : undefined;

/** The invalid fields, with their values where they are strings. */
function invalidFields(issues: readonly z.core.$ZodIssue[], raw: unknown): string {
	const fields = issues.flatMap(({ path, ...issue }) => {
		if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...path, key].join("."));
		const value = path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | null)?.[key], raw);
		return typeof value === "string" ? `${path.join(".")} ${JSON.stringify(value.slice(0, 100))}` : path.join(".");
	});
	return [...new Set(fields)].slice(0, 10).join(", ");
}
