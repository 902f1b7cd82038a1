/** The `tapedeck` command. */
import { startLean } from "./lean-start.ts";

const words = process.argv.slice(2);
if (words[0] === "runner") await startLean(() => import("./commands.ts"));
const { main } = await import("./commands.ts");
process.exit(await main(words));
