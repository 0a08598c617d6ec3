import { stopTracing } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { UnusableJournal } from '#jobs';
import { checkRedis, logRedis } from '#jobs/redis';
import type { ApiConfig } from './config.ts';
import { createApi } from './create-api.ts';
import { SERVICE } from './engine/service.ts';
import type { Service } from './engine/service.ts';
import { startedWith } from './started-with.ts';
import type { Ending } from './tell-ending.ts';
import { journalReason, portReason } from './why-not-started.ts';

/**
 * Time in ms for closing the service, in addition to the time for open requests. After this time, closing ends even if something is still
 * pending.
 */
export const CLOSING_MS = 4000;

/**
 * Starts the service in this process; it runs until the process is asked to end. Resolves with the URL when requests are accepted. A
 * problem at start ends the process. `ending` reports that the service stops.
 */
export async function serve(config: ApiConfig, telemetry: Telemetry, ending: Ending): Promise<string> {
  const { log } = telemetry;
  if (config.redis)
    await checkRedis(config.redis, {
      contentKeys: config.contentKeys,
      found: logRedis(log).found,
      wrong: (reason) => doNotStart(`ASSAY_REDIS_URL: ${reason}`),
    });
  const app = await createApi(config, telemetry).catch(async (error: unknown) => {
    if (error instanceof UnusableJournal) return doNotStart(await journalReason(config, error));
    throw error;
  });
  onTerminationSignal(() => {
    setTimeout(() => {
      log.warn({}, 'the process ends, although not everything could be closed');
      process.exit(1);
    }, config.drainMs + CLOSING_MS).unref();
    drainAndClose()
      .then(stopTracing)
      .then(() => ending.stopped())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
  });
  await app.listen(config.port, config.host).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === 'listen') return doNotStart(portReason(config, error.code ?? ''));
    throw error;
  });
  // At a terminal, the announcement contains this.
  if (!process.stderr.isTTY) log.info(startedWith(config), 'the service has started');
  return (await app.getUrl()).replace('[::1]', 'localhost');

  /**
   * Stops the service in order. First the process becomes not ready, so that load balancers send no more requests. Open requests may finish
   * within `ASSAY_DRAIN_MS`, and are cut off afterwards. The queue and the engine close last.
   */
  async function drainAndClose(): Promise<void> {
    const { drain } = app.get<Service>(SERVICE);
    ending.stops(drain.openRequests, config.drainMs);
    const left = await drain.begin(config.drainMs);
    if (left > 0) log.warn({ requests: left }, 'requests are cut: they did not end in ASSAY_DRAIN_MS');
    await app.close();
  }
}

/**
 * Calls `end` at the first SIGTERM or SIGINT and ignores later signals. A process can receive two signals: a terminal sends one to all
 * processes, and the parent process, which watches them, may send another.
 */
export function onTerminationSignal(end: () => void): void {
  let isSignalled = false;
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.on(name, () => {
      if (isSignalled) return;
      isSignalled = true;
      end();
    });
}

/** Ends the process with an error message and no stack trace. */
export function doNotStart(reason: string): never {
  process.stderr.write(`Assay does not start: ${reason}\n`);
  return process.exit(1);
}
