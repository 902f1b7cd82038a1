/** How long an organization still exists after an owner asked to delete it. Without zod, because pages say it. */
export const ORGANIZATION_GRACE_DAYS = 7;
