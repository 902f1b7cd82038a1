/** The `curl` that does what the form does. */
import type { CreateJobBody } from "../contract/job.ts";

/** Quoted for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// Stands where the password belongs until the text is quoted; it cannot be typed into a form field.
const PASSWORD = "\u0000password\u0000";

/**
 * A command that creates the job. The API key and the grid's password come from variables of the
 * shell, so that neither is shown on a screen nor kept in a history.
 */
export function curlOf(baseUrl: string, body: Partial<CreateJobBody> & Record<string, unknown>): string {
	const config = body.stopConditionConfig as Record<string, unknown> | undefined;
	const shown =
		config?.gridPassword === undefined ? body : { ...body, stopConditionConfig: { ...config, gridPassword: PASSWORD } };
	const json = shellQuoted(JSON.stringify(shown)).replace(JSON.stringify(PASSWORD).slice(1, -1), `'"$GRID_PASSWORD"'`);
	return [
		`curl -X POST ${shellQuoted(`${baseUrl}/v1/jobs`)} \\`,
		`  -H "Authorization: Bearer $TAPEDECK_API_KEY" \\`,
		"  -H 'Content-Type: application/json' \\",
		`  -d ${json}`,
	].join("\n");
}
