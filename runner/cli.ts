/** The `tapedeck` command. */

import { keepCompiled, startLean } from "./base/lean-start.ts";
import { hideSecrets } from "./config/hide-secrets.ts";

const words = process.argv.slice(2);
if (words[0] === "runner" || words[0] === "doctor") hideSecrets(words);
if (words[0] === "runner") {
	await startLean(async () => {
		await import("./commands/commands.ts");
		await import("./commands/runner.ts");
	});
} else keepCompiled();
const { main } = await import("./commands/commands.ts");
process.exit(await main(words));
