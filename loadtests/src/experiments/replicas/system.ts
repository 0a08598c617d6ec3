import { createHash } from 'node:crypto';
import { CHUNK_LIMITS } from '#evaluation';
import { countedText } from '#charts';
import type { Lab, Choice } from '../../lab.ts';
import { closedLoad } from '../../load/closed-load.ts';
import { LoadRounds } from '../../load/load-rounds.ts';
import type { CaseFigures } from '../../study/study.ts';
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
  /** Closed loads at saturation, by objects a request. */
  readonly cases: readonly CaseFigures[];
  /** What the compared batch was answered with; cost and accepted objects are undefined in an answer without summary. */
  readonly verdicts: { readonly digest: string; readonly cost: number | undefined; readonly accepted: number | undefined };
}

/** A system that is measured in rounds. */
export interface MeasuredSystem {
  readonly system: System;
  readonly rounds: LoadRounds;
  readonly verdicts: SystemFigures['verdicts'];
}

/** Returns the name of a fleet with so many nodes. */
export const fleetName = (nodes: number): string => `${countedText(nodes, 'node')} over Redis`;

/** Warms a system up, compares its verdicts, and measures its first round: a closed load of each batch. */
export async function begin(lab: Lab, system: System): Promise<MeasuredSystem> {
  lab.say(system.name);
  const warm = smallBody(COMPARED_ITEMS);
  const seconds = lab.of(WARM_UP_SECONDS);
  await closedLoad(`${system.url}/evaluate`, warm.text, { connections: 2 * system.slots, seconds, signal: lab.signal });
  const rounds = new LoadRounds(
    lab,
    lab.of(BATCHES).map((batch) => ({
      line: system.name,
      url: system.url,
      body: smallBody(batch),
      connections: batch < CHUNK_LIMITS.items ? 8 : 2 + system.slots,
      length: { seconds: lab.of(CLOSED_SECONDS) },
    })),
  );
  const verdicts = await verdictsOf(system, warm.text);
  await rounds.run(1);
  return { system, rounds, verdicts };
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
