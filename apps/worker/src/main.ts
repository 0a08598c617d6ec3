import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { checkRedis, logRedis, openRedisQueue } from '#queue/redis';
import { EngineHost } from '#runner';
import { DEFAULT_QUEUE_LIMITS } from '#queue';
import { ChunkConsumer, Dispatcher, pullChunks, Refusals } from '#service';
import { SCRAPE_MEDIA_TYPE, serviceTelemetry, stopTracing, takeNoArguments } from '#telemetry';
import { readWorkerConfig, workerEnvironment } from './config.ts';

/** After SIGTERM: chunks are given back within this time, ms, or their leases run out. */
const RELEASE_MS = 2000;
/** After SIGTERM the process ends within this time, ms, whatever it waits for. */
const ENDING_MS = 4500;

/** PLOT: engine host → queue → take chunks until asked to stop → hand back what is not done. A worker holds no state of its own. */
takeNoArguments('npm run worker', Object.keys(workerEnvironment.shape));
const config = configOrExit();
const telemetry = await serviceTelemetry();
const { log, metrics } = telemetry;
await checkRedis(config.redis, {
  contentKeys: config.contentKeys,
  found: logRedis(log).found,
  wrong: (reason) => doNotStart(`ASSAY_REDIS_URL: ${reason}`),
});
const host = new EngineHost({ ...config, telemetry });
await host.start();
const queue = openRedisQueue(config.redis, { contentKeys: config.contentKeys, tell: logRedis(log).tell });
queue.ends.onEnded(({ end }) => metrics.counters.evaluations.add(1, { end }));
const stop = new AbortController();
const dispatcher = new Dispatcher({ engine: host, limits: DEFAULT_QUEUE_LIMITS, refusals: new Refusals(telemetry), telemetry });
metrics.observeEngine(() => ({
  engine_threads: host.threads,
  engine_running: host.load.running,
  engine_waiting: host.load.waiting + dispatcher.waiting,
}));
const consumer = new ChunkConsumer(queue, host, telemetry, (claim) => dispatcher.openRun(claim));
const consuming = pullChunks({ work: queue.work, consumer, engine: host }, stop.signal);

/** A scrape that cannot be answered leaves its client an ended connection, and the worker at work. */
function answerScrape(response: ServerResponse): void {
  telemetry.scrape().then(
    (text) => response.writeHead(200, { 'content-type': SCRAPE_MEDIA_TYPE }).end(text),
    (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
  );
}

const health = createServer((request, response) => {
  if (request.url === '/metrics') return answerScrape(response);
  const ready = request.url === '/livez' || host.ready;
  response.writeHead(ready ? 200 : 503, { 'content-type': 'text/plain' }).end(ready ? 'ok' : 'the engine host is not ready');
});
health.listen(config.port, config.host, () => log.info({ threads: config.threads, port: config.port }, 'worker takes chunks'));

for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => void shutDown());
consuming.catch((error: unknown) => {
  log.fatal({ err: error }, 'the chunk consumer ended');
  process.exit(1);
});

/** Stops claiming, ends the engine host, and gives back the chunks that ran on it: they run elsewhere. */
async function shutDown(): Promise<void> {
  setTimeout(() => {
    log.warn({}, 'the process ends, although not everything could be closed');
    process.exit(1);
  }, ENDING_MS).unref();
  stop.abort();
  host.stop();
  await Promise.race([consuming.catch(() => undefined), pause(RELEASE_MS)]);
  await queue.close();
  health.close();
  await stopTracing();
  process.exit(0);
}

function configOrExit(): ReturnType<typeof readWorkerConfig> {
  try {
    return readWorkerConfig();
  } catch (error) {
    return doNotStart(error instanceof Error ? error.message : String(error));
  }
}

function doNotStart(reason: string): never {
  process.stderr.write(`The worker does not start: ${reason}\n`);
  return process.exit(1);
}
