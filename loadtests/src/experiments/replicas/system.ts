import { createHash } from 'node:crypto';
import { CHUNK_LIMITS } from '#documents';
import { countedText } from '#numbers';
import type { ChartRole } from '#report/charts';
import type { Lab, ByThoroughness } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import { LoadRounds } from '../../load/load-rounds.ts';
import { startFleet } from '../../load/start-fleet.ts';
import { startService } from '../../load/start-service.ts';
import type { Service } from '../../load/start-service.ts';
import type { CaseFigures, Facts } from '../../study/study.ts';
import { smallBody } from '../../workloads/request-bodies.ts';

/** Numbers of objects per request. */
const BATCHES: ByThoroughness<readonly number[]> = { quick: [1, 1000], full: [1, 25, 250, 1000, 4000] };
const WARM_UP_SECONDS = { quick: 0.25, full: 3 } as const;
const CLOSED_SECONDS = { quick: 0.3, full: 2 } as const;
/** Number of objects in the batch that every system validates for comparison. The batch has several chunks. */
export const COMPARED_ITEMS = 600;

/** System under test: one way of running the service. */
export interface System {
  readonly name: string;
  readonly kind: 'embedded' | 'over Redis';
  /** Number of chunks that the system validates at the same time. */
  readonly slots: number;
  readonly role: ChartRole;
  /** Starts the system. Returns undefined if Redis is not available. */
  readonly start: () => Promise<Service | undefined>;
}

const embedded = (threads: number, role: ChartRole): System => ({
  name: countedText(threads, 'thread'),
  kind: 'embedded',
  slots: threads,
  role,
  start: () => startService({ ASSAY_THREADS: String(threads) }),
});

const fleet = (nodes: number, role: ChartRole): System => ({
  name: `${countedText(nodes, 'node')} over Redis`,
  kind: 'over Redis',
  slots: nodes,
  role,
  start: () => startFleet({}, { nodes, threads: 1 }),
});

/** Systems to measure: one process with increasing numbers of threads, and increasing numbers of nodes over Redis. */
export const SYSTEMS: ByThoroughness<readonly System[]> = {
  quick: [embedded(1, 'experiment'), embedded(2, 'assay'), fleet(1, 'peer'), fleet(2, 'shipped')],
  full: [embedded(1, 'experiment'), embedded(2, 'assay'), fleet(1, 'peer'), fleet(2, 'shipped'), fleet(3, 'reference')],
};

/** Returns the name of the line of figures for a system's answer to the compared batch. */
export const comparedLine = (system: string): string => `${system}: compared batch`;

/** System that is measured in rounds, with its address and its figures so far. */
export interface MeasuredSystem {
  readonly system: System;
  readonly url: string;
  readonly rounds: LoadRounds;
  readonly compared: CaseFigures;
}

/** Warms up a system, lets it validate the compared batch, and measures the first round: a closed load for each batch size. */
export async function begin(lab: Lab, system: System, { url }: Service): Promise<MeasuredSystem> {
  lab.say(system.name);
  const warm = smallBody(COMPARED_ITEMS);
  const seconds = lab.of(WARM_UP_SECONDS);
  await closedLoad(`${url}/evaluate`, warm.text, { connections: 2 * system.slots, seconds, signal: lab.signal });
  const rounds = new LoadRounds(
    lab,
    lab.of(BATCHES).map((batch) => ({
      line: system.name,
      url,
      body: smallBody(batch),
      connections: batch < CHUNK_LIMITS.items ? 8 : 2 + system.slots,
      length: { seconds: lab.of(CLOSED_SECONDS) },
    })),
  );
  const compared = { line: comparedLine(system.name), size: COMPARED_ITEMS, times: {}, facts: await verdictsOf(url, warm.text) };
  await rounds.run(1);
  return { system, url, rounds, compared };
}

async function verdictsOf(url: string, text: string): Promise<Facts> {
  const answer = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  const { items = [], summary } = (await answer.json()) as {
    items?: unknown[];
    summary?: { celCost: number; accepted: number };
  };
  const digest = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 16);
  return { digest, cost: summary?.celCost ?? 'no summary', accepted: summary?.accepted ?? 'no summary' };
}
