/**
 * Records a run of Playwright Test: `reporter: [["@tapedeck/playwright", { displayId: ":99" }], ["list"]]`, and what browsers
 * log in tests that `import { test, expect } from "@tapedeck/playwright"`.
 */

export { expect } from "playwright/test";
export { type TapedeckTestOptions, type TapedeckWorkerOptions, tapedeck, test } from "./fixtures.ts";
export type { TapedeckReporterOptions } from "./options.ts";
export { WorkerReporter as default } from "./worker-reporter.ts";
