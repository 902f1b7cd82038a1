import { useEffect } from "react";

/** Another link with another secret behind the same `#` is another page: browsers would keep this one. */
export function useLinkAnew(): void {
	useEffect(() => {
		const again = () => location.reload();
		window.addEventListener("hashchange", again);
		return () => window.removeEventListener("hashchange", again);
	}, []);
}
