/** Each organization's storage as known to this process between two reads of the database. */

/** A count of many overdue recordings, with what the organization stored and had as its limits. */
export type OverdueCount = { count: number; storedRecordings: number; limits: string; at: number };

/** The bytes in use, and the ends of uploads that arrive in pieces. */
export type Usage = { readAt: number; bytes: number; ends: Map<string, { end: number; at: number }> };

export class StorageUsage {
	readonly #byOrganization = new Map<number, Usage>();
	/** The counts of organizations that have many. */
	readonly overdueCounts = new Map<number, OverdueCount>();

	of(organizationId: number): Usage {
		const known = this.#byOrganization.get(organizationId);
		if (known !== undefined) return known;
		const unread: Usage = { readAt: Number.NEGATIVE_INFINITY, bytes: 0, ends: new Map() };
		this.#byOrganization.set(organizationId, unread);
		return unread;
	}
}
