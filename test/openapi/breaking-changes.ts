/**
 * Compares two versions of the OpenAPI document: finds parts of the released one that clients no longer receive or may
 * no longer send. Conservative: a change that it cannot prove to be compatible counts as breaking.
 *
 * Compatible by our contract (lib/http/openapi/document.ts tells clients so): new operations; new optional parameters
 * and fields; in responses new fields, enum values and variants of a union; and further pages of a list. In requests,
 * also the refusal of control characters, which PostgreSQL could not store.
 */
import { PLAIN_TEXT } from "@tapedeck/contract/plain-text.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any;
type Document = { paths: Record<string, Record<string, Json>>; components: Record<string, Record<string, Json>> };
/** The side of a schema: a `request` must not be narrowed; a `response` must not be widened or lose fields. */
type Direction = "request" | "response";

/** @returns one sentence per breaking change from `released` to `current`. */
export function breakingChanges(released: Document, current: Document): string[] {
	const comparison = new Comparison(released, current);
	for (const [path, operations] of Object.entries(released.paths)) {
		for (const [method, operation] of Object.entries(operations)) {
			const where = `${method.toUpperCase()} ${path}`;
			const now = current.paths[path]?.[method];
			if (now === undefined) comparison.report(where, "was removed");
			else comparison.operation(where, operation, now);
		}
	}
	for (const name of Object.keys(released.components.schemas ?? {})) {
		if (current.components.schemas?.[name] === undefined) comparison.report(`schema ${name}`, "was removed or renamed");
	}
	return [...comparison.found];
}

class Comparison {
	readonly found = new Set<string>();
	readonly #released: Document;
	readonly #current: Document;
	/** Pairs of references that were compared or are being compared: schemas may refer to themselves. */
	readonly #seen = new Set<string>();

	constructor(released: Document, current: Document) {
		this.#released = released;
		this.#current = current;
	}

	report(where: string, what: string): void {
		this.found.add(`${where} ${what}`);
	}

	operation(where: string, before: Json, now: Json): void {
		if (before.operationId !== now.operationId) this.report(where, `is now called ${now.operationId}`);
		const alternatives = (each: Json): string[] => (each.security ?? []).map((scheme: Json) => JSON.stringify(scheme));
		// Without any entry, no credentials are needed.
		if (alternatives(now).length > 0) {
			if (alternatives(before).length === 0) this.report(where, "needs credentials now");
			for (const scheme of alternatives(before)) {
				if (!alternatives(now).includes(scheme)) this.report(where, `no longer accepts ${scheme}`);
			}
		}
		this.#parameters(where, before.parameters ?? [], now.parameters ?? []);
		this.#body(where, before.requestBody, now.requestBody);
		for (const [status, response] of Object.entries<Json>(before.responses)) {
			if (!status.startsWith("2")) continue;
			const replaced = now.responses[status];
			if (replaced === undefined) this.report(where, `no longer answers ${status}`);
			else
				this.#response(`${where} ${status}`, this.#resolve("released", response), this.#resolve("current", replaced));
		}
	}

