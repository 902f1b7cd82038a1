/** Time from an owner's request to delete an organization until it is deleted. Without zod, because pages show it. */
export const ORGANIZATION_GRACE_DAYS = 7;
