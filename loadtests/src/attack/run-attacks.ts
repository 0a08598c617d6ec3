import { setTimeout } from 'node:timers/promises';
import type { Attack, Family, Shape } from './attack.ts';
import { Canary } from './canary.ts';
import type { Late, CanaryFindings } from './canary.ts';
import { resourcesOfProcesses, leftBehind } from './held.ts';
import type { ProcessResources } from './held.ts';
import { faultsOf } from './judge-answer.ts';
import { Random } from './random.ts';
import { startTarget } from './start-target.ts';
import type { StartedTarget } from './start-target.ts';

/** Longest time in ms by which the service itself may delay an answer to `/livez`. Delays caused by the machine do not count. */
export const MAX_STALL_MS = 250;
/**
 * Longest time in ms by which the service itself may delay the evaluation of the canary, a client that repeatedly sends objects with known
 * verdicts. Delays caused by the machine do not count.
 */
export const MAX_CANARY_MS = 2000;
/** Number of inputs that are sent at the same time. */
const AT_A_TIME = 3;
/** Time in ms within which the service must release resources after a family of attacks. */
const SETTLING_MS = 15_000;

/** The plan of a run: services, inputs and thoroughness. */
export interface AttackPlan {
  readonly families: readonly Family[];
  readonly shapes: readonly Shape[];
  readonly seed: number;
  /**
   * Set in a short run, which attacks only the first shape of each family and skips attacks that take seconds. Of the other attacks, it
   * sends one in `oneIn`. If undefined, the run sends all attacks to all shapes.
   */
  readonly oneIn?: number | undefined;
  readonly say: (progress: string) => void;
}

/** Results of one family of attacks on one service. */
export interface FamilyReport {
  readonly family: string;
  /** Kind of the service. */
  readonly shape: Shape;
  readonly inputs: number;
  readonly seconds: number;
  readonly seen: CanaryFindings;
  /** Resources of the service before the attack. */
  readonly before: readonly ProcessResources[];
  readonly after: readonly ProcessResources[];
  /** Descriptions of wrong answers, of processes that ended, and of resources that were not released. */
  readonly faults: readonly string[];
  /** Descriptions of answers that came too late. */
  readonly delays: readonly string[];
}

/** Returns all failures of a report. */
export const failuresOf = ({ faults, delays }: FamilyReport): string[] => [...faults, ...delays];

/**
 * Runs each family of attacks against each shape (kind of service): send the inputs → get the canary's observations → compare resources →
 * report. The canary is a client that checks the service's health and verdicts meanwhile. Shapes that cannot be started on this machine are
 * reported and skipped.
 */
export async function runAttacks(plan: AttackPlan): Promise<FamilyReport[]> {
  const reports: FamilyReport[] = [];
  for (const shape of plan.shapes) {
    const families = plan.families.filter(({ shapes }) => (plan.oneIn === undefined ? shapes.includes(shape) : shapes[0] === shape));
    if (families.length === 0) continue;
    const target = await startTarget(shape);
    if (target === undefined) {
      plan.say(`${shape}: left out, redis-server is not on PATH (Debian package redis-server)`);
      continue;
    }
    try {
      reports.push(...(await attackTarget(target, families, plan)));
    } finally {
      await target.stop();
    }
  }
  return reports;
}

async function attackTarget(target: StartedTarget, families: readonly Family[], plan: AttackPlan): Promise<FamilyReport[]> {
  const canary = new Canary({
    servicePort: target.port,
    controlPort: target.controlPort,
    credentials: target.canarysCredentials,
    processIds: target.processes.map(([, id]) => id),
  });
  const reports: FamilyReport[] = [];
  try {
    // The first request takes longer, even without an attack. So `seen` discards what the canary has seen until now.
    await setTimeout(1000);
    await canary.seen();
    const first = resourcesOfProcesses(target.processes);
    for (const family of families) {
      reports.push(await attackAgainIfLate(family, { target, canary, first, plan }));
    }
  } finally {
    await canary.stop();
  }
  return reports;
}

