/**
 * The allowed imports: a row for each folder or file. The row with the longest path that matches a file applies.
 * `layers.test.ts` checks every import of the product against it. Tests, `test`, `e2e`, `lab`,
 * `release` and `deploy` may import anything.
 */

import { posix } from "node:path";

export interface Layer {
	/** A folder, or a file. Its files import each other. */
	path: string;
	/** Allowed imports in addition: folders, files, packages; `node:` for all of Node. */
	may: readonly string[];
}

/** A row of the table; rows of the same path add up. */
const row = (path: string, ...may: string[]): Layer => ({ path, may: may.flatMap((some) => some.split(" ")) });

const CONTEXT = "contract lib/core lib/db";
const BELOW_DOMAINS = `${CONTEXT} lib/audit lib/lifecycle`;
const DOMAINS = "lib/jobs lib/runners lib/recordings lib/test-results lib/webhooks lib/auth lib/audit";

/** The runner, from the bottom to the top: neighbours do not import each other. */
const RUNNER = [
	["runner/base"],
	["runner/spool", "runner/displays"],
	["runner/dashboard", "runner/video"],
	["runner/grid"],
	["runner/browser-log"],
	["runner/stop-conditions", "runner/config"],
	["runner/capture"],
	["runner/upload", "runner/doctor"],
	["runner/run-job.ts"],
	["runner/auto-record.ts", "runner/control", "runner/watch-folder"],
	["runner/auto-record-sessions.ts", "runner/auto-upgrade.ts", "runner/coverage.ts"],
	["runner/job-runs.ts", "runner/unspooled-jobs.ts"],
	["runner/screenshots.ts", "runner/file-uploads.ts"],
	["runner/set-aside.ts"],
	["runner/apply-answer.ts"],
	["runner/agent-parts.ts"],
	["runner/agent.ts"],
	["runner/commands"],
	["runner/cli.ts"],
] as const;
/** Imports of the runner's layers from elsewhere, in addition to the contract, zod and Node. */
const RUNNER_ALSO: Readonly<Record<string, readonly string[]>> = {
	"runner/base": ["machine", "clients/typescript/src/proxy.ts"],
	"runner/dashboard": ["clients/typescript/src/dashboard-clock.ts"],
	"runner/browser-log": ["clients/typescript/src/secret-mask.ts"],
	"runner/stop-conditions": ["clients/typescript/src/secret-mask.ts"],
	"runner/config": ["machine", "clients/typescript/src/known-variables.ts", "clients/typescript/src/secret-mask.ts"],
	"runner/video": ["media"],
	"runner/capture": ["clients/typescript/src/secret-mask.ts"],
	"runner/cli.ts": ["machine"],
	"runner/commands": [
		"runner/commands/api",
		"machine",
		"clients/typescript/src/ci-labels.ts",
		"clients/typescript/src/display-environment.ts",
		"clients/typescript/src/index.ts",
		"clients/typescript/src/known-variables.ts",
		"clients/typescript/src/secret-mask.ts",
		"commander",
		"sax",
	],
};
const runnerRows = RUNNER.flatMap((neighbours, index) =>
	neighbours.map((path) =>
		row(path, "contract zod node:", ...RUNNER.slice(0, index).flat(), ...(RUNNER_ALSO[path] ?? [])),
	),
);

