import { expect, test } from "vitest";
import { singleSignOnError } from "./single-sign-on.tsx";

test.each([
	"email_not_verified",
	"email_not_found",
	"email_does_not_match",
	"domain_not_allowed",
	"account_not_linked",
	"no_organization",
	"access_denied",
	"state_mismatch",
	"state_not_found",
	"unable_to_get_user_info",
	"issuer_mismatch",
	"invalid_code",
	"no_code",
	"oauth_provider_not_found",
])("a sign-in refused with %s is explained in a sentence with what to do, without the code", (code) => {
	const words = singleSignOnError(code, "Acme Login");
	expect(words).not.toContain(code);
	expect(words).toMatch(/(Try|Use|Ask|Sign in|Verify|Continue|ask) /);
});
