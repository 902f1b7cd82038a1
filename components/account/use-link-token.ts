import { useEffect, useState } from "react";

/**
 * The secret behind the `#` of an invitation or password link; null until the page has read it, empty without one.
 * A link with another token reloads the page: browsers would keep it, as only the fragment differs.
 */
export function useLinkToken(): string | null {
	const [token, setToken] = useState<string | null>(null);
	useEffect(() => {
		setToken(location.hash.slice(1));
		const reload = () => location.reload();
		window.addEventListener("hashchange", reload);
		return () => window.removeEventListener("hashchange", reload);
	}, []);
	return token;
}