export const LAYERS: readonly Layer[] = [
	// Runs anywhere.
	row("contract", "zod"),
	// Bytes, not jobs.
	row("media", "node:"),
	// Access of a process to the machine, to V8 and to its environment.
	row("machine", "node:"),
	row("lib/db", "contract kysely pg node:"),
	row("lib/core", "contract lib/db kysely node:"),
	row("lib/access", "contract lib/core"),
	row("lib/audit", CONTEXT, "kysely node:"),
	row("lib/lifecycle", CONTEXT, "kysely"),
	// Rows of results, their causes, and results that follow from jobs.
	row("lib/test-results/store", CONTEXT, "lib/lifecycle kysely node:"),
	row("lib/search", "contract lib/core kysely"),
	// A bucket's objects, not recordings.
	row("lib/s3", "lib/core @aws-sdk node:"),
	row("lib/jobs", BELOW_DOMAINS, "lib/search lib/test-results/store kysely zod node:"),
	row("lib/runners", BELOW_DOMAINS, "lib/jobs lib/test-results/store kysely zod node:"),
	row(
		"lib/recordings",
		BELOW_DOMAINS,
		"lib/test-results/store machine media lib/s3 lib/search client-zip kysely zod node:",
	),
	row("lib/test-results", "contract media lib/core lib/audit lib/lifecycle lib/recordings lib/search kysely node:"),
	row("lib/test-results", "lib/test-results/store"),
	row("lib/webhooks", BELOW_DOMAINS, "lib/jobs lib/recordings lib/search lib/test-results lib/test-results/store"),
	row("lib/webhooks", "@slack/types ipaddr.js standardwebhooks kysely node:"),
	row(
		"lib/auth",
		CONTEXT,
		"lib/access lib/audit better-auth @better-auth/passkey @zxcvbn-ts/core @zxcvbn-ts/language-common @zxcvbn-ts/language-en proxy-addr rate-limiter-flexible kysely zod node:",
	),
	row("lib/auth", "lib/mail"),
	row("lib/mail", "contract lib/core nodemailer"),
	// Several dashboards on one database.
	row("lib/nodes", "lib/core lib/db lib/auth lib/recordings lib/s3 kysely pg node:"),
	// Serves routes outside of Next: no Next, no React, no pages.
	row(
		"lib/http",
		CONTEXT,
		"lib/access lib/auth lib/jobs media lib/nodes lib/recordings lib/runners lib/s3 lib/webhooks",
	),
	row("lib/http", "lib/mail @hono/node-server kysely prom-client rate-limiter-flexible zod node:"),
	// The tools for agents: each calls the operations of the endpoints that do the same.
	row("lib/mcp", "contract media lib/access lib/core lib/http lib/jobs lib/lifecycle lib/recordings lib/runners"),
	row("lib/mcp", "lib/test-results @modelcontextprotocol/server zod node:"),
	// Puts everything together.
	row(
		"lib/server",
		CONTEXT,
		DOMAINS,
		"lib/test-results/store lib/http lib/mail lib/nodes machine lib/s3 kysely pino sirv zod node:",
	),
	row("lib/server", "clients/typescript/src/known-variables.ts"),
	row("lib/server/guides.ts", "node: github-slugger marked"),
	// Gives pages the signed-in user and their first data; renders nothing.
	row("lib/server/page-context.ts", "lib/http contract lib/core lib/auth lib/jobs lib/recordings next/headers react"),
	row("lib/server/page-context.ts", "lib/server/guides.ts"),
	// Runs in browsers.
	row("lib/client", "contract react @tanstack"),
	row("components", "lib/client contract components/ui react react-dom @tanstack clsx cmdk lucide-react"),
	row("components", "next/navigation react-hook-form @scalar tus-js-client uqr"),
	// The only importers of Next's link: others would prefetch, and would not check that the server can be reached.
	row("components", "components/navigation/link.tsx components/navigation/link-button.tsx"),
	row("components/navigation/link.tsx", "components next/link react"),
	row("components/navigation/link-button.tsx", "components/ui next/link clsx react"),
	// No domain knowledge.
	row(
		"components/ui",
		"lib/client/format.ts lib/client/api.ts react react-dom clsx lucide-react @radix-ui react-hook-form sonner",
	),
	row("components/ui", "components/navigation/use-shortcuts.ts"),
	row(
		"app",
		"components components/ui lib/server/page-context.ts contract/link.ts contract/search.ts react next @fontsource-variable",
	),
	// Endpoints, which `server.ts` calls outside of Next.
	row("app/v1", "lib/http lib/nodes", DOMAINS, "lib/core contract zod"),
	row("app/install.sh", "lib/http lib/runners"),
	row("app/metrics", "lib/http lib/access"),
	row("app/skill.md", "lib/http"),
	row("app/.well-known", "contract lib/http zod"),
	row("app/mcp", "lib/core lib/http lib/mcp"),
	...runnerRows,
	// Calls the dashboard as a script does, not the runner.
	row("runner/commands/api", "contract machine runner/base runner/config node:"),
	row("runner/commands/api", "clients/typescript/src/index.ts clients/typescript/src/chunks.ts"),
	row("runner/commands/api", "runner/commands/command.ts runner/commands/define-command.ts runner/commands/format.ts"),
	row("runner/commands/api", "runner/commands/label-words.ts runner/commands/past.ts runner/commands/video-flags.ts"),
	row("clients/typescript/src"),
	row("clients/playwright/src", "@tapedeck/client playwright node:"),
	// GitHub runs the action, and everybody runs `bin`, before anything is installed.
	row("action", "node:"),
	row("bin", "node:"),
	row("server.ts", "lib/server lib/nodes machine next node:"),
];

