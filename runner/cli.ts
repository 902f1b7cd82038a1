/** The `tapedeck` command. */
import { hideSecrets } from "./hide-secrets.ts";
import { keepCompiled, startLean } from "./lean-start.ts";

const words = process.argv.slice(2);
if (words[0] === "runner" || words[0] === "doctor") hideSecrets(words);
if (words[0] === "runner") {
	await startLean(async () => {
		await import("./commands.ts");
		await import("./commands/runner.ts");
	});
} else keepCompiled();
const { main } = await import("./commands.ts");
process.exit(await main(words));
