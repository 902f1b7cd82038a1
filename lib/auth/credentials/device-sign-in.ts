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
} from "@tapedeck/contract/device-sign-in.ts";
import { can, SCOPES } from "@tapedeck/contract/permissions.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { networkOf } from "#lib/core/network-of.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { timestamp } from "#lib/core/times.ts";
import { createApiKey } from "./create-api-key.ts";
import { makeLinkToken } from "./credential-secret.ts";
import { scopesIn } from "./credential-view.ts";

const LIFE_MS = 10 * 60_000;
const INTERVAL_SECONDS = 2;
/** Anyone can ask: of more from one address, or one /64, the oldest makes room. */
const MAX_OF_NETWORK = 10;
/** Above this number in total, the oldest sign-in of the address with the most is dropped. */
const MAX_WAITING = 1_000;
const KEY_LIFE_MS = 90 * 86_400_000;

export async function beginDeviceSignIn(ctx: Context, input: BeginDeviceSignIn): Promise<DeviceSignIn> {
	const now = ctx.clock.now();
	await ctx.db.deleteFrom("deviceSignIn").where("expiresAt", "<=", now).execute();
	const { token, hash } = makeLinkToken();
	const userCode = makeUserCode();
	const expiresAt = now + LIFE_MS;
	await ctx.db
		.insertInto("deviceSignIn")
		.values({
			hash,
			userCode,
			name: input.name,
			address: ctx.address ?? null,
			createdAt: now,
			expiresAt,
			scopes: JSON.stringify(SCOPES.filter((scope) => input.scopes === undefined || input.scopes.includes(scope))),
			organizationId: null,
			userId: null,
		})
		.execute();
	await makeRoom(ctx, hash);
	return {
		deviceCode: token,
		userCode,
		url: `${ctx.baseUrl}/device?code=${userCode}`,
		expiresAt: timestamp(expiresAt),
		intervalSeconds: INTERVAL_SECONDS,
	};
}

/**
 * Ends sign-ins beyond those that may wait. After the insert, because of several at once the last one to look sees all.
 * @param newest the hash of one that stays.
 */
async function makeRoom({ db }: Context, newest: string): Promise<void> {
	const waiting = await db
		.selectFrom("deviceSignIn")
		.select(["hash", "address"])
		.where("userId", "is", null)
		.orderBy("createdAt")
		.orderBy("hash")
		.execute();
	const others = waiting.filter(({ hash }) => hash !== newest);
	const networks = Map.groupBy(waiting, ({ address }) => networkOf(address));
	const own = networkOf(waiting.find(({ hash }) => hash === newest)?.address ?? null);
	const ended = others.filter(({ address }) => networkOf(address) === own).slice(0, 1 - MAX_OF_NETWORK);
	if (waiting.length - ended.length > MAX_WAITING) {
		const [most = []] = [...networks.values()].sort((a, b) => b.length - a.length);
		ended.push(...most.filter(({ hash }) => hash !== newest).slice(0, 1));
	}
	if (ended.length === 0) return;
	const hashes = ended.map(({ hash }) => hash);
	await db.deleteFrom("deviceSignIn").where("hash", "in", hashes).where("userId", "is", null).execute();
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

/** @returns the program that asks to be signed in. @throws not_found for an unknown, expired or confirmed code. */
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
	await inTransaction(ctx, async (ctx) => {
		const confirmed = await ctx.db
			.updateTable("deviceSignIn")
			.set({ organizationId: actor.organizationId, userId: actor.userId, scopes: JSON.stringify(scopes) })
			.where("userCode", "=", userCode)
			.where("userId", "is", null)
			.where("expiresAt", ">", ctx.clock.now())
			.returning(["name", "address"])
			.executeTakeFirst();
		if (confirmed === undefined) throw noSuchCode();
		const { name, address } = confirmed;
		await audit(ctx, { action: "device_sign_in.approved", detail: { device: name, deviceAddress: address, scopes } });
	});
}

/** Ends what a person has confirmed and no program has fetched. @param ctx its database must be a transaction. */
export async function endConfirmedSignIns({ db }: Pick<Context, "db">, userId: number): Promise<void> {
	await db.deleteFrom("deviceSignIn").where("userId", "=", userId).execute();
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
