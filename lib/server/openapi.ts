/** The OpenAPI document, generated from the route table and its zod schemas. */
import * as z from "zod";
import { createJobBodySchema, createJobUnionSchema } from "#lib/contract/job.ts";
import { PERMISSIONS, type PermissionRule } from "#lib/contract/permissions.ts";
import { PROBLEMS, problemSchema } from "#lib/contract/problem.ts";
import type { DeclaredRoute, RouteDefinition } from "./route-definition.ts";

type JsonSchema = Record<string, unknown>;

/** Schemas that validate in code, with declarative schemas that document them. */
const DOCUMENTED = new Map<z.ZodType, z.ZodType>([[createJobBodySchema, createJobUnionSchema]]);

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(DOCUMENTED.get(schema) ?? schema, { io, unrepresentable: "any" });
	return rest;
}

/** @returns an OpenAPI 3.1 document of every route except those for runners. */
export function openApiDocument(routes: readonly DeclaredRoute[], baseUrl: string): JsonSchema {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const { method, path, definition } of routes) {
		if (/^\/v1\/runner(\/|$)/.test(path) || path === "/metrics") continue;
		const key = path.replace(/:(\w+)/g, "{$1}");
		paths[key] = { ...paths[key], [method.toLowerCase()]: operation(definition, path) };
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "Tapedeck",
			version: "1",
			description: "Record X11 displays: create a job, get a video.",
		},
		servers: [{ url: baseUrl }],
		security: [{ apiKey: [] }],
		paths,
		components: {
			schemas: { Problem: jsonSchema(problemSchema, "output") },
			securitySchemes: { apiKey: { type: "http", scheme: "bearer" } },
		},
	};
}

function operation(definition: RouteDefinition, path: string): JsonSchema {
	const body =
		definition.body === undefined ? undefined : { required: true, content: json(jsonSchema(definition.body, "input")) };
	return {
		summary: definition.summary,
		description: [`${definition.summary}.`, accessSentence(definition)].filter(Boolean).join(" "),
		...(definition.permission === "public" ? { security: [] } : {}),
		parameters: [...pathParameters(path), ...queryParameters(definition), ...organizationParameter(definition)],
		...(body === undefined ? {} : { requestBody: body }),
		responses: responses(definition),
	};
}

function accessSentence({ permission }: RouteDefinition): string {
	if (permission === "public") return "";
	const { role, scope }: PermissionRule = PERMISSIONS[permission];
	if (scope === undefined)
		return role === "viewer" ? "Signed-in users only." : `Signed-in users with the role ${role} or above only.`;
	return scope === "any" ? "" : `An API key needs the scope \`${scope}\`.`;
}

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

/** Ids in paths that are not numbers. */
const TEXT_IDS = ["uploadId", "displayId"];

const pathParameters = (path: string): JsonSchema[] =>
	[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
		name,
		in: "path",
		required: true,
		schema:
			/Id$/.test(name ?? "") && !TEXT_IDS.includes(name ?? "") ? { type: "integer", minimum: 1 } : { type: "string" },
	}));

function queryParameters(definition: RouteDefinition): JsonSchema[] {
	if (definition.query === undefined) return [];
	const { properties = {}, required = [] } = jsonSchema(definition.query, "input") as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, schema]) => ({
		name,
		in: "query",
		required: required.includes(name),
		schema,
	}));
}

const organizationParameter = (definition: RouteDefinition): JsonSchema[] =>
	definition.permission === "public"
		? []
		: [{ name: "organizationId", in: "query", required: false, schema: { type: "integer", minimum: 1 } }];

function responses(definition: RouteDefinition): JsonSchema {
	const answers: Record<string, unknown> = {};
	for (const [status, schema] of Object.entries(definition.answers)) {
		answers[status] = {
			description: definition.summary,
			...(schema === null ? {} : { content: json(jsonSchema(schema, "output")) }),
		};
	}
	const content = {
		"application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
		...(definition.plainRefusals === true ? { "text/plain": { schema: { type: "string" } } } : {}),
	};
	const refusals: Record<string, { description: string; content: JsonSchema }> = {};
	for (const code of definition.refusals ?? []) {
		const { status, title } = PROBLEMS[code];
		const before = refusals[status]?.description;
		refusals[status] = { description: [before, `${title} (\`${code}\`).`].filter(Boolean).join(" "), content };
	}
	return { ...answers, ...refusals, default: { description: "A problem document (RFC 9457).", content } };
}
