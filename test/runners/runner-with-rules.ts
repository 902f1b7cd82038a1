/** `tapedeck runner` with other times. Its only argument is the rules of deliveries as JSON. */
import { run } from "../../runner/commands/runner.ts";

process.exit(await run([], JSON.parse(process.argv[2] ?? "")));
