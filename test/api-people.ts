/** Signed-in people who call the API with their session cookies, like a browser. */
import { type Answer, type CallOptions, TEST_EMAIL, TEST_PASSWORD, type TestApi } from "./api-server.ts";

export interface Person {
	userId: number;
	name: string;
	email: string;
	password: string;
	call(method: string, path: string, options?: CallOptions): Promise<Answer>;
	/** The Cookie header of this browser. */
	cookie(): string;
}

export const PASSWORD = "a long enough password";

/** The cookies that a response sets, as a Cookie header. */
export const cookieOf = (answer: Pick<Answer, "headers">): string =>
	answer.headers
		.getSetCookie()
		.map((each) => each.split(";")[0])
		.join("; ");

/** Signs in with a new browser. */
export async function signIn(api: TestApi, email = TEST_EMAIL, password = TEST_PASSWORD): Promise<Person> {
	const answer = await api.call("POST", "/api/auth/sign-in/email", {
		token: null,
		headers: { origin: api.url },
		body: { email, password },
	});
	if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return personOf(api, cookieOf(answer), email, password, Number(answer.body.user.id), answer.body.user.name);
}

function personOf(api: TestApi, cookie: string, email: string, password: string, userId: number, name: string): Person {
	return {
		userId,
		name,
		email,
		password,
		cookie: () => cookie,
		call: (method, path, options = {}) =>
			api.call(method, path, {
				token: null,
				...options,
				headers: { cookie, origin: api.url, ...options.headers },
			}),
	};
}

/** The token after a link's `#`. */
export const tokenOf = (url: string): string => new URL(url).hash.slice(1);

/** An invitation created by `admin`. */
export async function invite(admin: Person, role: string, email?: string): Promise<{ id: number; token: string }> {
	const answer = await admin.call("POST", "/v1/invitations", { body: { role, ...(email ? { email } : {}) } });
	if (answer.status !== 201) throw new Error(`inviting answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return { id: answer.body.id, token: tokenOf(answer.body.url) };
}

let count = 0;

/** A new member, who accepted an invitation from `admin`. */
export async function join(api: TestApi, admin: Person, role: string): Promise<Person> {
	count += 1;
	const { token } = await invite(admin, role);
	const email = `person-${count}@example.com`;
	const name = `Person ${count}`;
	const answer = await api.call("POST", "/v1/sign-up", {
		token: null,
		headers: { origin: api.url },
		body: { token, name, email, password: PASSWORD },
	});
	if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
	return personOf(api, cookieOf(answer), email, PASSWORD, answer.body.userId, name);
}
