/**
 * JSON schemas of the OpenAPI document: zod's schemas, with names for the resources, in the form that is on the wire.
 */
import { createJobBodySchema, documentedJobBodySchema } from "@tapedeck/contract/job.ts";
import { onTheWire } from "@tapedeck/contract/on-the-wire.ts";
import { createScheduleBodySchema, documentedScheduleBodySchema } from "@tapedeck/contract/schedule.ts";
import * as z from "zod";
import { EXAMPLES } from "./examples.ts";
import { NAMED_SCHEMAS } from "./named-schemas.ts";

export type JsonSchema = Record<string, unknown>;
/** Whether a schema describes what callers send, or what they receive. */
type Direction = "input" | "output";

/** Schemas that validate in code, with declarative schemas that document them. */
const DOCUMENTED = new Map<z.ZodType, z.ZodType>([
	[createJobBodySchema, documentedJobBodySchema],
	[createScheduleBodySchema, documentedScheduleBodySchema],
]);

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) names.add(schema, { id });

/** Collects the named schemas that a document refers to. */
export class SchemaCollection {
	readonly #named = new Map<string, JsonSchema>();

	/** @returns the schema, which is a reference when it has a name. */
	add(schema: z.ZodType, direction: Direction): JsonSchema {
		const { $schema: _, $defs = {}, ...own } = this.#generate(DOCUMENTED.get(schema) ?? schema, direction);
		for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) this.#keep(id, definition);
		return withReferences(own) as JsonSchema;
	}

	/** The schemas by name, in alphabetical order. */
	get all(): Record<string, JsonSchema> {
		return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
	}

	#generate(schema: z.ZodType, io: Direction): JsonSchema {
		return z.toJSONSchema(schema, {
			io,
			metadata: names,
			unrepresentable: "any",
			override: ({ zodSchema, jsonSchema }) => amend(zodSchema as unknown as z.ZodType, jsonSchema as JsonSchema, io),
		}) as JsonSchema;
	}

	#keep(id: string, { id: _, ...definition }: JsonSchema): void {
		const schema = withReferences(definition) as JsonSchema;
		const example = EXAMPLES[id];
		const kept = example === undefined ? schema : { ...schema, examples: [example] };
		const before = this.#named.get(id);
		if (before !== undefined && JSON.stringify(before) !== JSON.stringify(kept)) {
			throw new Error(`The schema ${id} differs between requests and responses. Name only one of the two.`);
		}
		this.#named.set(id, kept);
	}
}

function amend(schema: z.ZodType, json: JsonSchema, io: Direction): void {
	const { def } = schema._zod as unknown as { def: { type: string; catchall?: unknown; discriminator?: string } };
	// Later versions add fields to responses; only strict objects stay as they are.
	if (io === "output" && def.type === "object" && def.catchall === undefined) delete json.additionalProperties;
	if (schema instanceof z.ZodDiscriminatedUnion) addDiscriminator(schema, json);
	// The format says the same, and generators understand it.
	if (json.format === "date-time") delete json.pattern;
	// zod omits it where the text of a parameter is converted.
	if (schema instanceof z.ZodDefault && json.default === undefined) json.default = schema._zod.def.defaultValue;
	const description = z.globalRegistry.get(schema)?.description;
	if (description !== undefined) json.description = description;
	const wire = onTheWire.get(schema);
	if (wire === undefined) return;
	if (wire.type !== undefined) {
		for (const key of Object.keys(json)) if (key !== "description" && key !== "default") delete json[key];
	}
	Object.assign(json, wire);
}

/** Lets generators choose the variant by the field that tells them apart. */
function addDiscriminator(union: z.ZodDiscriminatedUnion, json: JsonSchema): void {
	const propertyName = union._zod.def.discriminator;
	const mapping: Record<string, string> = {};
	for (const option of union.options) {
		const id = names.get(option as z.ZodType)?.id;
		const field = (option as z.ZodObject).shape[propertyName];
		if (id === undefined || !(field instanceof z.ZodLiteral)) return;
		mapping[String(field.value)] = `#/components/schemas/${id}`;
	}
	json.discriminator = { propertyName, mapping };
}

/** Points zod's references at the components of the document. */
function withReferences(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withReferences);
	if (value === null || typeof value !== "object") return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) =>
			key === "$ref" && typeof each === "string"
				? [key, each.replace("#/$defs/", "#/components/schemas/")]
				: [key, withReferences(each)],
		),
	);
}
