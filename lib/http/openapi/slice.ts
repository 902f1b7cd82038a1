/**
 * Parts of the OpenAPI document for agents, which read all of what they fetch: the operations of a tag, or a single one, as a
 * program with an API key calls them. Without examples, and with one description of all errors.
 */
import { TapedeckError } from "#lib/core/errors.ts";
import type { DeclaredRoute } from "../route-definition.ts";
import { isDocumented, openApiDocument } from "./document.ts";
import type { JsonSchema } from "./schemas.ts";
import { slugOf, tagOf } from "./tags.ts";

export interface WantedSlice {
	tag?: string | undefined;
	operation?: string | undefined;
}

/** Every value that zod writes into each schema of an id. */
const NOISE = { maximum: Number.MAX_SAFE_INTEGER, minimum: Number.MIN_SAFE_INTEGER };
const LEFT_OUT = new Set(["example", "examples", "security"]);

/** @throws not_found if no operation has the tag and the id. */
export function openApiSlice(routes: readonly DeclaredRoute[], baseUrl: string, wanted: WantedSlice): JsonSchema {
	const fitting = routes.filter(
		({ path, definition }) =>
			isDocumented(path) &&
			(wanted.tag === undefined || slugOf(tagOf(path)) === wanted.tag) &&
			(wanted.operation === undefined || definition.operationId === wanted.operation),
	);
	if (fitting.length === 0)
		throw new TapedeckError("not_found", "No operation is there by this name. Leave operation out, and read them all.");
	const { openapi, info, servers, paths, components } = openApiDocument(fitting, baseUrl);
	const shown = shortened(paths) as JsonSchema;
	const schemas = referencedBy(shown, shortened(components.schemas) as JsonSchema);
	const { Problem } = shortened(components.responses) as JsonSchema;
	const { apiKey } = components.securitySchemes;
	const whole: Slice = {
		openapi,
		info,
		servers,
		security: [{ apiKey: [] }],
		paths: shown,
		components: {
			schemas: { ...schemas, ...referencedBy({ Problem }, components.schemas) },
			responses: { Problem },
			securitySchemes: { apiKey },
		},
	};
	return wanted.operation === undefined ? fitted(whole) : whole;
}

type Slice = JsonSchema & {
	info: { description: string };
	paths: JsonSchema;
	components: { schemas: JsonSchema; responses: JsonSchema; securitySchemes: JsonSchema };
};

/** Agents read all operations of a tag to choose one of them, whose own part then has all of its schemas. */
const MAX_TAG_BYTES = 20_000;
const OUTSIDE = `

A reference that begins with \`?\` leads to another part of this document: \`GET /v1/openapi.json?operation=…\`.`;

const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part));

/** Moves the largest schemas out if the part is too large. References to them lead to the part of an operation that has them. */
function fitted(slice: Slice): Slice {
	if (bytesOf(slice) < MAX_TAG_BYTES) return slice;
	const { schemas, responses } = slice.components;
	const operations = Object.values(slice.paths).flatMap((methods) => Object.values(methods as JsonSchema));
	const home = new Map<string, string>();
	for (const operation of operations as { operationId: string }[])
		for (const name of Object.keys(referencedBy(operation, schemas)))
			if (!home.has(name)) home.set(name, operation.operationId);
	const needed = referencedBy(responses, schemas);
	const movable = Object.keys(schemas)
		.filter((name) => !(name in needed))
		.sort((a, b) => bytesOf(schemas[b]) - bytesOf(schemas[a]));
	const moved = new Set<string>();
	const outside = (part: unknown): unknown =>
		JSON.parse(
			JSON.stringify(part).replaceAll(REFERENCE, (reference, name) =>
				moved.has(name) ? `"?operation=${home.get(name)}#/components/schemas/${name}"` : reference,
			),
		);
	let smaller = slice;
	for (const name of movable) {
		moved.add(name);
		const paths = outside(slice.paths) as JsonSchema;
		const kept = outside(schemas) as JsonSchema;
		smaller = {
			...slice,
			info: { ...slice.info, description: slice.info.description + OUTSIDE },
			paths,
			components: { ...slice.components, schemas: { ...referencedBy(paths, kept), ...needed } },
		};
		if (bytesOf(smaller) < MAX_TAG_BYTES) break;
	}
	return smaller;
}

function shortened(part: unknown): unknown {
	if (Array.isArray(part)) return part.filter((each) => !isOrganization(each)).map(shortened);
	if (typeof part !== "object" || part === null) return part;
	return Object.fromEntries(
		Object.entries(part).flatMap(([key, value]) => {
			if (LEFT_OUT.has(key) || NOISE[key as keyof typeof NOISE] === value) return [];
			return [[key, key === "responses" ? answersOf(value) : shortened(value)]];
		}),
	);
}

/** A key belongs to one organization. */
const isOrganization = (parameter: { name?: string; in?: string } | null): boolean =>
	parameter?.name === "organizationId" && parameter.in === "query";

/** The answers without the errors: the default describes them all. */
const answersOf = (responses: JsonSchema): unknown =>
	Object.fromEntries(
		Object.entries(responses)
			.filter(([status]) => /^([23]|default)/.test(status))
			.map(([status, answer]) => [status, shortened(answer)]),
	);

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** @returns the schemas that a part of the document refers to, also by others. */
function referencedBy(part: JsonSchema, schemas: JsonSchema): JsonSchema {
	const found = new Set<string>();
	const add = (from: unknown): void => {
		for (const [, name = ""] of JSON.stringify(from).matchAll(REFERENCE)) {
			if (found.has(name)) continue;
			found.add(name);
			add(schemas[name]);
		}
	};
	add(part);
	return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]));
}
