/** Signing in a program by a code that a person confirms. */
import { beforeAll, expect, test } from "vitest";
import { join, type Person, signIn, tokenOf } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase(
	(api) => {
		let owner: Person;
		beforeAll(async () => {
			owner = await signIn(api());
		});
		const begin = async (body: object = {}, address = "192.0.2.1") => {
			const answer = await api().call("POST", "/v1/device-sign-ins", {
				...{ token: null, body: { name: "laptop", ...body } },
				headers: { "x-forwarded-for": address },
			});
			expect(answer.status, JSON.stringify(answer.body)).toBe(201);
			return answer.body;
		};
		const fetchKey = (deviceCode: string) =>
			api().call("POST", "/v1/device-sign-ins/key", { token: null, body: { deviceCode } });
		const act = (verb: string, body: object, by = owner) => by.call("POST", `/v1/device-sign-ins/${verb}`, { body });
		const state = async (deviceCode: string) => {
			const { status, body } = await fetchKey(deviceCode);
			return status === 200 ? body.state : status;
		};

		test("the program gets a key with the confirmed scopes, once, which its person sees among the keys", async () => {
			const { deviceCode, userCode, url, expiresAt } = await begin({ scopes: ["jobs:read", "jobs:write"] });
			expect(url).toContain(`/device?code=${userCode}`);
			expect(Date.parse(expiresAt) - api().app.clock.now()).toBeLessThanOrEqual(600_000);
			expect(await state(deviceCode)).toBe("pending");
			// People type it by hand.
			const typed = userCode.toLowerCase().replace("-", " ");
			const opened = await act("open", { userCode: typed });
			expect(opened.body).toMatchObject({ name: "laptop", userCode, scopes: ["jobs:read", "jobs:write"] });
			expect((await act("approve", { userCode: typed, scopes: ["jobs:read"] })).status).toBe(204);
			const { apiKey } = (await fetchKey(deviceCode)).body;
			expect(apiKey).toMatchObject({ name: "laptop", scopes: ["jobs:read"], createdBy: { role: "owner" } });
			expect((await api().call("GET", "/v1/jobs", { token: apiKey.secret })).status).toBe(200);
			expect((await api().call("GET", "/v1/recordings", { token: apiKey.secret })).status).toBe(403);
			expect((await owner.call("GET", "/v1/api-keys")).body.data[0]).toMatchObject({ id: apiKey.id, name: "laptop" });
			expect(await state(deviceCode)).toBe(410);
		});

		test("one of many calls that fetch the key at once gets it", async () => {
			const { deviceCode, userCode } = await begin();
			await act("approve", { userCode, scopes: ["jobs:read"] });
			const answers = await Promise.all(Array.from({ length: 8 }, () => fetchKey(deviceCode)));
			expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)]);
		});

		test("a denied, an expired and an unknown sign-in end, and a code can be confirmed once", async () => {
			const denied = await begin();
			expect((await act("deny", { userCode: denied.userCode })).status).toBe(204);
			expect(await state(denied.deviceCode)).toBe(410);
			const expired = await begin();
			await api().app.db.updateTable("deviceSignIn").set({ expiresAt: 1 }).execute();
			expect((await act("approve", { userCode: expired.userCode, scopes: ["jobs:read"] })).status).toBe(404);
			expect(await state(expired.deviceCode)).toBe(410);
			const used = await begin();
			expect((await act("approve", { userCode: used.userCode, scopes: ["jobs:read"] })).status).toBe(204);
			expect((await act("approve", { userCode: used.userCode, scopes: ["jobs:write"] })).status).toBe(404);
			expect((await act("open", { userCode: "BBBB-BBBB" })).status).toBe(404);
			expect((await act("open", { userCode: "short" })).body.errors[0].path).toBe("userCode");
		});

		test("someone who may not create keys confirms nothing, nor does someone who lost the role meanwhile", async () => {
			const { deviceCode, userCode } = await begin();
			const viewer = await join(api(), owner, "viewer");
			expect((await act("approve", { userCode, scopes: ["jobs:read"] }, viewer)).status).toBe(403);
			const admin = await join(api(), owner, "admin");
			expect((await act("approve", { userCode, scopes: ["jobs:read"] }, admin)).status).toBe(204);
			await owner.call("PATCH", `/v1/members/${admin.userId}`, { body: { role: "viewer" } });
			expect(await state(deviceCode)).toBe(410);
		});

		test("a thousand sign-ins that a stranger begins stop nobody's: of one address ten wait, and the oldest makes room", async () => {
			const victim = await begin({}, "198.51.100.7");
			const first = await begin({}, "203.0.113.9");
			const strangers = [];
			for (let batch = 0; batch < 20; batch++) {
				strangers.push(...(await Promise.all(Array.from({ length: 50 }, () => begin({}, "203.0.113.9")))));
			}
			const last = await begin({}, "203.0.113.9");
			expect(await state(victim.deviceCode)).toBe("pending");
			expect(await state(first.deviceCode)).toBe(410);
			expect(await state(last.deviceCode)).toBe("pending");
			const states = await Promise.all(strangers.map(({ deviceCode }) => state(deviceCode)));
			expect(states.filter((one) => one === "pending")).toHaveLength(9);
			expect((await act("approve", { userCode: victim.userCode, scopes: ["jobs:read"] })).status).toBe(204);
			expect((await fetchKey(victim.deviceCode)).body.state).toBe("approved");
		});

		test("a network of IPv6 counts as one address, and a confirmed sign-in makes no room", async () => {
			const confirmed = await begin({}, "2001:db8:0:1::1");
			expect((await act("approve", { userCode: confirmed.userCode, scopes: ["jobs:read"] })).status).toBe(204);
			const first = await begin({}, "2001:db8:0:1::2");
			const neighbour = await begin({}, "2001:db8:0:2::1");
			for (let host = 3; host < 13; host++) await begin({}, `2001:db8:0:1:${host}::1`);
			expect(await state(first.deviceCode)).toBe(410);
			expect(await state(neighbour.deviceCode)).toBe("pending");
			expect(await state(confirmed.deviceCode)).toBe("approved");
		});

		test("strangers at many addresses push out their own, not one who asked once", async () => {
			const victim = await begin({}, "198.51.100.8");
			const rows = Array.from({ length: 1_100 }, (_, index) => ({
				...{ hash: `h${index}`, userCode: `u${index}`, name: "x", scopes: "[]", organizationId: null, userId: null },
				...{ address: `10.9.${Math.floor(index / 10)}.1`, createdAt: Date.now() + 1, expiresAt: Date.now() + 600_000 },
			}));
			await api().app.db.insertInto("deviceSignIn").values(rows).execute();
			await begin({}, "198.51.100.9");
			expect(await state(victim.deviceCode)).toBe("pending");
			await api().app.db.deleteFrom("deviceSignIn").where("hash", "like", "h%").execute();
		});

		test("a confirmed code that no program has fetched dies when its person's password changes, by themselves or by a link", async () => {
			const admin = await join(api(), owner, "admin");
			const confirm = async () => {
				const { deviceCode, userCode } = await begin({}, "192.0.2.20");
				expect((await act("approve", { userCode, scopes: ["jobs:read"] }, admin)).status).toBe(204);
				return deviceCode;
			};
			const [own, another] = [await confirm(), await begin({}, "192.0.2.21")];
			expect((await act("approve", { userCode: another.userCode, scopes: ["jobs:read"] })).status).toBe(204);
			const passwords = { currentPassword: admin.password, newPassword: "another long password" };
			expect((await admin.call("POST", "/v1/me/password", { body: passwords })).status).toBe(204);
			expect(await state(own)).toBe(410);
			const reset = await confirm();
			const { url } = (await owner.call("POST", `/v1/members/${admin.userId}/password-reset`)).body;
			const body = { token: tokenOf(url), password: "a third long password" };
			expect((await api().call("POST", "/v1/password-reset", { token: null, body })).status).toBe(204);
			expect(await state(reset)).toBe(410);
			expect(await state(another.deviceCode)).toBe("approved");
		});

		test("the audit log has who confirmed which program, at which address, with which scopes", async () => {
			const { userCode } = await begin({ name: "build agent" }, "192.0.2.30");
			await act("approve", { userCode, scopes: ["jobs:read"] });
			expect((await act("approve", { userCode, scopes: ["jobs:read"] })).status).toBe(404);
			const { data } = (await owner.call("GET", "/v1/audit-log?action=device_sign_in.approved")).body;
			expect(data[0]).toMatchObject({
				actor: { kind: "user", id: owner.userId },
				detail: { device: "build agent", deviceAddress: "192.0.2.30", scopes: ["jobs:read"] },
			});
			expect(
				data.filter((entry: { detail: { device: string } }) => entry.detail.device === "build agent"),
			).toHaveLength(1);
		});
	},
	{ TAPEDECK_TRUSTED_PROXIES: "127.0.0.1" },
);
