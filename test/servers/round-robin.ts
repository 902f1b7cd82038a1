/** nginx in front of several dashboards, without knowledge of them: each request goes to the next one. */
import { freePort } from "../processes/free-port.ts";
import { startSite } from "./nginx.ts";

/**
 * @param ports of the dashboards, on 127.0.0.1.
 * @param options.readSeconds how long it waits for an answer, or for more of it.
 * @param options.outSeconds how long it keeps away from a dashboard that did not answer.
 * @param options.hashUploads sends all uploads of a runner to one dashboard, as deploy/nginx-several.conf does.
 */
export async function startRoundRobin(
	ports: readonly number[],
	{
		readSeconds = 150,
		outSeconds = 1,
		hashUploads = false,
	}: { readSeconds?: number; outSeconds?: number; hashUploads?: boolean } = {},
): Promise<{ port: number; stop(): Promise<void> }> {
	const port = await freePort();
	// It repeats no request that may have had an effect.
	const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=${outSeconds}s;`).join("\n");
	const stop = await startSite(`
	upstream dashboards {
		${servers}
		keepalive 32;
	}
	upstream uploads {
		hash $http_tapedeck_session consistent;
		${servers}
		keepalive 32;
	}
	server {
		listen 127.0.0.1:${port};
		client_max_body_size 0;
		proxy_http_version 1.1;
		proxy_set_header Connection "";
		proxy_set_header Host $http_host;
		proxy_set_header X-Forwarded-For $remote_addr;
		proxy_request_buffering off;
		proxy_buffering off;
		proxy_connect_timeout 2s;
		proxy_read_timeout ${readSeconds}s;
		proxy_send_timeout 150s;
		location / {
			proxy_pass http://dashboards;
		}
		${hashUploads ? "location ~ ^/v1/uploads(/|$) { proxy_pass http://uploads; }" : ""}
	}`);
	return { port, stop };
}
