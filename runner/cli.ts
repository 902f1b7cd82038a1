/** The `tapedeck` command. */

import { keepCompiled } from "@tapedeck/machine/compile-cache.ts";
import { startLean } from "./base/lean-start.ts";
import type { ReadingProgram } from "./commands/reading-process.ts";
import { hideSecrets } from "./config/hide-secrets.ts";

/** Each reads strangers' files in a process of its own. */
const READERS: Record<ReadingProgram, () => Promise<void>> = {
	"--read-reports": async () => (await import("./commands/read-reports.ts")).main(),
	"--read-imports": async () => (await import("./commands/read-imports.ts")).main(),
};

const args = process.argv.slice(2);
if (args[0] === "runner" || args[0] === "doctor") hideSecrets(args);
if (args[0] === "runner") {
	await startLean(async () => {
		await import("./commands/commands.ts");
		await import("./commands/runner.ts");
	});
} else keepCompiled("runner");
const reader = READERS[args[0] as ReadingProgram];
if (reader !== undefined) await reader();
else {
	const { main } = await import("./commands/commands.ts");
	process.exit(await main(args));
}
