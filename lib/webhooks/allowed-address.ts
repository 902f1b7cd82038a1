/** Addresses that webhooks may be sent to: public ones, and those that the operator allows. */
import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export type AddressRule = (address: string) => boolean;

/** @param networks addresses and networks (`10.0.0.0/8`) that are allowed although they are not public. */
export function allowedAddresses(networks: readonly string[]): AddressRule {
	const allowed = networks.map((network) => {
		const address = ipaddr.process(network.split("/")[0] ?? "");
		const bits = Number(network.split("/")[1] ?? (address.kind() === "ipv4" ? 32 : 128));
		return [address, bits] as [typeof address, number];
	});
	return (text) => {
		if (!ipaddr.isValid(text)) return false;
		// An IPv4 address that is written as an IPv6 one is the IPv4 one.
		const address = ipaddr.process(text);
		const isNamed = allowed.some(
			([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
		);
		return isNamed || address.range() === "unicast";
	};
}

/** The address that a URL names itself; null if it has a host name. */
export function literalAddress(url: URL): string | null {
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
	return isIP(host) === 0 ? null : host;
}

export const refusalOf = (address: string): string =>
	`${address} is not a public address. Ask the operator to name it in TAPEDECK_WEBHOOK_ALLOW.`;

/**
 * Resolves host names for a connection, once: what is connected to is what was checked. A name whose addresses change between a
 * check and the connection gains nothing.
 * @param resolve for tests.
 */
export const allowedLookup =
	(isAllowed: AddressRule, resolve: typeof lookup = lookup): LookupFunction =>
	(host, options, callback) => {
		resolve(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
			if (error !== null) return callback(error, []);
			const usable = addresses.filter(({ address }) => isAllowed(address));
			const [first] = usable;
			if (first === undefined) return callback(new Error(refusalOf(addresses[0]?.address ?? host)), []);
			if (options.all === true) return callback(null, usable);
			callback(null, first.address, first.family);
		});
	};
