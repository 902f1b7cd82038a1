/** The `tapedeck` command. */

import { keepCompiled } from "@tapedeck/machine/compile-cache.ts";
import { startLean } from "./base/lean-start.ts";
import { READING } from "./commands/reading-process.ts";
import { hideSecrets } from "./config/hide-secrets.ts";

const args = process.argv.slice(2);
if (args[0] === "runner" || args[0] === "doctor") hideSecrets(args);
if (args[0] === "runner") {
	await startLean(async () => {
		await import("./commands/commands.ts");
		await import("./commands/runner.ts");
	});
} else keepCompiled("runner");
if (args[0] === READING) {
	const { main } = await import("./commands/read-reports.ts");
	await main();
} else {
	const { main } = await import("./commands/commands.ts");
	process.exit(await main(args));
}
