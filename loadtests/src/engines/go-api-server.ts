import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { writeJson } from '#go';
import { SMALL_DEFINITION, smallObjects } from '../workloads/request-bodies.ts';
import { jsonLines } from './run-measurement.ts';
import { startApiServer } from './start-api-server.ts';
import type { StartedApiServer } from './start-api-server.ts';

/** Throughput and latencies of a live API server to which the small object of the experiments is sent. */
export interface ApiServerFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly connections: number;
}

const CONNECTIONS = 8;
const SECONDS = 10;
/** Time in ms within which the server must serve a created definition, which takes some seconds. */
const SERVED_MS = 20_000;

/**
 * Starts the API server of Kubernetes (apiextensions-apiserver with etcd) and repeatedly creates the small object with dryRun. Returns a
 * text with the reason if the server cannot be measured.
 */
export async function measureApiServer(): Promise<ApiServerFigures | string> {
  const server = await startApiServer();
  if (typeof server === 'string') return server;
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

async function measure({ port, certificates, folder, httpload }: StartedApiServer): Promise<ApiServerFigures | string> {
  const [object = ''] = smallObjects(1);
  const create = async (path: string, body: string): Promise<number> =>
    new Promise((done, fail) => {
      const call = request(
        `https://127.0.0.1:${port}${path}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          ca: readFileSync(certificates.ca),
          cert: readFileSync(certificates.cert),
          key: readFileSync(certificates.key),
        },
        (response) => response.resume().once('end', () => done(response.statusCode ?? 0)),
      );
      call.once('error', fail).end(body);
    });
  const created = await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', writeJson(SMALL_DEFINITION));
  if (created !== 201) return `the API server refused the definition with ${created}`;
  const objects = '/apis/bench.example.com/v1/namespaces/default/larges?dryRun=All';
  const until = performance.now() + SERVED_MS;
  while ((await create(objects, object)) !== 201) {
    if (performance.now() > until) return 'the API server never served the definition';
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const bodies = join(folder, 'bodies.jsonl');
  writeFileSync(bodies, `${object}\n`);
  const load = (seconds: number): string =>
    spawnSync(
      httpload,
      Object.entries({
        url: `https://127.0.0.1:${port}${objects}`,
        bodies,
        c: String(CONNECTIONS),
        d: `${seconds}s`,
        ...certificates,
      }).flatMap(([name, value]) => [`-${name}`, value]),
      { encoding: 'utf8', timeout: 60_000 },
    ).stdout;
  load(3);
  const [row] = jsonLines<{ perSecond: number; p50ms: number; status: Record<string, number> }>(load(SECONDS));
  if (row === undefined) return 'its load generator gave no figures';
  const others = Object.keys(row.status).filter((status) => status !== '201');
  if (others.length > 0) return `it answered with ${others.join(', ')} under load`;
  return { perSecond: row.perSecond, p50Ms: row.p50ms, connections: CONNECTIONS };
}
