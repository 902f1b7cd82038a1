/** A program that finds the runner which lends displays, because Playwright does not wait for what a reporter does at the beginning. */
import { writeFileSync } from "node:fs";
import { findLender } from "./lender.ts";
import { ANSWER_FD } from "./options.ts";

const { runner, count }: { runner?: string; count: number } = JSON.parse(process.argv[2] ?? "{}");
const answer = await findLender(runner, count, process.env).catch((error) => ({ error: error.message }));
writeFileSync(ANSWER_FD, JSON.stringify(answer));
