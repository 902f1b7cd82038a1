/** Called by `npm version`, after it has changed package.json and before it commits. */
import { join } from "node:path";
import { writeVersion } from "./versions.ts";

writeVersion(join(import.meta.dirname, ".."));
