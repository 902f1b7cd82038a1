/**
 * zod compiles its parsers with `Function`, and tries that out whenever a schema is made. The pages' Content-Security-Policy
 * forbids it, and reports each attempt. Imported before the first schema is made, wherever a browser may load one.
 */
import { config } from "zod";

if ("document" in globalThis) config({ jitless: true });
