/** Confirming the code of a program that wants to sign in. */

import { call } from "#lib/client/api.ts";
import type { OpenedDeviceSignIn } from "#lib/contract/device-sign-in.ts";
import type { Scope } from "#lib/contract/permissions.ts";

export const openDeviceSignIn = (userCode: string): Promise<OpenedDeviceSignIn> =>
	call("POST", "/v1/device-sign-ins/open", { body: { userCode } });

export const approveDeviceSignIn = (userCode: string, scopes: readonly Scope[]): Promise<void> =>
	call("POST", "/v1/device-sign-ins/approve", { body: { userCode, scopes } });

export const denyDeviceSignIn = (userCode: string): Promise<void> =>
	call("POST", "/v1/device-sign-ins/deny", { body: { userCode } });
