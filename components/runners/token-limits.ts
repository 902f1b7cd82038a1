/** The limits of a new runner token, as chosen in the form. */
import type { CreateRunnerToken } from "@tapedeck/contract/credential.ts";
import { CAPABILITIES, type Capability } from "@tapedeck/contract/permissions.ts";

/** For how long new runners can sign in, by hours; empty for ever. */
export const ENROLLMENT_PERIODS = {
	"": "Always",
	1: "For 1 hour",
	24: "For 24 hours",
	168: "For 7 days",
	720: "For 30 days",
} as const;

const HOUR_MS = 3_600_000;

/** The form's fields, named as in the API's body. Lists are separated by commas; what is empty is not limited. */
export interface TokenValues {
	name: string;
	maxRunners: string;
	/** Hours. */
	enrollUntil: string;
	namePattern: string;
	/** `key=value` pairs. */
	labels: string;
	displays: string;
	grids: string;
	capabilities: Capability[];
}

export const NEW_TOKEN: TokenValues = {
	name: "",
	maxRunners: "",
	enrollUntil: "",
	namePattern: "",
	labels: "",
	displays: "",
	grids: "",
	capabilities: [...CAPABILITIES],
};

/** @returns the API's body. What is not understood is left to the API to refuse, beside its field. */
export function tokenBody(values: TokenValues, now: number): CreateRunnerToken {
	const { name, maxRunners, enrollUntil, namePattern } = values;
	return {
		name,
		...(maxRunners === "" ? {} : { maxRunners: Number(maxRunners) }),
		...(enrollUntil === "" ? {} : { enrollUntil: new Date(now + Number(enrollUntil) * HOUR_MS).toISOString() }),
		...(namePattern === "" ? {} : { namePattern }),
		...(values.labels === "" ? {} : { labels: Object.fromEntries(listOf(values.labels).map(pairOf)) }),
		...(values.displays === "" ? {} : { displays: listOf(values.displays) }),
		...(values.grids === "" ? {} : { grids: listOf(values.grids) }),
		...capabilitiesBody(values.capabilities),
	};
}

/** @returns the field of the API's body: none if all are chosen, which is no limit. */
export const capabilitiesBody = (chosen: readonly Capability[]): { capabilities?: Capability[] } =>
	chosen.length === CAPABILITIES.length ? {} : { capabilities: CAPABILITIES.filter((one) => chosen.includes(one)) };

const listOf = (text: string): string[] =>
	text
		.split(",")
		.map((each) => each.trim())
		.filter((each) => each !== "");

function pairOf(text: string): [string, string] {
	const at = text.indexOf("=");
	return at < 0 ? [text, ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