	#parameters(where: string, before: Json[], now: Json[]): void {
		const find = (list: Json[], { name, in: place }: Json) =>
			list.find((each) => each.name === name && each.in === place);
		for (const parameter of before) {
			const at = `${where} ${parameter.in} ${parameter.name}`;
			const same = find(now, parameter);
			if (same === undefined) this.report(at, "was removed");
			else {
				if (same.required === true && parameter.required !== true) this.report(at, "is required now");
				this.#schema(at, parameter.schema, same.schema, "request");
			}
		}
		for (const parameter of now) {
			if (parameter.required === true && find(before, parameter) === undefined)
				this.report(`${where} ${parameter.in} ${parameter.name}`, "is new and required");
		}
	}

	#body(where: string, before: Json, now: Json): void {
		const at = `${where} body`;
		if (before === undefined) {
			if (now?.required === true) this.report(at, "is required now");
			return;
		}
		if (now === undefined) {
			this.report(at, "was removed");
			return;
		}
		if (now.required === true && before.required !== true) this.report(at, "is required now");
		this.#content(at, before.content, now.content, "request");
	}

	#response(where: string, before: Json, now: Json): void {
		for (const name of Object.keys(before.headers ?? {})) {
			if (now.headers?.[name] === undefined) this.report(where, `no longer has the header ${name}`);
		}
		this.#content(where, before.content ?? {}, now.content ?? {}, "response");
	}

	#content(where: string, before: Json, now: Json, direction: Direction): void {
		for (const [type, { schema }] of Object.entries<Json>(before)) {
			if (now[type] === undefined) this.report(where, `no longer has ${type}`);
			else if (schema !== undefined) this.#schema(where, schema, now[type].schema ?? {}, direction);
		}
	}

	#resolve(side: "released" | "current", value: Json): Json {
		if (typeof value?.$ref !== "string") return value;
		const document = side === "released" ? this.#released : this.#current;
		const [, , group = "", name = ""] = value.$ref.split("/");
		return document.components[group]?.[name] ?? {};
	}

	#schema(where: string, releasedSchema: Json, currentSchema: Json, direction: Direction): void {
		const refs = `${direction} ${releasedSchema.$ref} ${currentSchema.$ref}`;
		if (releasedSchema.$ref !== undefined && currentSchema.$ref !== undefined) {
			if (this.#seen.has(refs)) return;
			this.#seen.add(refs);
		}
		const before = this.#resolve("released", releasedSchema);
		const now = this.#resolve("current", currentSchema);
		const name = /[^/]+$/.exec(releasedSchema.$ref ?? "")?.[0];
		const at = name === undefined ? where : `${direction} ${name}`;
		// Senders rely on everything old being accepted; receivers rely on getting nothing new.
		const [wide, narrow] = direction === "request" ? [now, before] : [before, now];
		this.#types(at, wide, narrow);
		this.#values(at, wide, narrow, direction);
		this.#bounds(at, wide, narrow, direction);
		this.#unions(at, before, now, direction);
		if (before.properties !== undefined || now.properties !== undefined) this.#fields(at, before, now, direction);
		if (before.items !== undefined || now.items !== undefined)
			this.#schema(`${at}[]`, before.items ?? {}, now.items ?? {}, direction);
		if (isSchema(before.additionalProperties) || isSchema(now.additionalProperties)) {
			const of = (schema: Json) => (isSchema(schema.additionalProperties) ? schema.additionalProperties : {});
			this.#schema(`${at}{}`, of(before), of(now), direction);
		}
	}

	#types(at: string, wide: Json, narrow: Json): void {
		const wideTypes = typesOf(wide);
		const narrowTypes = typesOf(narrow);
		if (wideTypes === null) return;
		if (narrowTypes === null) {
			this.report(at, `changed its type: ${JSON.stringify([...wideTypes])}`);
			return;
		}
		for (const type of narrowTypes) {
			if (wideTypes.has(type) || (type === "integer" && wideTypes.has("number"))) continue;
			this.report(at, `changed its type: ${type} is not ${[...wideTypes].join(" or ")}`);
		}
	}

	#values(at: string, wide: Json, narrow: Json, direction: Direction): void {
		const wideValues = valuesOf(wide);
		if (wideValues === null) return;
		const narrowValues = valuesOf(narrow);
		// Later versions may add values to responses, but a list must not become free text.
		if (narrowValues === null) {
			this.report(at, "changed its values: no list of values on one side");
			return;
		}
		if (direction === "response") return;
		for (const value of narrowValues) {
			if (!wideValues.has(value)) this.report(at, `no longer accepts ${value}`);
		}
	}

	#bounds(at: string, wide: Json, narrow: Json, direction: Direction): void {
		for (const [word, isLower] of BOUNDS) {
			if (wide[word] === undefined) continue;
			const other = narrow[word];
			const fits = other !== undefined && (isLower ? other >= wide[word] : other <= wide[word]);
			if (!fits) this.report(at, `changed ${word}: ${other} does not fit ${wide[word]}`);
		}
		for (const word of EXACT) {
			if (wide[word] === undefined || JSON.stringify(wide[word]) === JSON.stringify(narrow[word])) continue;
			if (direction === "request" && wide[word] === PLAIN_TEXT.source && narrow[word] === undefined) continue;
			this.report(at, `changed ${word}`);
		}
	}

	#unions(at: string, before: Json, now: Json, direction: Direction): void {
		for (const word of ["oneOf", "anyOf", "allOf"]) {
			const old: Json[] | undefined = before[word];
			const fresh: Json[] | undefined = now[word];
			if (old === undefined && fresh === undefined) continue;
			if (old === undefined || fresh === undefined) {
				// A schema that becomes one variant of several is wider: fine where it is sent.
				this.report(at, `changed ${word}`);
				continue;
			}
			for (const variant of old) {
				const same = fresh.find((each) => isSameVariant(variant, each));
				if (same === undefined) this.report(at, `lost a variant: ${JSON.stringify(variant).slice(0, 80)}`);
				else this.#schema(at, variant, same, direction);
			}
			for (const variant of fresh) {
				if (old.some((each) => isSameVariant(each, variant))) continue;
				if (word === "allOf" || (direction === "response" && variant.type === "null"))
					this.report(at, `got a variant: ${JSON.stringify(variant).slice(0, 80)}`);
			}
		}
	}

	#fields(at: string, before: Json, now: Json, direction: Direction): void {
		const [old, fresh] = [before.properties ?? {}, now.properties ?? {}];
		const [wasRequired, isRequired] = [new Set<string>(before.required), new Set<string>(now.required)];
		for (const [name, schema] of Object.entries<Json>(old)) {
			if (fresh[name] === undefined) this.report(at, `lost the field ${name}`);
			else if (direction === "request" || !isPagedNow(name, schema, fresh[name]))
				this.#schema(`${at}.${name}`, schema, fresh[name], direction);
		}
		if (direction === "request") {
			for (const name of isRequired) if (!wasRequired.has(name)) this.report(at, `requires ${name} now`);
			if (now.additionalProperties === false && before.additionalProperties !== false)
				this.report(at, "no longer accepts unknown fields");
		} else {
			for (const name of wasRequired) {
				if (fresh[name] !== undefined && !isRequired.has(name)) this.report(at, `may lack ${name} now`);
			}
		}
	}
}

