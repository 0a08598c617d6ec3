import { parseArgs } from 'node:util';
import { Fleet } from './fleet.ts';
import type { FleetKind } from './fleet.ts';
import { History } from './history.ts';
import { runFaults } from './fault-run.ts';
import type { FaultReport } from './fault-run.ts';

const USAGE = `usage: npm run chaos -- [--faults N] [--seed S] [--clients C] [--history FILE] [--embedded]

Hurts a fleet of an API, three workers and a Redis of its own (--embedded: an API alone, with its journal) while clients use it, and holds
what they were answered against a run without faults. The faults of a seed are always the same; what happens between them is not. Exit code: 0 every invariant held, 1 one did not,
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
    process.stderr.write('redis-server is not on PATH (Debian package redis-server)\n');
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
  process.stdout.write(`${reportText(report, violations)}\n`);
  return violations.length === 0 ? 0 : 1;
}

function argumentsOf():
  | {
      readonly faults: number;
      readonly seed: number;
      readonly clients: number;
      readonly history: string | undefined;
      readonly kind: FleetKind;
    }
  | undefined {
  try {
    const { values } = parseArgs({
      options: {
        faults: { type: 'string', default: '100' },
        seed: { type: 'string', default: '1' },
        clients: { type: 'string', default: '6' },
        history: { type: 'string' },
        embedded: { type: 'boolean', default: false },
      },
    });
    const [faults, seed, clients] = [values.faults, values.seed, values.clients].map(Number) as [number, number, number];
    return [faults, seed, clients].every((value) => Number.isInteger(value) && value > 0)
      ? { faults, seed, clients, history: values.history, kind: values.embedded ? 'embedded' : 'redis' }
      : undefined;
  } catch {
    return undefined;
  }
}

function reportText({ invariants, struck, minutes, resources }: FaultReport, violations: readonly string[]): string {
  const count = (word: string): number => violations.filter((violation) => violation.startsWith(word)).length;
  const faults = [...struck.values()].reduce((sum, number) => sum + number, 0);
  const others = violations.length - count('lost') - count('doubled') - count('wrong') - count('leak') - count('crash');
  return [
    ...[...struck].toSorted((a, b) => b[1] - a[1]).map(([name, number]) => `${String(number).padStart(5)} × ${name}`),
    ...resources,
    ...Object.values(Object.groupBy(violations, (violation) => violation.split(' ')[0] ?? '')).flatMap((group = []) =>
      group.slice(0, SHOWN),
    ),
    `${faults} faults in ${minutes.toFixed(1)} min; ${invariants.evaluations} evaluations: ${invariants.whole} whole, ${invariants.told} ended as their clients were told, ${invariants.unjudged} items unjudged with a reason; ${count('lost')} lost, ${count('doubled')} doubled, ${count('wrong')} wrong, ${count('leak')} leaks, ${count('crash')} crashes, ${others} other violations`,
  ].join('\n');
}

process.exitCode = await main();
