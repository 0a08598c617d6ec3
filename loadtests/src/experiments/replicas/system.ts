import { createHash } from 'node:crypto';
import { CHUNK_LIMITS } from '#evaluation';
import { countedText } from '#charts';
import type { Lab, Choice } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import { smallBody } from '../../workloads/request-bodies.ts';

/** Objects a request. */
const BATCHES: Choice<readonly number[]> = { quick: [1, 1000], full: [1, 25, 250, 1000, 4000] };
const WARM_UP_SECONDS = { quick: 0.25, full: 3 } as const;
const CLOSED_SECONDS = { quick: 0.3, full: 2 } as const;
/** A batch of several chunks, judged by every system for comparison. */
export const COMPARED_ITEMS = 600;

/** A way to run the service. */
export interface System {
  readonly name: string;
  readonly kind: 'embedded' | 'over Redis';
  /** Chunks that run at once. */
  readonly slots: number;
  readonly url: string;
}

/** Objects a second of the engine alone, one thread, and what the compared batch cost. */
export interface EngineFigures {
  readonly perSecond: number;
  readonly cost: number;
  readonly accepted: number;
}

/** Figures of a system. */
export interface SystemFigures {
  readonly system: System;
  /** Objects a second at saturation by objects a request, a figure a round. */
  readonly rates: Map<number, number[]>;
  /** Requests of all loads, and those not answered as expected. */
  readonly requests: { sent: number; failed: number };
  /** What the compared batch was answered with; cost and accepted objects are undefined in an answer without summary. */
  readonly verdicts: { readonly digest: string; readonly cost: number | undefined; readonly accepted: number | undefined };
}

/** Returns the name of a fleet with so many nodes. */
export const fleetName = (nodes: number): string => `${countedText(nodes, 'node')} over Redis`;

/** Warms a system up, compares its verdicts, and measures its first round. */
export async function begin(lab: Lab, system: System): Promise<SystemFigures> {
  lab.say(system.name);
  const warm = smallBody(COMPARED_ITEMS);
  await closedLoad(`${system.url}/evaluate`, warm.text, {
    connections: 2 * system.slots,
    seconds: lab.of(WARM_UP_SECONDS),
    signal: lab.signal,
  });
  const figures = {
    system,
    rates: new Map<number, number[]>(),
    requests: { sent: 0, failed: 0 },
    verdicts: await verdictsOf(system, warm.text),
  };
  await measureRound(lab, figures);
  return figures;
}

async function verdictsOf({ url }: System, text: string): Promise<SystemFigures['verdicts']> {
  const answer = await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
  const { items = [], summary } = (await answer.json()) as {
    items?: unknown[];
    summary?: { celCost: number; accepted: number };
  };
  const digest = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 16);
  return { digest, cost: summary?.celCost, accepted: summary?.accepted };
}

/** Measures one round: a closed load of each batch. */
export async function measureRound(lab: Lab, { system, rates, requests }: SystemFigures): Promise<void> {
  for (const batch of lab.of(BATCHES)) {
    if (lab.signal.aborted) return;
    const body = smallBody(batch);
    const connections = batch < CHUNK_LIMITS.items ? 8 : 2 + system.slots;
    const load = await closedLoad(`${system.url}/evaluate`, body.text, {
      connections,
      seconds: lab.of(CLOSED_SECONDS),
      expected: body.accepted,
      signal: lab.signal,
    });
    requests.sent += load.requests;
    requests.failed += load.failures;
    // Refusals come fast: a rate with failures in it is no throughput.
    const rate = load.requestsPerSecond * batch * (1 - load.failures / Math.max(1, load.requests));
    if (rate > 0) rates.set(batch, [...(rates.get(batch) ?? []), rate]);
  }
}
