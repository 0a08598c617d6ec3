# Two stages: everything is installed and compiled in the first, the second holds what runs. One image for nodes, workers and the command line.
# `npm run image` makes an equal one without a container engine (scripts/image): what stands below about users, ports and commands stands there, too.
FROM node:26-bookworm-slim AS build
WORKDIR /assay
COPY package.json package-lock.json ./
COPY packages packages
# Optional packages, too: the compiler is one of them for each platform. No scripts: they come with the sources, and the build generates files, too.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && npm prune --omit=dev --omit=optional --no-audit --no-fund

FROM node:26-bookworm-slim
WORKDIR /assay
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 ASSAY_JOURNAL=/data/journal.sqlite
COPY --from=build /assay/package.json /assay/LICENSE ./
COPY --from=build /assay/node_modules node_modules
# What links in node_modules point to.
COPY --from=build /assay/packages packages
COPY --from=build /assay/dist/libs dist/libs
COPY --from=build /assay/dist/apps dist/apps
# The page that the API serves at /.
COPY --from=build /assay/dist/page dist/page
# The command line, of which the guard of a cluster is a command (k8s/guard).
COPY --from=build /assay/dist/package dist/package
# The one place that is written to, and only by an API without Redis; the root may be read-only.
RUN mkdir /data && chown 1000:1000 /data
# The user `node`, as a number: Kubernetes cannot tell of a name that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The base image's own entry point is a shell script, which there is no need for.
ENTRYPOINT []
# What requests leave behind is short-lived: V8 would let its place for it grow to 96 MB.
CMD ["node", "--max-semi-space-size=16", "--import", "./dist/apps/api/src/preload.js", "dist/apps/api/src/main.js"]
