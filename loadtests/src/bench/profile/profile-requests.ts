import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixedText } from '#charts';
import { closedLoad } from '../../load/closed-load.ts';
import { startService } from '../../load/start-service.ts';
import { PROJECT } from '../../places.ts';
import { smallBody } from '../../workloads/request-bodies.ts';
import type { BenchTable } from '../bench-table.ts';
import { buildRevision } from '../compare/build-revision.ts';
import { CpuProfile, summarizeProfile } from './read-profile.ts';
import type { ThreadProfile } from './read-profile.ts';

const CONNECTIONS = 32;
const WARM_UP_REQUESTS = { quick: 1500, full: 6000 } as const;
const REQUESTS = { quick: 3000, full: 20_000 } as const;
/** Places that are told of each thread. */
const TOLD = 15;
/** A thread that was busy for a smaller share of the load than this is not told, such as that of the module loader. */
const LEAST_SHARE = 0.005;
const SAMPLE_MICROS = 250;
/** V8 names a profile after its process and thread: `CPU.20261123.201500.4711.2.001.cpuprofile`. */
const PROFILE_NAME = /^CPU\.\d+\.\d+\.(?<process>\d+)\.(?<thread>\d+)\..*cpuprofile$/;

/** A thread of a service under load. */
interface ServiceThread extends ThreadProfile {
  readonly name: string;
}

/** What each thread of a service does with requests of one small object: the {@link TOLD} hottest places, of the present state and, before it, of another revision. */
export async function profileRequests(quick: boolean, revision?: string): Promise<BenchTable[]> {
  const size = quick ? 'quick' : 'full';
  const tables: BenchTable[] = [];
  if (revision !== undefined) {
    const other = buildRevision(PROJECT, revision);
    try {
      tables.push(...tablesOf(await profileService(other.folder, size), revision, REQUESTS[size]));
    } finally {
      other.remove();
    }
  }
  return [...tables, ...tablesOf(await profileService(PROJECT, size), 'this state', REQUESTS[size])];
}

async function profileService(folder: string, size: 'quick' | 'full'): Promise<ServiceThread[]> {
  const profiles = mkdtempSync(join(tmpdir(), 'assay-profiles-'));
  try {
    const children = fileURLToPath(new URL(`profile-children${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));
    const flags = `--cpu-prof --cpu-prof-interval=${SAMPLE_MICROS} --cpu-prof-dir=${profiles} --import=${children}`;
    const service = await startService({ NODE_OPTIONS: flags }, folder);
    const send = (requests: number): Promise<unknown> =>
      closedLoad(`${service.url}/evaluate`, smallBody(1).text, { connections: CONNECTIONS, requests });
    let [from, to] = [0, 0];
    try {
      await send(WARM_UP_REQUESTS[size]);
      from = monotonicMicros();
      await send(REQUESTS[size]);
      to = monotonicMicros();
    } finally {
      await service.stop();
    }
    return readdirSync(profiles).flatMap((file): ServiceThread[] => {
      const found = PROFILE_NAME.exec(file)?.groups;
      if (!found) return [];
      const summary = summarizeProfile(CpuProfile.parse(JSON.parse(readFileSync(join(profiles, file), 'utf8'))), from, to);
      if (1000 * summary.busyMs < LEAST_SHARE * (to - from)) return [];
      const process = Number(found['process']) === service.processId ? 'API' : 'engine host';
      return [{ name: found['thread'] === '0' ? process : `${process}, thread ${found['thread'] ?? ''}`, ...summary }];
    });
  } finally {
    rmSync(profiles, { recursive: true, force: true });
  }
}

const monotonicMicros = (): number => Number(process.hrtime.bigint() / 1000n);

function tablesOf(threads: readonly ServiceThread[], revision: string, requests: number): BenchTable[] {
  return threads
    .toSorted((a, b) => b.busyMs - a.busyMs)
    .map(({ name, busyMs, places }) => ({
      columns: [`${name} (${revision})`, 'µs a request', 'of its time'],
      rows: [
        ...places
          .slice(0, TOLD)
          .map((place) => [place.name, fixedText((1000 * place.ms) / requests, 2), `${fixedText((100 * place.ms) / busyMs, 1)} %`]),
        ['all', fixedText((1000 * busyMs) / requests, 2), '100 %'],
      ],
      failedGates: [],
      notes: [
        `Samples each ${SAMPLE_MICROS} µs while ${CONNECTIONS} connections sent ${requests} requests of one small object; load ${fixedText(loadavg()[0], 1)}.`,
      ],
    }));
}
