import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { InvariantCheck } from './check-invariants.ts';
import type { InvariantReport } from './check-invariants.ts';
import { followEvaluation } from './clients.ts';
import type { ClientKind, Ending, Line } from './clients.ts';
import type { PairTotals } from './fault-totals.ts';
import { planFaults } from './plan-faults.ts';
import type { PlannedPair } from './plan-faults.ts';
import type { Fleet } from './fleet.ts';
import { FIRST_RULE, STUDIED } from './follow-study.ts';
import type { History } from './history.ts';
import { leftBehind, resourcesOf } from './resources.ts';
import { digestOf, POISON, SUBJECTS } from './subjects.ts';

/** The options of a fault run. */
export interface FaultOptions {
  readonly faults: number;
  readonly seed: number;
  /** Number of clients that run at the same time. */
  readonly clients: number;
  readonly history: History;
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** Result of a fault run, with statistics. */
export interface FaultReport {
  readonly invariants: InvariantReport;
  /** Number of faults by kind. Objects that ended a thread count as faults too. */
  readonly struck: ReadonlyMap<string, number>;
  /** Totals for each pair of fault kinds. */
  readonly pairs: readonly PairTotals[];
  readonly minutes: number;
  /** Resource figures before and after the run, for display. */
  readonly resources: readonly string[];
}

/**
 * Number of objects in a long stream. One node cannot validate so many objects in a short time, so it offers stretches of consecutive
 * objects to other nodes.
 */
const OFFERED = 6000;
const CLIENTS: readonly (readonly [kind: ClientKind, most: number])[] = [
  ['one object', 1],
  ['one object', 1],
  ['batch', 60],
  ['stream', 500],
  ['stream', OFFERED],
  ['background', 300],
  ['background', 300],
  ['cancelled', 200],
  ['hanging up', 60],
  ['slow reader', 120],
  ['study', STUDIED.length],
];
/** Clients that are used in a fleet of the kind `offers`, because its faults need offered runs. */
const STREAMING = CLIENTS.filter(([, most]) => most === OFFERED);
/** One of this many batches contains an object that exhausts the memory of its thread. */
const POISONED = 40;
/** Lowest share of complete answers at which a fault run is meaningful. */
const MIN_COMPLETE_SHARE = 0.25;
/**
 * Time in ms after a fault run within which all leftovers must be gone. It covers the 45 s deadline of evaluations without a client, and
 * the sweep that removes them.
 */
const SETTLE_MS = 60_000;

/**
 * Runs faults against a fleet. The steps are: learn the verdicts without faults → run clients and faults together → heal → wait for every
 * ending → check for leaks.
 */
export async function runFaults(fleet: Fleet, options: FaultOptions): Promise<FaultReport> {
  const { say, signal } = options;
  const invariants = new InvariantCheck(await verdictsWithoutFaults(fleet));
  fleet.broker?.onOwnFailOver?.(() => {
    invariants.losing()();
    say('Redis failed over by itself');
  });
  await calm(fleet, options.seed);
  const before = await resourcesOf(fleet);
  say(`${SUBJECTS} verdicts known; ${options.faults} faults to come`);
  const started = performance.now();
  const over = new AbortController();
  const clients = Array.from({ length: options.clients }, (_, i) => client(fleet, invariants, options, i, over.signal));
  const struck = await strikeAll(fleet, invariants, options);
  over.abort();
  say('healed; waiting for every client');
  await heal(fleet);
  await Promise.all(clients);
  invariants.totals.over();
  await setTimeout(SETTLE_MS);
  const after = await resourcesOf(fleet);
  for (const violation of leftBehind(before, after)) invariants.complain(violation);
  await calm(fleet, options.seed + 1, invariants);
  const { evaluations, whole } = invariants.result;
  if (whole < MIN_COMPLETE_SHARE * evaluations)
    invariants.complain(`void: only ${whole} of ${evaluations} evaluations came to a whole end`);
  if (signal.aborted) invariants.complain('void: stopped before its end');
  return {
    invariants: invariants.result,
    struck: new Map([...struck, ['thread out of memory', invariants.poisoned]]),
    pairs: invariants.totals.pairs,
    minutes: (performance.now() - started) / 60_000,
    resources: [...before.lines.map((line) => `before: ${line}`), ...after.lines.map((line) => `after:  ${line}`)],
  };
}

async function verdictsWithoutFaults(fleet: Fleet): Promise<Map<number, string>> {
  const numbers = Array.from({ length: SUBJECTS }, (_, i) => i);
  const { end, lines, why = '' } = await followEvaluation(fleet.url, 'batch', numbers);
  if (end !== 'whole') throw new Error(`the fleet does not work without faults: ${end} ${why}`);
  const study = await followEvaluation(fleet.url, 'study', STUDIED);
  if (study.end !== 'whole') throw new Error(`studies do not work without faults: ${study.end} ${study.why ?? ''}`);
  const digests = (of: readonly Line[], first: number) => of.map((line, i) => [first + i, digestOf(line)] as const);
  return new Map([...digests(lines, 0), ...digests(study.lines, FIRST_RULE)]);
}

/**
 * Runs each kind of client once without faults. Before the fault run, the call makes the fleet create everything that it creates only once.
 * After the fault run, the call checks that everything still works.
 */
async function calm(fleet: Fleet, seed: number, invariants?: InvariantCheck): Promise<void> {
  const random = seededRandom(seed);
  for (const [kind, most] of CLIENTS) {
    const ending = await followEvaluation(fleet.url, kind, subjectsOf(kind, random, most));
    invariants?.add(ending);
    if (invariants !== undefined && ending.end !== 'whole' && ending.end !== 'cancelled')
      invariants.complain(`not healed: ${kind} after the fault run ended as ${ending.end} ${ending.code ?? ''}`);
  }
}

async function client(
  fleet: Fleet,
  invariants: InvariantCheck,
  { seed, history }: FaultOptions,
  number: number,
  over: AbortSignal,
): Promise<void> {
  const random = seededRandom(seed * 1000 + number);
  while (!over.aborted) {
    const clients = fleet.kind === 'offers' ? STREAMING : CLIENTS;
    const [kind, most] = clients[Math.floor(random() * clients.length)] as (typeof CLIENTS)[number];
    const ending: Ending = await followEvaluation(fleet.url, kind, subjectsOf(kind, random, most));
    if (ending.end !== 'unreached') {
      invariants.add(ending);
      history.ending(ending);
    }
    // A client that was refused or cut off comes back a little later.
    await setTimeout(ending.end === 'whole' ? 5 : 400);
  }
}

const subjectsOf = (kind: ClientKind, random: () => number, most: number): readonly number[] =>
  kind === 'study' ? STUDIED : someSubjects(random, most);

function someSubjects(random: () => number, most: number): number[] {
  const count = most === 1 ? 1 : 1 + Math.floor(random() * most);
  const subjects = Array.from({ length: count }, () => Math.floor(random() * SUBJECTS));
  if (count > 1 && random() * POISONED < 1) subjects[Math.floor(random() * count)] = POISON;
  return subjects;
}

async function strikeAll(
  fleet: Fleet,
  invariants: InvariantCheck,
  { faults, seed, history, signal, say }: FaultOptions,
): Promise<ReadonlyMap<string, number>> {
  const struck = new Map<string, number>();
  for (const [number, pair] of planFaults(faults, seededRandom(seed), fleet.kind).entries()) {
    if (signal.aborted) break;
    await setTimeout(pair.quietMs);
    for (const crash of fleet.supervise()) invariants.complain(`crash: ${crash}`);
    invariants.totals.begin(pair.faults.map(({ kind }) => kind.name));
    await strikeTogether(fleet, invariants, pair, history);
    // A fault of a process that is down tests nothing. So a single API must be up again before the next fault.
    if (fleet.kind === 'embedded') await fleet.untilReady();
    invariants.totals.healed();
    for (const { kind } of pair.faults) struck.set(kind.name, (struck.get(kind.name) ?? 0) + 1);
    if ((number + 1) % 10 === 0) say(`${2 * (number + 1)} of ${faults} faults`);
  }
  return struck;
}

/** Starts each fault of a pair at its planned time, and resolves when all faults of the pair have ended. */
async function strikeTogether(fleet: Fleet, invariants: InvariantCheck, { faults }: PlannedPair, history: History): Promise<void> {
  await Promise.all(
    faults.map(async ({ kind, afterMs, lastsMs, target }) => {
      await setTimeout(afterMs);
      history.fault(kind.name, lastsMs, target);
      const lost = kind.loses === true ? invariants.losing() : undefined;
      await kind.strike(fleet, lastsMs, target);
      lost?.();
    }),
  );
}

async function heal(fleet: Fleet): Promise<void> {
  fleet.proxy?.turn('fair');
  for (const member of fleet.members) member.process.kill('SIGCONT');
  fleet.supervise();
  await fleet.untilReady();
}
