/** Writes the built dashboard as a folder that runs by itself, `dist/dashboard`: part of the image. */
import { join } from "node:path";
import { writeDashboardProgram } from "./dashboard-program.ts";

const root = join(import.meta.dirname, "..");
await writeDashboardProgram(root, join(root, "dist", "dashboard"));