/**
 * Runs a family again if its only failures are delays, and returns the second report. Attacks that delay the service do so again, but other
 * work on the machine usually does not.
 */
async function attackAgainIfLate(family: Family, scene: Scene): Promise<FamilyReport> {
  const report = await attackBy(family, scene);
  reportFamily(report, scene.plan);
  if (report.delays.length === 0 || report.faults.length > 0) return report;
  const again = await attackBy(family, scene);
  reportFamily(again, scene.plan);
  return again;
}

function reportFamily(report: FamilyReport, { say }: AttackPlan): void {
  const failures = failuresOf(report);
  say(`${report.shape} ${report.family}: ${report.inputs} inputs, ${failures.length} failures, ${report.seconds.toFixed(1)} s`);
  for (const failure of failures) say(`  FAIL  ${failure}`);
}

interface Scene {
  readonly target: StartedTarget;
  readonly canary: Canary;
  readonly first: readonly ProcessResources[];
  readonly plan: AttackPlan;
}

async function attackBy(family: Family, { target, canary, first, plan }: Scene): Promise<FamilyReport> {
  const started = performance.now();
  const before = resourcesOfProcesses(target.processes);
  const attacks = chosen(family.attacks(new Random(plan.seed)), target.shape, plan.oneIn);
  const failures: string[] = [];
  const waiting = attacks.values();
  const rounds: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  const attackOneByOne = async (): Promise<void> => {
    for (const attack of waiting) {
      const from = Date.now();
      failures.push(...(await outcomeOf(attack, target)));
      rounds.push({ name: attack.name, from, to: Date.now() });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, attackOneByOne));
  const seen = await canary.seen();
  const { after, left } = await settled(target, first);
  const delay = (what: string, { ms, at, took }: Late, most: number): string[] => {
    const during = rounds.filter(({ from, to }) => from <= at + took && to >= at).map(({ name }) => name);
    return ms > most ? [`${what} late by ${Math.round(ms)} ms during ${during.join('; ')}`] : [];
  };
  return {
    family: family.name,
    shape: target.shape,
    inputs: attacks.length,
    seconds: (performance.now() - started) / 1000,
    seen,
    before,
    after,
    faults: [...failures, ...new Set(seen.wrong), ...left],
    delays: [...delay('/livez', seen.livez, MAX_STALL_MS), ...delay("the canary's evaluation", seen.evaluation, MAX_CANARY_MS)],
  };
}

function chosen(attacks: readonly Attack[], shape: Shape, oneIn: number | undefined): readonly Attack[] {
  const here = attacks.filter(({ shapes }) => shapes?.includes(shape) ?? true);
  return oneIn === undefined ? here : here.filter(({ isLong }) => !isLong).filter((_, i) => i % oneIn === 0);
}

async function outcomeOf(attack: Attack, target: StartedTarget): Promise<string[]> {
  const answers = await attack.send(target).catch((error: unknown) => error);
  if (answers instanceof Error) return [`${attack.name}: ${answers.message}`];
  return [answers as Awaited<ReturnType<Attack['send']>>]
    .flat()
    .flatMap((answer) => faultsOf(attack, answer).map((fault) => `${attack.name}: ${fault}`));
}

/** Waits until no resource counts as leaked, at most for the settling time. Returns the used resources and descriptions of the leaks. */
async function settled(
  { processes }: StartedTarget,
  first: readonly ProcessResources[],
): Promise<{ readonly after: readonly ProcessResources[]; readonly left: string[] }> {
  const until = performance.now() + SETTLING_MS;
  for (;;) {
    const after = resourcesOfProcesses(processes);
    const left = leftBehind(first, after);
    if (left.length === 0 || performance.now() > until) return { after, left };
    await setTimeout(200);
  }
}
