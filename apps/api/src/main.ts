import 'reflect-metadata';
import { serviceTelemetry, stderrLog, takeNoArguments } from '#telemetry';
import type { Log } from '#telemetry';
import { readApiConfig } from './config.ts';
import type { ApiConfig } from './config.ts';
import { exposureWarnings } from './access/exposure.ts';
import { processNumber, ServingProcess } from './processes/serving-process.ts';
import { ServingProcesses } from './processes/serving-processes.ts';
import { settingsIn } from './settings/setting.ts';
import { SETTINGS } from './settings/table.ts';
import { unknownSettings } from './settings/unknown-settings.ts';
import { endingReporter, UNREPORTED, startedWith, CLOSING_MS, refuseToStart, onTerminationSignal, serve } from './serve.ts';

/**
 * Extra time in ms after which the watching process kills a process that still runs. It is added to the times for open requests and for
 * closing.
 */
const MERCY_MS = 1000;

const variables = settingsIn(SETTINGS).map(({ variable }) => variable);
takeNoArguments(process.env['ASSAY_ROLE'] === 'worker' ? 'npm run worker' : 'npm start', variables);
const config = configOrExit();
if (processNumber() !== undefined) await serveAmongOthers();
else if (config.processes > 1) await watch();
else await serveAlone();

async function serveAlone(): Promise<void> {
  const telemetry = await serviceTelemetry();
  warnOperator(telemetry.log);
  announce(await serve(config, telemetry, endingReporter(telemetry.log)), telemetry.log);
}

/** Runs this process as one of several processes that serve one port. */
async function serveAmongOthers(): Promise<void> {
  const own = new ServingProcess(await serviceTelemetry());
  own.serving(await serve(config, own.telemetry, UNREPORTED));
}

/** Starts several processes that serve one port, and watches them. */
async function watch(): Promise<void> {
  const log = stderrLog();
  warnOperator(log);
  const { processes, drainMs } = config;
  const all = new ServingProcesses({ processes, log, endingMs: drainMs + CLOSING_MS + MERCY_MS, serving: (url) => announce(url, log) });
  const ending = endingReporter(log);
  onTerminationSignal(() => {
    ending.stops(undefined, drainMs);
    all.end();
  });
  const code = await all.run();
  // After a failed start, `code` is above 0, and the program has already reported the error.
  if (code === 0) await ending.stopped();
  process.exit(code);
}

/** Warns of variables that are no settings, and of a service that other machines can reach. */
function warnOperator(log: Log): void {
  for (const warning of unknownSettings(process.env)) log.warn({}, warning);
  // A worker has no clients, so it needs no warnings about exposure.
  if (config.role === 'worker') return;
  for (const warning of exposureWarnings(config)) log.warn({ host: config.host }, warning);
}

function announce(url: string, log: Log): void {
  if (config.role === 'worker') return log.info({ threads: config.threads, url }, 'worker takes chunks');
  const { redis, traces } = startedWith(config);
  const shared = redis === undefined ? '' : `It shares work over ${redis}\n`;
  const traced = traces === 'off' ? '' : `Its traces go to ${traces}\n`;
  process.stdout.write(`Assay listens on ${url} (ready after ${Math.round(performance.now())} ms)
${shared}${traced}
Try:
  cat examples/gateway-api/*.yaml | curl -s ${url}/evaluate -H 'content-type: application/yaml' --data-binary @-
  curl -s ${url}/definitions -H 'content-type: application/yaml' --data-binary @examples/gateway-api/httproute-crd.yaml
  ${url}/          the page, which judges in the browser
  ${url}/docs      the API, described
`);
}

/** Returns the configuration. If the configuration is invalid, ends the process with the error message and no stack trace. */
function configOrExit(): ApiConfig {
  try {
    return readApiConfig();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuseToStart([message, ...unknownSettings(process.env)].join('\n'));
  }
}
