import { expect, test } from "vitest";
import { displayEnvironment } from "./display-environment.ts";

test("a program that is started from a Wayland session is shown on the display", () => {
	const env = {
		...{ PATH: "/bin", DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0", WAYLAND_SOCKET: "3", MOZ_ENABLE_WAYLAND: "1" },
		...{ XDG_SESSION_TYPE: "wayland", GDK_BACKEND: "wayland,x11", QT_QPA_PLATFORM: "wayland-egl", EMPTY: undefined },
	};
	expect(displayEnvironment(":104", env)).toEqual({
		...{ PATH: "/bin", DISPLAY: ":104", XDG_SESSION_TYPE: "x11", GDK_BACKEND: "x11", QT_QPA_PLATFORM: "xcb" },
	});
});

test("a platform of Qt other than Wayland is kept", () => {
	expect(displayEnvironment(":104", { QT_QPA_PLATFORM: "offscreen" })).toMatchObject({ QT_QPA_PLATFORM: "offscreen" });
});
