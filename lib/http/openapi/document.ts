/** The OpenAPI document, generated from the route table and its zod schemas. */
import { PERMISSIONS, type PermissionRule } from "@tapedeck/contract/permissions.ts";
import { PROBLEMS, type ProblemCode, problemSchema } from "@tapedeck/contract/problem.ts";
import { VERSION } from "@tapedeck/contract/version.ts";
import { webhookPayloadSchema } from "@tapedeck/contract/webhook.ts";
import type * as z from "zod";
import type { DeclaredRoute, RouteDefinition } from "../route-definition.ts";
import { problemExample, RESPONSE_EXAMPLES } from "./examples.ts";
import { type JsonSchema, SchemaCollection } from "./schemas.ts";
import { TAGS, tagOf } from "./tags.ts";

/** The session's cookie; browsers keep the one with the prefix from being sent without TLS. */
const sessionCookie = (baseUrl: string): string =>
	`${baseUrl.startsWith("https:") ? "__Secure-" : ""}tapedeck.session_token`;

export const isDocumented = (path: string): boolean => path.startsWith("/v1/") && !/^\/v1\/runner(\/|$)/.test(path);

/** @returns an OpenAPI 3.1 document of every route except those for runners. */
export function openApiDocument(routes: readonly DeclaredRoute[], baseUrl: string) {
	const schemas = new SchemaCollection();
	const problem = schemas.add(problemSchema, "output");
	const paths: Record<string, Record<string, unknown>> = {};
	for (const { method, path, definition } of routes) {
		if (!isDocumented(path)) continue;
		const key = path.replace(/:(\w+)/g, "{$1}");
		paths[key] = { ...paths[key], [method.toLowerCase()]: operation(definition, path, schemas) };
	}
	return {
		openapi: "3.1.0",
		info: {
			title: "Tapedeck",
			version: VERSION,
			description: INTRODUCTION,
			license: { name: "Apache-2.0", identifier: "Apache-2.0" },
		},
		servers: [{ url: baseUrl, description: "This dashboard" }],
		security: [{ apiKey: [] }, { session: [] }],
		tags: TAGS,
		paths,
		webhooks: { event: { post: webhookRequest(schemas) } },
		components: {
			schemas: schemas.all,
			responses: problemResponses(problem),
			securitySchemes: {
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: "An API key of an organization, created under Settings.",
				},
				session: {
					type: "apiKey",
					in: "cookie",
					name: sessionCookie(baseUrl),
					description: "The session of someone who signed in to the dashboard.",
				},
			},
		},
	};
}

const INTRODUCTION = `Record X11 displays: create a job, get a video.

Send \`Authorization: Bearer <API_KEY>\` with every call. An API key belongs to one organization. Requests and responses
are JSON in camelCase, times are RFC 3339 in UTC, and ids are positive integers.

Lists return \`{data, nextCursor}\`: send \`nextCursor\` as \`cursor\` to get the next page. Errors are problem documents
(RFC 9457) with a \`code\` for programs and a \`detail\` for people. Later versions may add fields, events and enum values:
ignore those that you do not know.`;

/** The request that receivers of webhooks get. */
const webhookRequest = (schemas: SchemaCollection): JsonSchema => ({
	operationId: "webhookEvent",
	summary: "An event, signed as Standard Webhooks 1.0.0 says",
	parameters: WEBHOOK_HEADERS.map(([name, description]) => ({
		name,
		in: "header",
		required: true,
		description,
		schema: { type: "string" },
	})),
	requestBody: {
		required: true,
		content: { "application/json": { schema: schemas.add(webhookPayloadSchema, "output") } },
	},
	responses: { "2XX": { description: "The event has arrived. Any other answer is a failure." } },
});

const WEBHOOK_HEADERS = [
	["webhook-id", "The same at every attempt: what has arrived before can be left out."],
	["webhook-timestamp", "When this attempt was made, in seconds since 1970."],
	["webhook-signature", "`v1,` and a signature, of each secret while one is replaced; separated by spaces."],
] as const;

