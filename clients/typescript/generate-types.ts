/**
 * Writes src/openapi.ts, which git ignores: the types of the API's bodies and of the queries that the client takes, from the
 * OpenAPI document of this copy of Tapedeck. Types alone need it, so programs run without.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import openapiTS, {
	astToString,
	type OpenAPI3,
	type OperationObject,
	type ParameterObject,
	type SchemaObject,
} from "openapi-typescript";
import { openApiDocument } from "../../lib/http/openapi/document.ts";
import { loadRoutes } from "../../lib/http/route-table.ts";

const APP = new URL("../../app", import.meta.url).pathname;
const FILE = new URL("src/openapi.ts", import.meta.url);

const HEADER = `/** Generated from the OpenAPI document by generate-types.ts: do not edit. */\n`;

/** Operations whose query parameters are options of a method of the client: `listJobs` becomes the type `ListJobsQuery`. */
const WITH_QUERY = [
	"getJob",
	"getRecordingClip",
	"getRecordingDigest",
	"getRecordingProof",
	"getTestHistory",
	"listJobs",
	"listRecordings",
	"listRunners",
	"listTestResults",
	"listTestRuns",
	"listTestSummaries",
	"listWebhookDeliveries",
	"readTrack",
	"uploadRecording",
];

/** @returns the generated module. */
async function generateTypes(): Promise<string> {
	const document = openApiDocument(await loadRoutes(APP), "https://tapedeck.example.com");
	// Examples would be most of the file, and change more often than the types.
	const { info, openapi, paths, components }: OpenAPI3 = JSON.parse(
		JSON.stringify(document, (key, value) => (/^examples?$/.test(key) ? undefined : value)),
	);
	// Without the operations themselves: their paths and answers were four fifths of the file, and the client uses none.
	const bodies = { info, openapi, paths: {}, components: { schemas: { ...components?.schemas, ...queriesOf(paths) } } };
	const types = await openapiTS(bodies, {
		alphabetize: true,
		rootTypes: true,
		rootTypesNoSchemaPrefix: true,
		// A field with a default may be left out.
		defaultNonNullable: false,
	});
	return HEADER + astToString(types);
}

/** @returns a schema of an object for the query parameters of each operation in `WITH_QUERY`. */
function queriesOf(paths: OpenAPI3["paths"]): Record<string, SchemaObject> {
	const operations = Object.values(paths ?? {}).flatMap((path) => Object.values(path) as OperationObject[]);
	const queries = WITH_QUERY.map((id): [string, SchemaObject] => {
		const parameters = operations.find(({ operationId }) => operationId === id)?.parameters as ParameterObject[];
		const query = parameters.filter((parameter) => parameter.in === "query");
		return [
			`${id[0]?.toUpperCase()}${id.slice(1)}Query`,
			{
				type: "object",
				properties: Object.fromEntries(
					query.map(({ name, schema, description }) => [name, { ...schema, description }] as [string, SchemaObject]),
				),
				required: query.flatMap(({ name, required }) => (required ? [name] : [])),
			},
		];
	});
	return Object.fromEntries(queries);
}

const types = await generateTypes();
// A type check may read the file at this moment.
if (types !== (await readFile(FILE, "utf8").catch(() => null))) {
	const written = new URL(`${FILE.href}.${process.pid}`);
	await writeFile(written, types);
	await rename(written, FILE);
}