/** A folder's doors; without the ending of their names. */
const doors = (folder: string, names: string): [string, readonly string[]] => [
	folder,
	names.split(" ").map((name) => `${folder}/${name}`),
];

/**
 * Folders of which others may import only these files. Everything else in them is internal. In the folders of
 * operations, such as `lib/jobs`, each file is an operation, and so may be imported.
 */
export const DOORS: ReadonlyMap<string, readonly string[]> = new Map([
	doors(
		"lib/db",
		"claims database-errors dialect fair-turns job-zones move-to-postgres open postgres-dialect prepared schema test-summary",
	),
	doors("lib/search", "find matched-line plan"),
	doors(
		"lib/http",
		"app-context authenticate-request http-entry link-access live-events metrics openapi/serve-document openapi/tags problem rate-limits read-request request-log route-definition route-table route security-headers stream skill",
	),
	doors("lib/http/openapi", "serve-document tags"),
	doors("lib/server", "check-config env logger operator-commands page-context start-server"),
	doors(
		"lib/recordings/upload",
		"finish-upload owner store-file store-screenshot sweep-uploads upload-leases upload-metadata upload-receiver upload-record upload-recording",
	),
	doors("components/jobs/list", "jobs-page use-jobs-address"),
	doors("components/jobs/create", "create-form-url new-job-button"),
	doors("components/jobs/drawer", "job-drawer job-outcome job-timeline"),
	doors("components/recordings/compare", "compare-page use-has-passed"),
]);

/** Files whose imports are not checked. */
export const FREE =
	/^(test|e2e|lab|release|deploy)\/|\.test\.tsx?$|\.d\.ts$|^[^/]+\.config\.\w+$|^clients\/\w+\/(test\/|[\w-]+\.\w+$)/;

/** Whether a file, package or folder is `place`, or in it. `node:` has all of Node's modules. */
const isIn = (name: string, place: string): boolean =>
	name === place || name.startsWith(place.endsWith(":") ? place : `${place}/`);

/** @returns the path of the row, or rows, that a file belongs to. */
export function rowOf(file: string): string | undefined {
	const paths = LAYERS.map(({ path }) => path).filter((path) => isIn(file, path));
	return paths.sort((a, b) => b.length - a.length)[0];
}

/**
 * @param file its path from the root.
 * @param imported as it stands in the file.
 * @returns the entry of the file's row that allows it; the row itself for its own files; undefined if nothing does.
 */
export function allowedBy(file: string, imported: string): string | undefined {
	const target = targetOf(file, imported);
	const its = rowOf(file);
	const leaves = imported.startsWith(".") && roomOf(target) !== roomOf(file);
	if (its === undefined || leaves) return undefined;
	const theirs = rowOf(target);
	if (theirs === its) return its;
	const may = LAYERS.filter(({ path }) => path === its).flatMap((layer) => layer.may);
	// A folder does not include files and folders in it that have their own row.
	return may.find((place) => isIn(target, place) && (theirs === undefined || isIn(place, theirs)));
}

/** @returns the folders with doors that an import enters, the file by which it does, and whether that is a door. */
export function entered(file: string, imported: string): { file: string; isDoor: boolean }[] {
	const target = targetOf(file, imported);
	const folders = [...DOORS].filter(([folder]) => isIn(target, folder) && !isIn(file, folder));
	return folders.map(([, doors]) => ({ file: target, isDoor: doors.includes(target.replace(/\.tsx?$/, "")) }));
}

/** An import as a path from the root, or as it is for packages from elsewhere and Node. */
function targetOf(file: string, imported: string): string {
	if (imported.startsWith("#")) return imported.slice(1);
	if (imported.startsWith(".")) return posix.join(posix.dirname(file), imported);
	return imported
		.replace(/^@tapedeck\/client-source\//, "clients/typescript/src/")
		.replace(/^@tapedeck\/(?=(contract|media|machine)\/)/, "");
}

/** The folder that relative imports stay in: a room of `lib`, a package, or a folder of the root. */
const roomOf = (path: string): string => /^(?:(?:lib|clients)\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? "";
