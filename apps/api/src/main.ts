import 'reflect-metadata';
import { logger, stopTracing } from '#telemetry';
import { readConfig } from './config.ts';
import { createApi } from './create-api.ts';

const config = readConfig();
const app = await createApi(config);
await app.listen(config.port, config.host);
const url = (await app.getUrl()).replace('[::1]', 'localhost');
process.stdout.write(`Assay listens on ${url} (ready after ${Math.round(performance.now())} ms)

Try:
  cat examples/gateway-api/*.yaml | curl -s ${url}/evaluate -H 'content-type: application/yaml' --data-binary @-
  curl -s ${url}/definitions -H 'content-type: application/yaml' --data-binary @examples/gateway-api/httproute-crd.yaml
  ${url}/docs      the API, described
`);

for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, () => {
    app
      .close()
      .then(stopTracing)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
  });
}
