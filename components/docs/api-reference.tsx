/** The OpenAPI document as a page: every call with its parameters, body and responses. */

type Schema = Record<string, unknown>;
type Operation = {
	summary: string;
	description: string;
	parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
	requestBody?: { content: Record<string, { schema?: Schema }> };
	/** Errors refer to shared responses. */
	responses: Record<string, { $ref: string } | { description: string; content?: Record<string, { schema?: Schema }> }>;
};
export type ApiDocument = {
	servers: { url: string }[];
	paths: Record<string, Record<string, Operation>>;
	components: { schemas: Record<string, Schema> };
};

/** Served as they are in the repository (public/docs). */
const GUIDES = [
	{ path: "/docs/api.md", title: "Using the API" },
	{ path: "/docs/cli.md", title: "Command line" },
	{ path: "/docs/clients.md", title: "Clients" },
	{ path: "/docs/ci.md", title: "CI" },
	{ path: "/docs/finding.md", title: "Finding videos" },
	{ path: "/docs/runner.md", title: "Runners" },
	{ path: "/docs/selenium.md", title: "Selenium Grid" },
	{ path: "/docs/operating.md", title: "Operating" },
	{ path: "/docs/security.md", title: "Security" },
];

export function ApiReference({ document }: { document: ApiDocument }) {
	const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
	);
	return (
		<main className="mx-auto max-w-4xl px-4 py-8 text-sm text-ink">
			<h1 className="text-xl font-semibold">Tapedeck API</h1>
			{/* Short paragraphs: a long one would wrap differently when the fonts arrive, and move everything below it. */}
			<div className="mt-2 flex flex-col gap-1 text-muted">
				<p>
					Base URL: <code className="font-mono">{document.servers[0]?.url}</code>. Requests and responses are JSON.
				</p>
				<p>
					Authenticate with <code className="font-mono">{"Authorization: Bearer <API_KEY>"}</code>. Create keys in{" "}
					<a className="text-accent underline" href="/settings">
						Settings
					</a>
					.
				</p>
				<p>
					The same reference for machines:{" "}
					<a className="text-accent underline" href="/v1/openapi.json">
						openapi.json
					</a>
					,{" "}
					<a className="text-accent underline" href="/llms.txt">
						llms.txt
					</a>
				</p>
				<nav aria-label="Guides" className="flex flex-wrap gap-x-4">
					{GUIDES.map(({ path, title }) => (
						<a key={path} className="py-0.5 text-accent underline" href={path}>
							{title}
						</a>
					))}
				</nav>
			</div>
			{calls.map((call) => (
				<Call key={`${call.method} ${call.path}`} {...call} schemas={document.components.schemas} />
			))}
		</main>
	);
}

function Call({
	path,
	method,
	operation,
	schemas,
}: {
	path: string;
	method: string;
	operation: Operation;
	schemas: ApiDocument["components"]["schemas"];
}) {
	const named = (schema: Schema | undefined) =>
		typeof schema?.$ref === "string" ? schemas[schema.$ref.replace("#/components/schemas/", "")] : schema;
	const body = named(operation.requestBody?.content["application/json"]?.schema);
	const responses = Object.entries(operation.responses).flatMap(([status, response]) =>
		status === "default" || "$ref" in response ? [] : [[status, response] as const],
	);
	return (
		<section className="mt-8 border-t border-line pt-4">
			<h2 className="font-mono text-sm font-semibold break-words">
				{method} {path}
			</h2>
			<p className="mt-1 text-muted">{withCode(operation.description)}</p>
			{operation.parameters !== undefined && (
				<dl className="mt-3 grid grid-cols-[fit-content(40%)_1fr] gap-x-4 gap-y-1">
					{operation.parameters.map((parameter) => (
						<div key={`${parameter.in} ${parameter.name}`} className="contents">
							<dt className="font-mono break-words">{parameter.name}</dt>
							<dd className="min-w-0 break-words text-muted">
								{`in ${parameter.in}${parameter.required ? "" : ", optional"}: ${summaryOf(parameter.schema)}`}
							</dd>
						</div>
					))}
				</dl>
			)}
			{body !== undefined && <Shape title="Request body" schema={body} />}
			{responses.map(([status, response]) => {
				const schema = named(response.content?.["application/json"]?.schema);
				return schema === undefined ? (
					<p key={status} className="mt-3 text-muted">
						{`Response ${status}, ${Object.keys(response.content ?? {}).join(" or ") || "no body"}`}
					</p>
				) : (
					<Shape key={status} title={`Response ${status}`} schema={schema} />
				);
			})}
		</section>
	);
}

function Shape({ title, schema }: { title: string; schema: Schema }) {
	return (
		<details className="mt-3">
			<summary className="cursor-pointer text-ink">{title}</summary>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
			<pre tabIndex={0} className="mt-2 overflow-x-auto rounded border border-line bg-inset p-3 font-mono text-xs">
				{JSON.stringify(schema, null, 2)}
			</pre>
		</details>
	);
}

/** Shows what is between backticks as code. */
const withCode = (text: string) =>
	text.split("`").map((part, index) =>
		index % 2 === 0 ? (
			part
		) : (
			<code key={part} className="font-mono">
				{part}
			</code>
		),
	);

/** A schema in a few words: its values, or its type and bounds. */
function summaryOf(schema: Schema): string {
	if (Array.isArray(schema.enum)) return schema.enum.join(", ");
	const type = String(schema.type ?? "any");
	const { minimum, maximum } = schema;
	if (minimum === undefined) return maximum === undefined ? type : `${type}, at most ${maximum}`;
	return maximum === undefined ? `${type}, at least ${minimum}` : `${type}, ${minimum} to ${maximum}`;
}
