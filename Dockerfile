# Two stages: everything is installed and compiled in the first, the second holds what runs.
FROM node:26-bookworm-slim AS build
WORKDIR /assay
COPY package.json package-lock.json ./
RUN npm ci --omit=optional --no-audit --no-fund
COPY . .
RUN node node_modules/ts7/bin/tsc -p tsconfig.build.json && npm prune --omit=dev --omit=optional

FROM node:26-bookworm-slim
WORKDIR /assay
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 ASSAY_JOURNAL=/data/journal.sqlite
COPY --from=build /assay/package.json ./
COPY --from=build /assay/node_modules node_modules
COPY --from=build /assay/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./dist/apps/api/src/preload.js", "dist/apps/api/src/main.js"]
