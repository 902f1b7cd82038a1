/** Invitations and password links by email, with a real SMTP server. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { join, type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_EMAIL, type TestApi } from "#test/api-server.ts";
import { until } from "#test/wait.ts";

const mails: { to: string[]; text: string }[] = [];
let refusesAll = false;
let server: SMTPServer;
let api: TestApi;
let owner: Person;
let person: Person;

beforeAll(async () => {
	server = new SMTPServer({
		authOptional: true,
		disabledCommands: ["STARTTLS"],
		onRcptTo: (_, __, done) => done(refusesAll ? new Error("550 no such mailbox") : null),
		onData: (stream, { envelope }, done) => {
			const chunks: Buffer[] = [];
			stream.on("data", (chunk: Buffer) => chunks.push(chunk));
			stream.on("end", () => {
				const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "").replaceAll("=3D", "=");
				mails.push({ to: envelope.rcptTo.map(({ address }) => address), text });
				done();
			});
		},
	});
	const listening = server.listen(0, "127.0.0.1");
	await once(listening, "listening");
	const { port } = listening.address() as AddressInfo;
	api = await startTestApi({
		TAPEDECK_SMTP_URL: `smtp://127.0.0.1:${port}`,
		TAPEDECK_MAIL_FROM: "Tapedeck <tapedeck@example.com>",
	});
	owner = await signIn(api);
	person = await join(api, owner, "member");
});
afterAll(async () => {
	await api?.stop();
	await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => {
	mails.length = 0;
	refusesAll = false;
});

const invite = async (body: object) => (await owner.call("POST", "/v1/invitations", { body })).body;
const linksOf = async (userId: number) =>
	(await api.app.db.selectFrom("passwordResetLink").select("userId").where("userId", "=", userId).execute()).length;
const forgot = (email: string) =>
	api.call("POST", "/v1/password-reset/requests", { token: null, headers: { origin: api.url }, body: { email } });

test("an invitation is sent when it is for an email, and not when anybody may use it", async () => {
	const sent = await invite({ role: "member", email: "ada@example.com" });
	expect(sent.emailed).toBe(true);
	expect(mails).toHaveLength(1);
	expect(mails[0]?.to).toEqual(["ada@example.com"]);
	expect(mails[0]?.text).toContain(sent.url);
	expect(mails[0]?.text).toMatch(/^From: Tapedeck <tapedeck@example.com>\r$/m);
	expect((await invite({ role: "member" })).emailed).toBe(false);
	expect(mails).toHaveLength(1);
});

test("an invitation is created with its link when the mail server refuses the email", async () => {
	refusesAll = true;
	const created = await invite({ role: "viewer", email: "grace@example.com" });
	expect(created).toMatchObject({ emailed: false, url: expect.stringContaining("/invite#") });
	expect(mails).toEqual([]);
});

test("a password link is sent to the person when an admin creates it", async () => {
	const { body } = await owner.call("POST", `/v1/members/${person.userId}/password-reset`);
	expect(body.emailed).toBe(true);
	expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
	expect(mails[0]?.text).toContain(body.url);
});

test("a subject with a line break adds no header and no recipient", async () => {
	const subject = "Ada\r\nBcc: all@example.com\r\n\r\ntext";
	expect(await api.app.mailer?.send({ to: "ada@example.com", subject, text: "text" })).toBe(true);
	expect(mails[0]?.to).toEqual(["ada@example.com"]);
	expect(mails[0]?.text).not.toMatch(/^bcc:/im);
});

test("a person who forgot the password gets a link that works once, and the answer is the same without an account", async () => {
	expect((await forgot(person.email.toUpperCase())).status).toBe(202);
	await until(() => mails.length === 1, "the link is sent");
	expect(mails[0]?.to).toEqual([person.email]);
	const token = /reset-password#([\w-]{43})/.exec(mails[0]?.text ?? "")?.[1] ?? "";
	expect((await forgot("nobody@example.com")).status).toBe(202);
	const reset = { token: null, body: { token, password: "another good password" } };
	expect((await api.call("POST", "/v1/password-reset", reset)).status).toBe(204);
	expect((await api.call("POST", "/v1/password-reset", reset)).status).toBe(410);
	expect((await signIn(api, person.email, "another good password")).userId).toBe(person.userId);
	const entries = (await owner.call("GET", "/v1/audit-log?action=password.reset_link_created&limit=1")).body.data;
	expect(entries).toMatchObject([{ actor: { name: "Someone with the email" }, target: { id: person.userId } }]);
});

test("no link is sent when the account signs in with single sign-on only", async () => {
	const sso = await join(api, owner, "member");
	await accountTables(api.app.db).deleteFrom("account").where("userId", "=", sso.userId).execute();
	expect((await forgot(sso.email)).status).toBe(202);
	expect((await forgot(person.email)).status).toBe(202);
	await until(() => mails.length > 0, "the other account's link is sent");
	expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
	expect(await linksOf(sso.userId)).toBe(0);
});

test("at most three links an hour are created for an account, with the same answer for more", async () => {
	for (let at = 0; at < 5; at++) expect((await forgot(TEST_EMAIL)).status).toBe(202);
	await until(() => mails.length === 3, "three are sent");
	const path = "/v1/audit-log?action=password.reset_link_created&limit=10";
	const entries: { target: { id: number } }[] = (await owner.call("GET", path)).body.data;
	expect(entries.filter(({ target }) => target.id === owner.userId)).toHaveLength(3);
});

test("an address that requests many links gets 429", async () => {
	const statuses = new Set<number>();
	for (let at = 0; at < 21; at++) statuses.add((await forgot(`nobody${at}@example.com`)).status);
	expect(statuses).toContain(429);
});

test("a dashboard without a mail server says whom to ask for a link", async () => {
	const { mailer } = api.app;
	api.app.mailer = null;
	const answer = await forgot("ada@example.com");
	api.app.mailer = mailer;
	expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining("sends no email")]);
});
