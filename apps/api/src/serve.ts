import { stopTracing, traceEndpoint } from '#telemetry';
import type { Telemetry, Log } from '#telemetry';
import { UnusableJournal, TakenJournal } from '#jobs';
import { checkRedis, logRedis, redisAddressText } from '#jobs/redis';
import type { ApiConfig } from './config.ts';
import { createApi } from './create-api.ts';
import { SERVICE } from './engine/service.ts';
import type { Service } from './engine/service.ts';
import { createServer } from 'node:net';
import { times } from '#numbers';

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
      wrong: (reason) => refuseToStart(`ASSAY_REDIS_URL: ${reason}`),
    });
  const app = await createApi(config, telemetry).catch(async (error: unknown) => {
    if (error instanceof UnusableJournal) return refuseToStart(await journalReason(config, error));
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
    if (error.syscall === 'listen') return refuseToStart(portReason(config, error.code ?? ''));
    throw error;
  });
  // If stderr is a terminal, the process prints these facts in another form.
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
export function refuseToStart(reason: string): never {
  process.stderr.write(`Assay does not start: ${reason}\n`);
  return process.exit(1);
}

type Address = Pick<ApiConfig, 'host' | 'port' | 'tls'>;

/**
 * Returns the reason why the service cannot use its journal, with the settings to change. If the port is taken, too, the other process is
 * probably a service that was started in the same folder.
 */
export async function journalReason(address: Address, error: UnusableJournal): Promise<string> {
  if (!(error instanceof TakenJournal)) return `ASSAY_JOURNAL: ${error.message}`;
  if (await isTaken(address))
    return `${error.message}, and port ${address.port} is taken, too. It seems that another service of this folder runs at ${urlOf(address)}: use it, or set both PORT and ASSAY_JOURNAL`;
  return `${error.message}, such as another service of this folder. End that process, or set ASSAY_JOURNAL to another file`;
}

/** Returns the reason why the service cannot listen on its port, with the setting to change. `code` is the error code of the system. */
function portReason({ host, port }: Address, code: string): string {
  if (code !== 'EADDRINUSE') return `port ${port} of ${host} cannot be listened on (${code})`;
  return `port ${port} of ${host} is taken by another process. Set PORT to another port`;
}

/** Resolves with true if another process listens on the port. */
function isTaken({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/** Returns the URL at which a service with this address is reached from the same machine. */
function urlOf({ host, port, tls }: Address): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/** Other software that a process works with. No text contains a user or a password. */
interface StartedWith {
  /** Address of the Redis over which the process shares work; undefined without Redis. */
  readonly redis: string | undefined;
  /** Endpoint to which traces go, or `off`. */
  readonly traces: string;
}

/** Returns the other software that a process works with, for its log and its terminal. */
export function startedWith({ redis }: Pick<ApiConfig, 'redis'>, variables: NodeJS.ProcessEnv = process.env): StartedWith {
  const endpoint = traceEndpoint(variables);
  return { redis: redis && redisAddressText(redis), traces: endpoint === undefined ? 'off' : withoutSecrets(endpoint) };
}

/** Returns a URL without user, password and query. Returns `an endpoint that is no URL` for any other text. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return 'an endpoint that is no URL';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}

/** Reports that a service which was asked to end stops, and that it has stopped. */
interface Ending {
  /**
   * Reports that the service stops.
   *
   * @param requests number of open requests, which may still finish; undefined if it is not known
   * @param withinMs time in ms that the open requests have
   */
  readonly stops: (requests: number | undefined, withinMs: number) => void;
  /** Reports that the service has stopped. Resolves when the report is written, so that the process may end. */
  readonly stopped: () => Promise<void>;
}

/** Stream of the process for messages, such as its standard error. */
interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Returns a reporter of the end: it writes sentences to a terminal. Without a terminal, it writes entries to the log. */
export function endingReporter(log: Log, terminal: Terminal = process.stderr): Ending {
  if (terminal.isTTY !== true)
    return {
      stops: (requests, withinMs) => log.info({ requests, withinMs }, 'the service stops'),
      stopped: async () => {
        log.info({}, 'the service has stopped');
        await log.written?.();
      },
    };
  return {
    stops: (requests, withinMs) => {
      const open = requests === undefined ? 'open requests' : times(requests, 'open request');
      const wait = requests === 0 ? '' : `: ${open} may still finish within ${withinMs / 1000} s`;
      // A terminal shows ^C at the beginning of the line, so the text begins on the next line.
      terminal.write(`\nAssay stops${wait}\n`);
    },
    stopped: () => {
      terminal.write('Assay has stopped\n');
      return Promise.resolve();
    },
  };
}

/** Reporter that reports nothing. A process uses it if the process that watches it reports the end. */
export const UNREPORTED: Ending = { stops: () => undefined, stopped: () => Promise.resolve() };
