/** The node of a grid that a recorder belongs to: by its id, its URI, or its host. */
import type { GridNode } from "./read-status.ts";

export type NodeMatcher = (node: Pick<GridNode, "id" | "uri">) => boolean;

/** @returns whether a node is the one that `wanted` names; several nodes may share a host. */
export function nodeMatcher(wanted: string): NodeMatcher {
	const text = wanted.trim().toLowerCase();
	const asUrl = text.includes("://") ? URL.parse(text) : null;
	return ({ id, uri }) => {
		if (id.toLowerCase() === text) return true;
		const url = URL.parse(uri);
		if (url === null) return uri !== "" && uri.toLowerCase() === text;
		if (asUrl !== null) return asUrl.host === url.host;
		return text === url.host || text === url.hostname;
	};
}

/** The nodes of a grid for a message, limited in length. */
export function nodesInWords(nodes: readonly GridNode[]): string {
	if (nodes.length === 0) return "it has no nodes";
	const some = nodes.slice(0, 5).map(({ id, uri }) => (uri || id).slice(0, 100));
	const more = nodes.length > some.length ? ` and ${nodes.length - some.length} more` : "";
	return `it has ${some.join(", ")}${more}`;
}
