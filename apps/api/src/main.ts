import 'reflect-metadata';
import { serviceTelemetry, stopTracing } from '#telemetry';
import { UnusableJournal } from '#queue';
import { checkRedis, logRedis } from '#queue/redis';
import { readApiConfig } from './config.ts';
import type { ApiConfig } from './config.ts';
import { exposureWarnings } from './access/exposure.ts';
import { createApi } from './create-api.ts';
import { Drain } from './drain.ts';

/** Beyond the time for open requests: what closes has so long, ms, whatever it waits for. */
const CLOSING_MS = 4000;

const config = configOrExit();
const telemetry = await serviceTelemetry();
const { log } = telemetry;
for (const warning of exposureWarnings(config)) log.warn({ host: config.host }, warning);
if (config.redis)
  await checkRedis(config.redis, {
    contentKeys: config.contentKeys,
    found: logRedis(log).found,
    wrong: (reason) => doNotStart(`ASSAY_REDIS_URL: ${reason}`),
  });
const app = await createApi(config, telemetry).catch((error: unknown) => {
  if (error instanceof UnusableJournal) return doNotStart(`ASSAY_JOURNAL: ${error.message}`);
  throw error;
});
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.once(name, () => {
    setTimeout(() => {
      log.warn({}, 'the process ends, although not everything could be closed');
      process.exit(1);
    }, config.drainMs + CLOSING_MS).unref();
    drainAndClose()
      .then(stopTracing)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
  });
}

await app.listen(config.port, config.host);
const url = (await app.getUrl()).replace('[::1]', 'localhost');
process.stdout.write(`Assay listens on ${url} (ready after ${Math.round(performance.now())} ms)

Try:
  cat examples/gateway-api/*.yaml | curl -s ${url}/evaluate -H 'content-type: application/yaml' --data-binary @-
  curl -s ${url}/definitions -H 'content-type: application/yaml' --data-binary @examples/gateway-api/httproute-crd.yaml
  ${url}/          the page, which judges in the browser
  ${url}/docs      the API, described
`);

/** Stops in order: readiness is withdrawn, so that balancers send no more; open requests finish, or are cut when their time is over; the queue and the engine close. */
async function drainAndClose(): Promise<void> {
  const left = await app.get(Drain).begin(config.drainMs);
  if (left > 0) log.warn({ requests: left }, 'requests are cut: they did not end in ASSAY_DRAIN_MS');
  await app.close();
}

/** The configuration; what is wrong with it ends the process with that text and no stack. */
function configOrExit(): ApiConfig {
  try {
    return readApiConfig();
  } catch (error) {
    return doNotStart(error instanceof Error ? error.message : String(error));
  }
}

function doNotStart(reason: string): never {
  process.stderr.write(`Assay does not start: ${reason}\n`);
  return process.exit(1);
}