const BOUNDS = [
	...(["minimum", "exclusiveMinimum", "minLength", "minItems"] as const).map((word) => [word, true] as const),
	...(["maximum", "exclusiveMaximum", "maxLength", "maxItems"] as const).map((word) => [word, false] as const),
];
const EXACT = ["pattern", "format", "dependentRequired", "propertyNames"] as const;

/**
 * A list that had one page may get more: the document states for every list that `nextCursor` leads to the next page.
 */
const isPagedNow = (name: string, before: Json, now: Json): boolean =>
	name === "nextCursor" &&
	before.type === "null" &&
	JSON.stringify(now) === JSON.stringify({ type: ["string", "null"] });

const isSchema = (value: unknown): boolean => typeof value === "object" && value !== null;

function typesOf({ type }: Json): Set<string> | null {
	if (type === undefined) return null;
	return new Set(Array.isArray(type) ? type : [type]);
}

function valuesOf(schema: Json): Set<string> | null {
	if (schema.const !== undefined) return new Set([JSON.stringify(schema.const)]);
	return schema.enum === undefined ? null : new Set(schema.enum.map((value: unknown) => JSON.stringify(value)));
}

/** Variants are the same when they have the same name, or are of the same type and have the same constant fields. */
const isSameVariant = (a: Json, b: Json): boolean =>
	a.$ref !== undefined || b.$ref !== undefined
		? a.$ref === b.$ref
		: JSON.stringify(a.type ?? a) === JSON.stringify(b.type ?? b) && constantsOf(a) === constantsOf(b);

/** The fields that tell the variants of a union apart, such as `state`. */
function constantsOf({ properties = {} }: Json): string {
	const constants = Object.entries<Json>(properties).filter(([, schema]) => schema.const !== undefined);
	return JSON.stringify(constants.map(([name, schema]) => [name, schema.const]));
}
