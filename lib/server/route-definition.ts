/** What every route declares, whichever door its body goes through. */
import * as z from "zod";
import type { AuditAction } from "../contract/audit.ts";
import type { Scope } from "../contract/organization.ts";
import type { ProblemCode } from "../contract/problem.ts";
import type { Context } from "../core/context.ts";

export type ActorKind = "user" | "apiKey" | "runner";

export type RouteDefinition = {
	/** One sentence for the contract document. */
	summary: string;
	/** No credentials needed; the handler gets the actor when there is one. */
	open?: true;
	/** Not counted by the limits of calls: pictures and videos, of which one page wants hundreds. */
	uncounted?: true;
	/** The answer goes on for as long as the caller likes: so many are held open by one caller. */
	endless?: true;
	/** Who may call; users and API keys when left out. */
	actors?: readonly ActorKind[];
	/**
	 * The check of the caller's role that the verb begins with, made before the body is read too: who may not hears so,
	 * whatever was sent. Wanted of every route with a body that some member may not call (app/v1/access.test.ts).
	 */
	authorize?: (ctx: Context) => void;
	/** What an API key must hold. */
	scope?: Scope;
	/**
	 * The entries that the call leaves in the audit log, of which its verb writes one (lib/core/audit), or why it
	 * leaves none. Wanted of every route that changes something: a test fails without (app/v1/audited-routes.test.ts).
	 */
	audit?: readonly AuditAction[] | { none: string };
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The body is a file: its size is limited by its own rules, and its time by idleness (limit-body.ts). */
	fileBody?: true;
	/** Refusals may come as plain text: tus has its own words for them. */
	plainRefusals?: true;
	/** Refusals of its own that whoever calls does well to know beforehand; the contract document tells them by status. */
	refusals?: readonly ProblemCode[];
	/** Answers by status, null for those without a body of ours. */
	answers: Readonly<Record<number, z.ZodType | null>>;
};

/** A route as the contract document needs it. */
export type DeclaredRoute = {
	method: string;
	/** `/v1/jobs/:jobId` */
	path: string;
	definition: RouteDefinition;
};

/** An id in a path: digits that make a positive integer; anything else is no such thing. */
export const pathId = z
	.string()
	.regex(/^[1-9]\d{0,15}$/)
	.transform(Number)
	.refine(Number.isSafeInteger);
