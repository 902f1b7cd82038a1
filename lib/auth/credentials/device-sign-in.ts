/**
 * Signs in a program without a browser, such as `tapedeck login`: it shows a code, a person confirms it in the
 * dashboard, and the program fetches an API key of that person, once. Nothing of the key exists before that.
 */
import { randomInt } from "node:crypto";
import {
	type ApproveDeviceSignIn,
	type BeginDeviceSignIn,
	type DeviceKey,
	type DeviceSignIn,
	type OpenedDeviceSignIn,
	USER_CODE_LETTERS,
} from "#lib/contract/device-sign-in.ts";
import { can, SCOPES } from "#lib/contract/permissions.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { timestamp } from "#lib/core/times.ts";
import { createApiKey } from "./create-api-key.ts";
import { makeLinkToken } from "./credential-secret.ts";
import { scopesIn } from "./credential-view.ts";

const LIFE_MS = 10 * 60_000;
const INTERVAL_SECONDS = 2;
/** Anyone can ask, so only so many wait at a time. */
const MAX_WAITING = 1_000;
const KEY_LIFE_MS = 90 * 86_400_000;

/** @throws too_many_requests while too many wait. */
export async function beginDeviceSignIn(ctx: Context, input: BeginDeviceSignIn): Promise<DeviceSignIn> {
	const now = ctx.clock.now();
	await ctx.db.deleteFrom("deviceSignIn").where("expiresAt", "<=", now).execute();
	const waiting = await ctx.db.selectFrom("deviceSignIn").select("hash").limit(MAX_WAITING).execute();
	if (waiting.length >= MAX_WAITING) {
		throw new TapedeckError("too_many_requests", "Too many sign-ins wait for confirmation. Try again in 10 minutes.", {
			headers: { "retry-after": "600" },
		});
	}
	const { token, hash } = makeLinkToken();
	const userCode = makeUserCode();
	const expiresAt = now + LIFE_MS;
	await ctx.db
		.insertInto("deviceSignIn")
		.values({
			...{ hash, userCode, name: input.name, address: ctx.address ?? null, createdAt: now, expiresAt },
			scopes: JSON.stringify(SCOPES.filter((scope) => input.scopes === undefined || input.scopes.includes(scope))),
			...{ organizationId: null, userId: null },
		})
		.execute();
	return {
		deviceCode: token,
		userCode,
		url: `${ctx.baseUrl}/device?code=${userCode}`,
		expiresAt: timestamp(expiresAt),
		intervalSeconds: INTERVAL_SECONDS,
	};
}

/** 20^8 codes: too many to guess within the ten minutes of one, by the few who may confirm it. */
function makeUserCode(): string {
	const letters = Array.from({ length: 8 }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]);
	return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

const closed = () =>
	new TapedeckError(
		"gone",
		"This sign-in was denied, has expired, or was used already. Start it again, such as with tapedeck login.",
	);

/**
 * Creates the key once the person has confirmed the code.
 * @throws gone if it was denied, has expired, or was fetched already.
 */
export async function fetchDeviceKey(ctx: Context, deviceCode: string): Promise<DeviceKey> {
	const hash = hashSecret(deviceCode);
	const now = ctx.clock.now();
	const confirmed = await ctx.db
		.deleteFrom("deviceSignIn")
		.where("hash", "=", hash)
		.where("userId", "is not", null)
		.where("expiresAt", ">", now)
		.returningAll()
		.executeTakeFirst();
	if (confirmed === undefined) {
		const waiting = await ctx.db
			.selectFrom("deviceSignIn")
			.select("hash")
			.where("hash", "=", hash)
			.where("expiresAt", ">", now)
			.executeTakeFirst();
		if (waiting === undefined) throw closed();
		return { state: "pending" };
	}
	const { organizationId, userId } = confirmed;
	// The person may have lost the role since.
	const person = await ctx.db
		.selectFrom("member")
		.innerJoin("user", "user.id", "member.userId")
		.select(["member.role", "user.name"])
		.where("member.organizationId", "=", organizationId)
		.where("member.userId", "=", userId)
		.executeTakeFirst();
	if (person === undefined || organizationId === null || userId === null) throw closed();
	if (!can(person.role, "organization:manage")) throw closed();
	const actor = { kind: "user", organizationId, userId, name: person.name, role: person.role } as const;
	const apiKey = await createApiKey(
		{ ...ctx, actor },
		{ name: confirmed.name, scopes: scopesIn(confirmed.scopes), expiresAt: timestamp(now + KEY_LIFE_MS) },
	);
	return { state: "approved", url: ctx.baseUrl, apiKey };
}

const noSuchCode = () =>
	new TapedeckError("not_found", "No sign-in waits with this code. Check it, or start again in the terminal.");

/** What asks to be signed in. @throws not_found for an unknown, expired or confirmed code. */
export async function openDeviceSignIn(ctx: Context, userCode: string): Promise<OpenedDeviceSignIn> {
	const row = await ctx.db
		.selectFrom("deviceSignIn")
		.selectAll()
		.where("userCode", "=", userCode)
		.where("userId", "is", null)
		.where("expiresAt", ">", ctx.clock.now())
		.executeTakeFirst();
	if (row === undefined) throw noSuchCode();
	return {
		userCode,
		name: row.name,
		address: row.address,
		scopes: scopesIn(row.scopes),
		createdAt: timestamp(row.createdAt),
		expiresAt: timestamp(row.expiresAt),
	};
}

/** Confirms a code: the program gets a key of this person. @throws not_found as above; only one confirmation counts. */
export async function approveDeviceSignIn(ctx: Context, { userCode, scopes }: ApproveDeviceSignIn): Promise<void> {
	const { actor } = ctx;
	if (actor.kind !== "user") throw new TapedeckError("forbidden", "Only a person can confirm a sign-in.");
	const confirmed = await ctx.db
		.updateTable("deviceSignIn")
		.set({ organizationId: actor.organizationId, userId: actor.userId, scopes: JSON.stringify(scopes) })
		.where("userCode", "=", userCode)
		.where("userId", "is", null)
		.where("expiresAt", ">", ctx.clock.now())
		.returning("hash")
		.executeTakeFirst();
	if (confirmed === undefined) throw noSuchCode();
}

/** @throws not_found as above. */
export async function denyDeviceSignIn(ctx: Context, userCode: string): Promise<void> {
	const denied = await ctx.db
		.deleteFrom("deviceSignIn")
		.where("userCode", "=", userCode)
		.where("userId", "is", null)
		.returning("hash")
		.executeTakeFirst();
	if (denied === undefined) throw noSuchCode();
}
