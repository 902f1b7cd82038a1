/** The OpenAPI document as the viewer shows it: called where the page came from, by who is signed in. */

type Security = Readonly<Record<string, readonly string[]>>;
interface Parameter {
	required?: boolean;
	schema?: { enum?: readonly unknown[] };
	examples?: Readonly<Record<string, object>>;
}
interface Operation {
	security?: readonly Security[];
	parameters?: readonly Parameter[];
}
export interface ApiDocument {
	info: { description: string };
	servers: readonly { url: string; description: string }[];
	security: readonly Security[];
	paths: Record<string, Record<string, Operation>>;
	components: { securitySchemes: Record<string, unknown> };
}

/**
 * @param origin of the page. The document names the configured URL, which a page of another origin cannot call.
 * @returns a document with which the viewer calls this dashboard as the browser's user, unless an API key is entered.
 */
export function viewerDocument(document: ApiDocument, origin: string, signedIn: boolean): ApiDocument {
	const { session: _, ...securitySchemes } = document.components.securitySchemes;
	const paths = Object.entries(document.paths).map(([path, methods]) => [
		path,
		Object.fromEntries(
			Object.entries(methods).map(([method, operation]) => [method, viewerOperation(operation, signedIn)]),
		),
	]);
	const trying = signedIn
		? "Calls that you try on this page are sent as you, or with the API key that you enter."
		: "To try calls on this page, enter an API key or [sign in](/login).";
	return {
		...document,
		info: { ...document.info, description: `${document.info.description}\n\n${trying}` },
		servers: [{ url: origin, description: "This dashboard" }],
		security: withoutSession(document.security, signedIn),
		paths: Object.fromEntries(paths),
		components: { ...document.components, securitySchemes },
	};
}

function viewerOperation(operation: Operation, signedIn: boolean): Operation {
	const { security, parameters } = operation;
	return {
		...operation,
		...(security === undefined ? {} : { security: withoutSession(security, signedIn) }),
		...(parameters === undefined ? {} : { parameters: parameters.map(unfilled) }),
	};
}

/** The browser sends the session's cookie, which no script can read: there is nothing to enter for it. */
function withoutSession(security: readonly Security[], signedIn: boolean): readonly Security[] {
	const others = security.filter((each) => !("session" in each));
	return signedIn && others.length < security.length ? [...others, {}] : others;
}

/** Without an example, the viewer would send the first of the possible values, which filters a list. */
const unfilled = (parameter: Parameter): Parameter => {
	const [first] = parameter.schema?.enum ?? [];
	if (first === undefined || parameter.required) return parameter;
	return { ...parameter, examples: { default: { value: first, "x-disabled": true } } };
};
