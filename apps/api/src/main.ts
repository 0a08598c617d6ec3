import 'reflect-metadata';
import { logger, stopTracing } from '#telemetry';
import { readConfig } from './config.ts';
import type { ApiConfig } from './config.ts';
import { exposureWarnings } from './access/exposure.ts';
import { createApi } from './create-api.ts';

const config = configOrExit();
for (const warning of exposureWarnings(config)) logger.warn({ host: config.host }, warning);
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

/** The configuration; what is wrong with it ends the process with that text and no stack. */
function configOrExit(): ApiConfig {
  try {
    return readConfig();
  } catch (error) {
    process.stderr.write(`Assay does not start: ${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(1);
  }
}
