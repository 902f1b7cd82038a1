/** Records a run of Playwright Test: `reporter: [["list"], ["@tapedeck/playwright", { displayId: ":99" }]]`. */

export type { TapedeckReporterOptions } from "./options.ts";
export { TapedeckReporter as default } from "./reporter.ts";
