/** Decides which addresses count as one caller. */
import { isIPv6 } from "node:net";

/** The unit that counts as one caller: an address, or the /64 of an IPv6 address, which usually belongs to one customer. */
export function networkOf(address: string | null): string {
	if (address === null || !isIPv6(address)) return address ?? "unknown";
	const [head = "", tail] = address.split("::");
	const first = head.split(":");
	const zeros = tail === undefined ? 0 : 8 - first.length - tail.split(":").length;
	return [...first, ...Array.from({ length: Math.max(0, zeros) }, () => "0")].slice(0, 4).join(":");
}
