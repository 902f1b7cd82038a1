/** No change without a word about it: what every route that changes something says of the audit log. */
import { expect, test } from "vitest";
import { startTestApi } from "#lib/server/test-api.ts";

const api = await startTestApi();
await api.stop();
const changing = api.app.routes.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method));

test.each(
	changing.map(({ method, path, definition }) => [`${method} ${path}`, definition.audit] as const),
)("%s declares what it leaves in the audit log, or why nothing", (_name, audit) => {
	expect(audit).toBeDefined();
	if (audit !== undefined && "none" in audit) expect(audit.none).toMatch(/^[A-Z].*\.$/);
	else expect(audit).not.toHaveLength(0);
});
