/** Organizations and their deletion. */
import * as z from "zod";
import { idSchema, labelSchema, plainText, timestampSchema } from "./primitives.ts";

export const organizationBodySchema = z.strictObject({ name: labelSchema });
export const organizationSchema = z.object({ id: idSchema, name: z.string() });
export type Organization = z.infer<typeof organizationSchema>;

/** The organization's name, as a second question. */
export const deleteOrganizationBodySchema = z.strictObject({ name: plainText("name").min(1).max(1_000) });
/** The owner's request, and the time at which it happens unless an owner cancels it. */
export const organizationDeletionSchema = z.object({
	requestedAt: timestampSchema,
	requestedBy: z.string(),
	deleteAt: timestampSchema,
});
export type OrganizationDeletion = z.infer<typeof organizationDeletionSchema>;
