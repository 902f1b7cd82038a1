# A Tapedeck runner, built from Tapedeck's own folder:
#   docker build -f deploy/runner.Dockerfile -t tapedeck-runner .
FROM node:24-trixie-slim AS build
WORKDIR /opt/tapedeck
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY machine/package.json machine/
COPY media/package.json media/
COPY runner/package.json runner/
COPY clients/typescript/package.json clients/typescript/
COPY clients/typescript/src/package.json clients/typescript/src/
COPY clients/playwright/package.json clients/playwright/
RUN npm ci --no-audit --no-fund
COPY . .
# The command and the runner as one file.
RUN node release/write-command.ts

FROM debian:trixie-slim
# Node alone, without npm and headers. Libraries that it needs come with ffmpeg.
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /usr/local/LICENSE /usr/local/LICENSE
# Its packages depend on the drivers of graphics cards, which nothing here loads: 225 MiB.
RUN printf 'path-exclude=%s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3*' '/usr/lib/*/dri/*' > /etc/dpkg/dpkg.cfg.d/without-drivers && apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*
RUN echo node:x:1000:1000::/home/node:/bin/sh >> /etc/passwd && echo node:x:1000: >> /etc/group && install -d -o node -g node /home/node
WORKDIR /opt/tapedeck
COPY --from=build /opt/tapedeck/command ./
RUN ln -s /opt/tapedeck/tapedeck.cjs /usr/local/bin/tapedeck
# The identity of the runner, and recordings that are not uploaded yet: keep it on a volume. Nothing else is written to.
RUN install -d -o node -g node -m 700 /data
ENV TAPEDECK_DATA_DIR=/data
VOLUME /data
USER node
# Whether the runner answers. Without a dashboard it goes on recording, so that is no reason to restart it.
HEALTHCHECK --start-period=30s CMD tapedeck status > /dev/null || [ $? -eq 1 ]
CMD ["tapedeck", "runner"]
