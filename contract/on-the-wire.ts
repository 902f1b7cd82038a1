/**
 * Additions to the generated JSON schemas of zod schemas, for values that are validated in code or arrive as
 * text. Part of the OpenAPI document.
 */
import * as z from "zod";
import "./no-eval.ts";

/** An entry with a `type` replaces the generated schema; any other adds to it. */
type OnTheWire = Readonly<Record<string, unknown>>;

export const onTheWire = z.registry<OnTheWire>();
