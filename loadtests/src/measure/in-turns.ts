import { shuffled } from '../../../testing/seeded-random.ts';
import { warmUp } from './warm-up.ts';
import type { WarmUp } from './warm-up.ts';

/** One of several pieces of work that are compared. */
export interface Variant {
  readonly name: string;
  readonly run: () => void;
}

/** What the turns of a variant took. */
export interface Turns {
  readonly name: string;
  /** ms of one run, a figure a round. */
  readonly samples: readonly number[];
  readonly warmUp: WarmUp;
}

/** How variants are measured. */
export interface TurnOptions {
  readonly rounds: number;
  readonly random: () => number;
  /** A variant is run again in its turn until so much time has passed, ms; the turn's figure is the mean. */
  readonly turnMs?: number;
  /** Longest warm-up of a variant, ms. */
  readonly warmUpMs?: number;
  /** Ends early, with the rounds that are whole. */
  readonly stopped?: () => boolean;
}

const TURN_MS = 20;
const WARM_UP_MS = 1500;

/** Measures variants in rounds, each in a random order: what disturbs the machine disturbs all of them. */
export function inTurns(
  variants: readonly Variant[],
  { rounds, random, turnMs = TURN_MS, warmUpMs = WARM_UP_MS, stopped }: TurnOptions,
): Turns[] {
  const warm = new Map(variants.map(({ name, run }) => [name, warmUp(run, warmUpMs)]));
  const samples = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    if (stopped?.() === true) break;
    for (const { name, run } of shuffled(variants, random)) samples.get(name)?.push(meanMs(run, turnMs));
  }
  return variants.map(({ name }) => ({
    name,
    samples: samples.get(name) ?? [],
    warmUp: warm.get(name) ?? { calls: 0, capped: true },
  }));
}

function meanMs(run: () => void, atLeastMs: number): number {
  const started = performance.now();
  let runs = 0;
  let passed = 0;
  do {
    run();
    runs += 1;
    passed = performance.now() - started;
  } while (passed < atLeastMs);
  return passed / runs;
}
