/**
 * A file of tests leaves the environment as it was: the next file of its worker inherits it. A setup file of Vitest, which runs for
 * each file.
 */
import { afterAll, expect } from "vitest";

/** Variables that change what the product and its programs do. */
const READ = /^(TAPEDECK_.*|DISPLAY|PATH|TMPDIR|TZ)$/;

const variables = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => READ.test(name)));

const before = variables();
// Registered before those of the file, and so called after them.
afterAll(() => expect(variables(), "this file of tests leaves changed variables to the next one").toEqual(before));
