import { writeFileSync } from 'node:fs';
import { programArguments, wholeNumber, wrongArguments } from '../../../testing/program-arguments.ts';
import { textTable } from '../report/text-table.ts';
import type { PairTotals } from './fault-totals.ts';
import { Fleet } from './fleet.ts';
import { History } from './history.ts';
import { runFaults } from './fault-run.ts';
import type { FaultReport } from './fault-run.ts';

const USAGE = `usage: npm run chaos -- [--faults N] [--seed S] [--clients C] [--history FILE] [--json FILE]
                       [--embedded | --sentinel | --cluster | --offers]

Hurts a fleet of three nodes, a worker and a Redis of its own (--sentinel: a master and its replica under three sentinels; --cluster: three masters, each
with a replica; --embedded: an API alone, with its journal; --offers: two nodes, of which one holds what the other offers) while clients use it, two kinds
of faults at a time, and holds what they were answered against a run without faults. The faults of a seed are always the same; what happens between them is
not. Exit code: 0 every invariant held, 1 one did not, 2 wrong usage, 3 it cannot run here.
`;

/** Highest number of violations of one kind that are shown. */
const SHOWN = 12;

/** Runs the program: start a fleet → run the faults → print the totals. The exit status is 0 only if every invariant held. */
async function main(): Promise<number> {
  const wanted = argumentsOf();
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

/** Fault run as described by the command-line arguments. */
type Wanted = ReturnType<typeof argumentsOf>;

const FLEETS = ['embedded', 'sentinel', 'cluster', 'offers'] as const;

function argumentsOf() {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = programArguments(USAGE, {
    faults: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '6' },
    history: { type: 'string' },
    json: { type: 'string' },
    embedded: flag,
    sentinel: flag,
    cluster: flag,
    offers: flag,
  });
  const kinds = FLEETS.filter((kind) => values[kind]);
  if (kinds.length > 1) wrongArguments(`one fleet at a time, not ${kinds.join(' and ')}`, USAGE);
  const number = (option: 'faults' | 'seed' | 'clients'): number =>
    wholeNumber(option, values[option], USAGE) || wrongArguments(`--${option} must be 1 or more`, USAGE);
  return {
    faults: number('faults'),
    seed: number('seed'),
    clients: number('clients'),
    history: values.history,
    /** File for the result, as JSON. */
    json: values.json,
    kind: kinds[0] ?? ('redis' as const),
  };
}

/** Returns the result as JSON data for other programs. */
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

/** Returns a table with a row for each pair of fault kinds. */
function pairsTable(pairs: readonly PairTotals[]): string {
  const rows = pairs.map(({ pair, struck, evaluations, lost, doubled, wrong, other, unavailable, recoveryMs = '-' }) =>
    [pair, struck, evaluations, lost, doubled, wrong, other, unavailable, recoveryMs].map(String),
  );
  const columns = ['pair', 'struck', 'evals', 'lost', 'doubled', 'wrong', 'other', '503', 'rec. ms'];
  return textTable({ title: '', columns, rows, notes: [] });
}

function reportText({ invariants, struck, pairs, minutes, resources }: FaultReport, violations: readonly string[]): string {
  const count = (word: string): number => violations.filter((violation) => violation.startsWith(word)).length;
  const faults = [...struck.values()].reduce((sum, number) => sum + number, 0);
  const others = violations.length - count('lost') - count('doubled') - count('wrong') - count('leak') - count('crash');
  return [
    ...[...struck].toSorted((a, b) => b[1] - a[1]).map(([name, number]) => `${String(number).padStart(5)} × ${name}`),
    pairsTable(pairs),
    ...resources,
    ...Object.values(Object.groupBy(violations, (violation) => violation.split(' ')[0] ?? '')).flatMap((group = []) =>
      group.slice(0, SHOWN),
    ),
    `${faults} faults in ${minutes.toFixed(1)} min; ${invariants.evaluations} evaluations: ${invariants.whole} whole, ${invariants.told} ended as their clients were told, ${invariants.unjudged} items unjudged with a reason; ${count('lost')} lost, ${count('doubled')} doubled, ${count('wrong')} wrong, ${count('leak')} leaks, ${count('crash')} crashes, ${others} other violations`,
  ].join('\n');
}

process.exitCode = await main();