function operation(definition: RouteDefinition, path: string, schemas: SchemaCollection): JsonSchema {
	const body = requestBody(definition, schemas);
	const parameters = [
		...pathParameters(definition, path, schemas),
		...parametersIn("query", definition.query, schemas),
		...organizationParameter(definition),
		...parametersIn("header", definition.requestHeaders, schemas),
	];
	const access = accessSentence(definition);
	return {
		operationId: definition.operationId,
		tags: [tagOf(path)],
		summary: definition.summary,
		...(access === "" ? {} : { description: access }),
		security: securityOf(definition),
		...(parameters.length === 0 ? {} : { parameters }),
		...(body === null ? {} : { requestBody: body }),
		responses: { ...answers(definition, schemas), ...refusals(definition, path) },
	};
}

function accessSentence({ permission }: RouteDefinition): string {
	if (permission === "public") return "";
	const { role, scope }: PermissionRule = PERMISSIONS[permission];
	if (scope === undefined)
		return role === "viewer" ? "Signed-in users only." : `Signed-in users with the role ${role} or above only.`;
	return scope === "any" ? "" : `An API key needs the scope \`${scope}\`.`;
}

/** The credentials that the operation accepts, as alternatives. None for public ones, optional where a link will do. */
function securityOf(definition: RouteDefinition): JsonSchema[] {
	if (definition.permission === "public") return [];
	const { role, scope }: PermissionRule = PERMISSIONS[definition.permission];
	return [
		...(scope === undefined ? [] : [{ apiKey: [] }]),
		...(role === undefined ? [] : [{ session: [] }]),
		...("byLink" in definition ? [{}] : []),
	];
}

function requestBody(definition: RouteDefinition, schemas: SchemaCollection): JsonSchema | null {
	if (definition.body !== undefined) {
		return { required: true, content: { "application/json": { schema: schemas.add(definition.body, "input") } } };
	}
	if (definition.fileTypes === undefined) return null;
	return { required: definition.operationId !== "createUpload", content: contentOf(definition.fileTypes) };
}

/** Files are not described by a schema. */
const contentOf = (types: readonly string[]): JsonSchema => Object.fromEntries(types.map((type) => [type, {}]));

function pathParameters({ params }: RouteDefinition, path: string, schemas: SchemaCollection): JsonSchema[] {
	const { properties = {} } = (params === undefined ? {} : schemas.add(params, "input")) as {
		properties?: Record<string, JsonSchema>;
	};
	return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
		name,
		in: "path",
		required: true,
		schema: properties[name] ?? { type: "string" },
	}));
}

function parametersIn(
	place: "query" | "header",
	definition: z.ZodType | undefined,
	schemas: SchemaCollection,
): JsonSchema[] {
	if (definition === undefined) return [];
	const { properties = {}, required = [] } = schemas.add(definition, "input") as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, { description, ...schema }]) => ({
		name,
		in: place,
		...(description === undefined ? {} : { description }),
		required: required.includes(name),
		schema,
	}));
}

const organizationParameter = ({ permission }: RouteDefinition): JsonSchema[] =>
	permission === "public"
		? []
		: [
				{
					name: "organizationId",
					in: "query",
					description: "For people with several organizations: the one meant. Without it, the active one.",
					required: false,
					schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
				},
			];

function answers(definition: RouteDefinition, schemas: SchemaCollection): JsonSchema {
	const headers = responseHeaders(definition.answerHeaders, schemas);
	return Object.fromEntries(
		Object.entries(definition.answers).map(([status, answer]) => {
			const example = RESPONSE_EXAMPLES[definition.operationId];
			const content =
				answer === null
					? null
					: isTypes(answer)
						? contentOf(answer)
						: {
								"application/json": {
									schema: schemas.add(answer, "output"),
									...(example === undefined ? {} : { example }),
								},
							};
			return [
				status,
				{
					description: ANSWERS[status] ?? definition.summary,
					...(headers === null ? {} : { headers }),
					...(content === null ? {} : { content }),
				},
			];
		}),
	);
}

