/**
 * What the generated JSON schema of a zod schema lacks or gets wrong, because validation happens in code or the value
 * comes as text. Part of the OpenAPI document.
 */
import * as z from "zod";
import "./no-eval.ts";

/** With a `type`, the entry replaces the generated schema; otherwise it adds to it. */
type OnTheWire = Readonly<Record<string, unknown>>;

export const onTheWire = z.registry<OnTheWire>();
