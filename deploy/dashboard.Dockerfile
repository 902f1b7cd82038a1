# A Tapedeck dashboard, built from Tapedeck's own folder:
#   docker build -f deploy/dashboard.Dockerfile -t tapedeck-dashboard .
FROM node:24-trixie-slim AS build
WORKDIR /opt/tapedeck
COPY package.json package-lock.json ./
# Packages of the lock file, too: without them, the build would install everything again.
COPY contract/package.json contract/
COPY machine/package.json machine/
COPY media/package.json media/
COPY runner/package.json runner/
COPY clients/typescript/package.json clients/typescript/
COPY clients/typescript/src/package.json clients/typescript/src/
COPY clients/playwright/package.json clients/playwright/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The program of the npm package, with those files of other packages alone that it loads.
RUN node release/write-dashboard.ts

FROM debian:trixie-slim
# Node alone, without npm and headers. Libraries that it needs come with ffmpeg.
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /usr/local/LICENSE /usr/local/LICENSE
# For posters and frames. Its packages depend on the drivers of graphics cards, which nothing here loads: 225 MiB.
RUN printf 'path-exclude=%s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3*' '/usr/lib/*/dri/*' > /etc/dpkg/dpkg.cfg.d/without-drivers && apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*
RUN echo node:x:1000:1000::/home/node:/bin/sh >> /etc/passwd && echo node:x:1000: >> /etc/group && install -d -o node -g node /home/node
WORKDIR /opt/tapedeck
COPY --from=build /opt/tapedeck/dist/dashboard ./
# Database, videos and keys, unless they are elsewhere: keep it on a volume. Nothing else is written to.
RUN install -d -o node -g node -m 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TAPEDECK_DATA_DIR=/data
VOLUME /data
EXPOSE 3000 3001
USER node
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/v1/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]