const isTypes = (answer: z.ZodType | readonly string[]): answer is readonly string[] => Array.isArray(answer);

const ANSWERS: Readonly<Record<string, string>> = {
	200: "Success.",
	201: "Created.",
	202: "Accepted.",
	204: "Done. No content.",
	206: "The requested range.",
	304: "Not modified.",
	416: "The range is outside of the file.",
};

function responseHeaders(definition: z.ZodObject | undefined, schemas: SchemaCollection): JsonSchema | null {
	if (definition === undefined) return null;
	const { properties = {} } = schemas.add(definition, "output") as { properties?: Record<string, JsonSchema> };
	return Object.fromEntries(
		Object.entries(properties).map(([name, { description, ...schema }]) => [
			name,
			{ ...(description === undefined ? {} : { description }), schema },
		]),
	);
}

/** The errors that most operations share, by the name of their component. */
const SHARED_PROBLEMS = {
	BadRequest: ["bad_request", "invalid_json"],
	Unauthorized: ["unauthorized"],
	Forbidden: ["forbidden"],
	NotFound: ["not_found"],
	PayloadTooLarge: ["payload_too_large"],
	UnsupportedMediaType: ["unsupported_media_type"],
	ValidationFailed: ["validation_failed"],
	TooManyRequests: ["too_many_requests"],
	InternalError: ["internal_error"],
	Unavailable: ["unavailable"],
} as const satisfies Record<string, readonly ProblemCode[]>;
type SharedProblem = keyof typeof SHARED_PROBLEMS;

const sentenceOf = (codes: readonly ProblemCode[]): string =>
	codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`).join(" ");

const problemContent = (problem: JsonSchema, code?: ProblemCode): JsonSchema => ({
	"application/problem+json": { schema: problem, ...(code === undefined ? {} : { example: problemExample(code) }) },
});

const problemResponses = (problem: JsonSchema): JsonSchema => ({
	...Object.fromEntries(
		Object.entries(SHARED_PROBLEMS).map(([name, codes]) => [
			name,
			{ description: sentenceOf(codes), content: problemContent(problem, codes[0]) },
		]),
	),
	Problem: { description: "A problem document (RFC 9457).", content: problemContent(problem) },
});

/** The errors of an operation by status. Those of the tus protocol may be plain text. */
function refusals(definition: RouteDefinition, path: string): JsonSchema {
	const shared: SharedProblem[] = [
		...(definition.body === undefined && definition.requestHeaders === undefined ? [] : (["BadRequest"] as const)),
		...(definition.permission === "public" ? [] : (["Unauthorized", "Forbidden"] as const)),
		...(path.includes(":") ? (["NotFound"] as const) : []),
		...(definition.body === undefined ? [] : (["PayloadTooLarge", "UnsupportedMediaType"] as const)),
		...(definition.body === undefined && definition.query === undefined ? [] : (["ValidationFailed"] as const)),
		"TooManyRequests",
		"InternalError",
		"Unavailable",
	];
	const problem = { $ref: "#/components/schemas/Problem" };
	const content = {
		...problemContent(problem),
		...(definition.plainRefusals === true ? { "text/plain": { schema: { type: "string" } } } : {}),
	};
	const byStatus: Record<string, JsonSchema> = {};
	for (const name of shared) {
		const codes: readonly ProblemCode[] = SHARED_PROBLEMS[name];
		byStatus[PROBLEMS[codes[0] as ProblemCode].status] =
			definition.plainRefusals === true
				? { description: sentenceOf(codes), content }
				: { $ref: `#/components/responses/${name}` };
	}
	const own = Map.groupBy(definition.refusals ?? [], (code) => PROBLEMS[code].status);
	for (const [status, codes] of own) byStatus[status] = { description: sentenceOf(codes), content };
	const other =
		definition.plainRefusals === true
			? { description: "A problem document (RFC 9457), or plain text of the tus protocol.", content }
			: { $ref: "#/components/responses/Problem" };
	return { ...byStatus, default: other };
}
