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
	return {
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
