import type { ListMembersQuery, Member } from "@tapedeck/contract/member.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import type { Context } from "#lib/core/context.ts";
import { pageFrom, readCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { type AccountDatabase, accountTables, instantText } from "../better-auth/account-tables.ts";
import { userOf } from "./membership.ts";

/** The organization's members, in the order of joining, for every member to see. */
export async function listMembers(ctx: Context, query: ListMembersQuery): Promise<Page<Member>> {
	let rows = memberRows(accountTables(ctx.db), userOf(ctx).organizationId)
		.orderBy("member.id")
		.limit(query.limit + 1);
	if (query.cursor !== undefined) rows = rows.where("member.id", ">", readCursor(query.cursor));
	return pageFrom(await rows.execute(), query.limit, memberView);
}

/** @throws not_found when the actor's organization has no such member. */
export async function readMember(ctx: Context, userId: number): Promise<Member> {
	const rows = memberRows(accountTables(ctx.db), ctx.actor.organizationId);
	const row = await rows.where("member.userId", "=", userId).executeTakeFirst();
	if (row === undefined) throw notFound("member");
	return memberView(row);
}

const memberRows = (db: AccountDatabase, organizationId: number) =>
	db
		.selectFrom("member")
		.innerJoin("user", "user.id", "member.userId")
		.select(["member.id", "member.userId", "member.role", "member.createdAt", "user.name", "user.email"])
		.where("member.organizationId", "=", organizationId);

type MemberRow = Awaited<ReturnType<ReturnType<typeof memberRows>["executeTakeFirstOrThrow"]>>;

const memberView = ({ userId, name, email, role, createdAt }: MemberRow): Member => ({
	userId,
	name,
	email,
	role,
	joinedAt: instantText(createdAt),
});
