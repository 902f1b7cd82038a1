/** A setting that is true or false. */
import * as z from "zod";

export const booleanFlag = z
	.string()
	.trim()
	.toLowerCase()
	.refine((value) => /^(true|false|1|0|yes|no|on|off|)$/.test(value), { error: "Use true or false." })
	.transform((value) => /^(true|1|yes|on)$/.test(value));
