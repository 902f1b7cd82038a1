/** `npm run dashboard -- check-config`: the configuration as the dashboard would start with it. Connects to nothing. */
import { RUNNER_VARIABLES } from "@tapedeck/machine/runner-variables.ts";
import { effectiveVariables, readEnv } from "./env.ts";
import { assertShareable } from "./open-app.ts";

/** Matches by name, so that new variables of this kind are hidden too. */
const IS_SECRET = /KEY|PASSWORD|SECRET|TOKEN/;
/** Credentials in URLs, including URLs in the query of another URL. */
const URL_CREDENTIALS = /(\/\/|%2F%2F)(?:(?!\/\/|%2F%2F)\S)*(@|%40)/gi;
const QUERY_SECRETS = /([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*/gi;

/**
 * @param variables usually `process.env`.
 * @returns a line for each variable.
 * @throws an Error whose message lists every problem, one on each line.
 */
export function checkConfig(variables: Record<string, string | undefined>): string {
	const env = readEnv(variables);
	assertShareable(env);
	const values = effectiveVariables(variables);
	const lines = [...values].map(([name, { value, isSet }]) => {
		if (value === null) return `${name} is not set`;
		return `${name}=${isSet ? withoutSecrets(name, value) : `${value} (default)`}`;
	});
	const ignored = RUNNER_VARIABLES.filter(
		(name) => name.startsWith("TAPEDECK_") && variables[name] && !values.has(name),
	);
	const notes = ignored.map((name) => `${name} is for runners and commands; the dashboard ignores it`);
	return ["The configuration is valid.", ...lines, ...notes].join("\n");
}

function withoutSecrets(name: string, value: string): string {
	if (IS_SECRET.test(name)) return "(hidden)";
	return value.replace(URL_CREDENTIALS, "$1(hidden)$2").replace(QUERY_SECRETS, "$1(hidden)");
}
