/** The tools in the order in which clients list them. Names and order are fixed: agents and caches of prompts rely on them. */
import * as z from "zod";
import { clip } from "./clip.ts";
import { CLIP_APP } from "./clip-app.ts";
import { explainFailure } from "./explain-failure.ts";
import { find } from "./find.ts";
import { look } from "./look.ts";
import { recordMark, recordStart, recordStop } from "./record.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [recordStart, recordMark, recordStop, look, clip, find, explainFailure];

/** The tools that `tools/list` lists: every agent reads all of it, so it is kept short. */
export const DEFINITIONS = TOOLS.map(({ name, description, input, isReadOnly, hasVideo }) => ({
	name,
	description,
	inputSchema: schemaOf(input),
	...(isReadOnly ? { annotations: { readOnlyHint: true } } : {}),
	...(hasVideo ? { _meta: { ui: { resourceUri: CLIP_APP.uri } } } : {}),
}));

function schemaOf(input: z.ZodObject): { type: "object" } {
	const { $schema: _, additionalProperties: __, ...schema } = z.toJSONSchema(input, { io: "input", override: shorten });
	return schema as { type: "object" };
}

/** Leaves out what zod says of every whole number. */
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
	delete jsonSchema.propertyNames;
}
