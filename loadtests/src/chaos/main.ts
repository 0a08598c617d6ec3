import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { PairTotals } from './fault-totals.ts';
import { Fleet } from './fleet.ts';
import type { FleetKind } from './fleet.ts';
import { History } from './history.ts';
import { runFaults } from './fault-run.ts';
import type { FaultReport } from './fault-run.ts';

const USAGE = `usage: npm run chaos -- [--faults N] [--seed S] [--clients C] [--history FILE] [--json FILE]
                       [--embedded | --sentinel | --cluster]

Hurts a fleet of an API, three workers and a Redis of its own (--sentinel: a master and its replica under three sentinels; --cluster: three masters, each
with a replica; --embedded: an API alone, with its journal) while clients use it, two kinds of faults at a time, and holds what they were answered against a
run without faults. The faults of a seed are always the same; what happens between them is not. Exit code: 0 every invariant held, 1 one did not,
2 wrong usage, 3 it cannot run here.
`;

/** Violations of a kind that are shown. */
const SHOWN = 12;

/** PLOT: start a fleet → fault run → totals; exit 0 only if every invariant held. */
async function main(): Promise<number> {
  const wanted = argumentsOf();
  if (wanted === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const fleet = await Fleet.start(wanted.kind);
  if (fleet === undefined) {
    process.stderr.write(
      'redis-server, or what else this fleet needs of redis-sentinel and redis-cli, is not on PATH (Debian packages redis-server, redis-sentinel, redis-tools)\n',
    );
    return 3;
  }
  let report: FaultReport;
  let orphans: readonly number[] = [];
  try {
    report = await runFaults(fleet, {
      ...wanted,
      history: new History(wanted.history),
      signal: stop.signal,
      say: (progress) => process.stderr.write(`  ${progress}\n`),
    });
  } finally {
    orphans = await fleet.stop();
  }
  const violations = [
    ...report.invariants.violations,
    ...(orphans.length > 0 ? [`leak: ${orphans.length} processes outlived the fleet`] : []),
  ];
  if (wanted.json !== undefined) writeFileSync(wanted.json, `${JSON.stringify(resultOf(wanted, report, violations), undefined, 2)}\n`);
  process.stdout.write(`${reportText(report, violations)}\n`);
  return violations.length === 0 ? 0 : 1;
}

/** What was asked for. */
interface Wanted {
  readonly faults: number;
  readonly seed: number;
  readonly clients: number;
  readonly history: string | undefined;
  /** File for the result, as JSON. */
  readonly json: string | undefined;
  readonly kind: FleetKind;
}

const NUMBERS = { faults: '100', seed: '1', clients: '6' } as const;
const FLEETS = ['embedded', 'sentinel', 'cluster'] as const;

function argumentsOf(): Wanted | undefined {
  try {
    const number = (name: keyof typeof NUMBERS) => ({ type: 'string', default: NUMBERS[name] }) as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      options: {
        faults: number('faults'),
        seed: number('seed'),
        clients: number('clients'),
        history: { type: 'string' },
        json: { type: 'string' },
        embedded: flag,
        sentinel: flag,
        cluster: flag,
      },
    });
    const [faults, seed, clients] = [values.faults, values.seed, values.clients].map(Number) as [number, number, number];
    const kinds = FLEETS.filter((kind) => values[kind]);
    if (kinds.length > 1 || ![faults, seed, clients].every((value) => Number.isInteger(value) && value > 0)) return undefined;
    return { faults, seed, clients, history: values.history, json: values.json, kind: kinds[0] ?? 'redis' };
  } catch {
    return undefined;
  }
}

/** The result for programs. */
const resultOf = ({ faults, seed, kind }: Wanted, { invariants, struck, pairs, minutes }: FaultReport, violations: readonly string[]) => ({
  fleet: kind,
  faults,
  seed,
  minutes,
  struck: Object.fromEntries(struck),
  pairs,
  ...invariants,
  violations,
});

/** A line for each pair: names last, so that figures stand below each other. */
function pairsTable(pairs: readonly PairTotals[]): string[] {
  const line = (figures: readonly unknown[], name: string): string =>
    `${figures.map((figure) => String(figure).padStart(9)).join('')}  ${name}`;
  return [
    line(['struck', 'evals', 'lost', 'doubled', 'wrong', 'other', '503', 'rec. ms'], 'pair'),
    ...pairs.map(({ pair, struck, evaluations, lost, doubled, wrong, other, unavailable, recoveryMs }) =>
      line([struck, evaluations, lost, doubled, wrong, other, unavailable, recoveryMs ?? '-'], pair),
    ),
  ];
}

function reportText({ invariants, struck, pairs, minutes, resources }: FaultReport, violations: readonly string[]): string {
  const count = (word: string): number => violations.filter((violation) => violation.startsWith(word)).length;
  const faults = [...struck.values()].reduce((sum, number) => sum + number, 0);
  const others = violations.length - count('lost') - count('doubled') - count('wrong') - count('leak') - count('crash');
  return [
    ...[...struck].toSorted((a, b) => b[1] - a[1]).map(([name, number]) => `${String(number).padStart(5)} × ${name}`),
    ...pairsTable(pairs),
    ...resources,
    ...Object.values(Object.groupBy(violations, (violation) => violation.split(' ')[0] ?? '')).flatMap((group = []) =>
      group.slice(0, SHOWN),
    ),
    `${faults} faults in ${minutes.toFixed(1)} min; ${invariants.evaluations} evaluations: ${invariants.whole} whole, ${invariants.told} ended as their clients were told, ${invariants.unjudged} items unjudged with a reason; ${count('lost')} lost, ${count('doubled')} doubled, ${count('wrong')} wrong, ${count('leak')} leaks, ${count('crash')} crashes, ${others} other violations`,
  ].join('\n');
}

process.exitCode = await main();
