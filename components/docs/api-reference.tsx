/** The contract document as a page to read: every call with its parameters, body and answers. */
import { docsTexts as texts } from "#lib/texts/docs.tsx";

type Schema = Record<string, unknown>;
type Operation = {
	summary: string;
	description: string;
	parameters: { name: string; in: string; required: boolean; schema: Schema }[];
	requestBody?: { content: Record<string, { schema: Schema }> };
	responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
};
export type ApiDocument = { servers: { url: string }[]; paths: Record<string, Record<string, Operation>> };

export function ApiReference({ document }: { document: ApiDocument }) {
	const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
	);
	return (
		<main className="mx-auto max-w-4xl px-4 py-8 text-sm text-ink">
			<h1 className="text-xl font-semibold">{texts.title}</h1>
			<p className="mt-2 text-muted">
				{texts.intro(
					<code className="font-mono">{document.servers[0]?.url}</code>,
					<code className="font-mono">{texts.header}</code>,
					<a className="text-accent underline" href="/v1/openapi.json">
						{texts.document}
					</a>,
					<a className="text-accent underline" href="/settings">
						{texts.settings}
					</a>,
				)}
			</p>
			{calls.map((call) => (
				<Call key={`${call.method} ${call.path}`} {...call} />
			))}
		</main>
	);
}

function Call({ path, method, operation }: { path: string; method: string; operation: Operation }) {
	const body = operation.requestBody?.content["application/json"]?.schema;
	const answers = Object.entries(operation.responses).filter(([status]) => status !== "default");
	return (
		<section className="mt-8 border-t border-line pt-4">
			<h2 className="font-mono text-sm font-semibold break-words">
				{method} {path}
			</h2>
			<p className="mt-1 text-muted">{operation.description}</p>
			{operation.parameters.length > 0 && (
				<dl className="mt-3 grid grid-cols-[fit-content(40%)_1fr] gap-x-4 gap-y-1">
					{operation.parameters.map((parameter) => (
						<div key={`${parameter.in} ${parameter.name}`} className="contents">
							<dt className="font-mono break-words">{parameter.name}</dt>
							<dd className="min-w-0 break-words text-muted">
								{texts.parameter(parameter.in, parameter.required, summaryOf(parameter.schema))}
							</dd>
						</div>
					))}
				</dl>
			)}
			{body !== undefined && <Shape title={texts.body} schema={body} />}
			{answers.map(([status, answer]) => {
				const schema = answer.content?.["application/json"]?.schema;
				return schema === undefined ? (
					<p key={status} className="mt-3 text-muted">
						{texts.answersOnly(status)}
					</p>
				) : (
					<Shape key={status} title={texts.answers(status)} schema={schema} />
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

/** A schema in a few words: its type, its values or its bounds. */
function summaryOf(schema: Schema): string {
	if (Array.isArray(schema.enum)) return schema.enum.join(", ");
	const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined).map(String);
	return [String(schema.type ?? texts.anything), texts.range(bounds)].filter((part) => part !== "").join(", ");
}
