# A Tapedeck runner, built from Tapedeck's own folder:
#   docker build -f deploy/runner.Dockerfile -t tapedeck-runner .
FROM node:24-trixie-slim
# Debian's packages of ffmpeg depend on the drivers of graphics cards, which nothing here loads: 225 MiB.
RUN printf 'path-exclude=%s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3*' '/usr/lib/*/dri/*' > /etc/dpkg/dpkg.cfg.d/without-drivers && apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/tapedeck
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY machine/package.json machine/
COPY media/package.json media/
COPY runner/package.json runner/
COPY clients/typescript/src/package.json clients/typescript/src/
# Without the optional package: the image has its own Node 24.
RUN npm ci --workspace runner --omit=dev --omit=optional --no-audit --no-fund
COPY bin/node24 bin/tapedeck bin/
COPY clients/typescript/src clients/typescript/src
COPY contract contract
COPY machine machine
COPY media media
COPY runner runner
# The identity of the runner, and recordings that are not uploaded yet: keep it on a volume. Nothing else is written to.
RUN install -d -o node -g node -m 700 /data
ENV TAPEDECK_DATA_DIR=/data
VOLUME /data
USER node
# Whether the runner answers. Without a dashboard it goes on recording, so that is no reason to restart it.
HEALTHCHECK --start-period=30s CMD bin/tapedeck status > /dev/null || [ $? -eq 1 ]
CMD ["bin/tapedeck", "runner"]
