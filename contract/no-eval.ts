/**
 * Keeps zod from compiling its parsers with `Function`, which it tries whenever a schema is made. The pages'
 * Content-Security-Policy forbids it and reports every attempt. Import this before the first schema is made, wherever a
 * browser may load one.
 */
import { config } from "zod";

if ("document" in globalThis) config({ jitless: true });
