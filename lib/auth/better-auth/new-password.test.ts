import { verifyPassword } from "better-auth/crypto";
import { expect, test } from "vitest";
import { hashNewPassword } from "./new-password.ts";

const personal = ["ada.lovelace@example.com", "Ada Lovelace"];
const hashed = (password: string) => hashNewPassword({ password, field: "password", personal });

test.each([
	"password12",
	"P@ssw0rd123",
	"qwertyuiop",
	"1234567890",
	"aaaaaaaaaaaaaaa",
	"Tapedeck2026",
	"ada.lovelace",
])("the password %j is refused with a sentence when somebody chooses it", async (password) => {
	await expect(hashed(password)).rejects.toMatchObject({
		code: "validation_failed",
		message: expect.stringMatching(/^password: This password is easy to guess\. .*Use several words/),
	});
});

test("a password of several words or random characters is accepted when somebody chooses it", async () => {
	for (const password of ["correct horse battery staple", "Xk9#mQ2$vLw7", `${"x".repeat(20)}planted 8 herons`]) {
		expect(await verifyPassword({ hash: await hashed(password), password })).toBe(true);
	}
});

test("facts about one person make no password of another one weak", async () => {
	const password = "Millicent Farnsworthy";
	const of = (personal: string[]) => hashNewPassword({ password, field: "password", personal });
	await expect(of([password])).rejects.toMatchObject({ code: "validation_failed" });
	await expect(of(["bo@example.com", "Bo"])).resolves.toBeTruthy();
});
