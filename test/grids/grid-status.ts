/** Status answers of Selenium Grid 4, with the sessions that a test wants. */

export interface StatusSession {
	id: string;
	start?: string;
	capabilities?: unknown;
}
export interface StatusNode {
	id: string;
	uri: string;
	availability?: "UP" | "DOWN" | "DRAINING";
	/** One per slot; null for a free one. */
	slots: readonly (StatusSession | null)[];
}

const nodeOf = ({ id, uri, availability = "UP", slots }: StatusNode) => ({
	...{ id, uri, availability, maxSessions: slots.length, version: "4.40.0" },
	slots: slots.map((session, index) => ({
		id: { hostId: id, id: `slot-${index}` },
		lastStarted: "1970-01-01T00:00:00Z",
		session:
			session === null
				? null
				: {
						...{ sessionId: session.id, uri, start: session.start ?? new Date().toISOString() },
						capabilities: session.capabilities ?? { browserName: "chrome" },
						stereotype: { browserName: "chrome" },
					},
		stereotype: { browserName: "chrome" },
	})),
});

/** What a hub or a standalone grid returns. */
export const hubStatus = (nodes: readonly StatusNode[]) => ({
	value: { ready: true, message: "Selenium Grid ready.", nodes: nodes.map(nodeOf) },
});

/** What a node returns at `/status`. */
export const nodeStatus = (node: StatusNode) => ({
	value: { ready: true, message: "Ready", node: nodeOf(node) },
});
