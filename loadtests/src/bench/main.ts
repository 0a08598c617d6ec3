import { parseArgs } from 'node:util';
import { runCell } from '../engines/run-cell.ts';
import { environment } from '../measure/environment.ts';
import { CEL_CASES } from '../engines/cel-cases.ts';
import type { Cell } from '../engines/cell.ts';
import type { EngineName } from '../engines/cel-engines.ts';
import { fasterCell } from '../engines/cell.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import { benchCommandLine } from './command-line.ts';
import { benchDefinitions } from './definitions.ts';
import { benchText } from './bench-table.ts';
import { celRow, ENGINE_NAMES } from './cel-row.ts';
import { benchCorpusObjects } from './corpus-objects.ts';
import { compareRevisions } from './compare/compare-revisions.ts';
import type { BenchTable } from './bench-table.ts';
import { benchItemRules } from './item-rules.ts';
import { benchLanguage } from './language.ts';
import { benchListTypes } from './list-types.ts';
import { benchObjects } from './objects.ts';
import { benchPolicies } from './policies.ts';
import { benchRegex } from './regex.ts';
import { profileRequests } from './profile/profile-requests.ts';
import { benchRequests } from './requests.ts';
import { benchRules } from './rules.ts';
import { benchSpellings } from './spellings.ts';

/** `npm run bench -- cel [--case NAME…] [--quick]`: ns per element of every engine. `npm run bench -- objects [--quick]`: µs per object by generated reader and exactly, beside `JSON.parse`, ajv and Go; all accepted objects of the corpora; list types and rules of items per element; texts beyond ASCII and with escapes. `npm run bench -- cli [--quick]`: whole processes of the command line, beside peers at hand. `npm run bench -- definitions [--quick]`: ms to compile real definitions, beside Go. `npm run bench -- language [--quick]`: ms from a keystroke in a large definition to its diagnostics. `npm run bench -- policies [--quick]`: what admission policies cost to compile and to ask. `npm run bench -- requests [--quick]`: CPU of all processes of the service a request, beside a bare Fastify, and a stream of small objects. `npm run bench -- profile [--compare REVISION] [--quick]`: the hottest places of each thread of the service while it answers small requests, before and after. `npm run bench -- rules`: what a rule costs to compile and keep. `npm run bench -- all --compare REVISION [--bound 1.05] [--quick]`: ratios to another revision of git, exit code 1 where one regressed. `npm run bench -- regex [--quick]`: ns per byte of patterns that backtracking explodes on. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    case: { type: 'string', multiple: true },
    quick: { type: 'boolean', default: false },
    compare: { type: 'string' },
    bound: { type: 'string', default: '1.05' },
  },
});
const [bench = 'cel'] = positionals;
/** Benches that are tables. */
const TABLES: Readonly<Record<string, (quick: boolean) => readonly BenchTable[] | Promise<readonly BenchTable[]>>> = {
  cli: (quick) => [benchCommandLine(quick)],
  definitions: async (quick) => [await benchDefinitions(quick)],
  objects: (quick) => [benchObjects(quick), benchCorpusObjects(quick), benchListTypes(quick), benchItemRules(quick), benchSpellings(quick)],
  language: (quick) => [benchLanguage(quick)],
  policies: (quick) => [benchPolicies(quick)],
  profile: (quick) => profileRequests(quick, values.compare),
  requests: benchRequests,
  rules: () => [benchRules()],
  regex: (quick) => [benchRegex(quick)],
};
const tabulate = Object.hasOwn(TABLES, bench) ? TABLES[bench] : undefined;
if (bench === 'all' && values.compare !== undefined) {
  const table = await compareRevisions(values.compare, Number(values.bound), values.quick);
  process.stdout.write(`${benchText(table)}\n`);
  process.exit(table.failedGates.length === 0 ? 0 : 1);
}
if (bench !== 'cel' && !tabulate) {
  process.stderr.write(
    `unknown bench ${positionals.join(' ')}; known: cel, ${Object.keys(TABLES).join(', ')}; all with --compare REVISION\n`,
  );
  process.exit(2);
}
const SIZES = values.quick ? [1000, 64_000] : [1000, 16_000, 64_000, 300_000, 1_572_000];
const NESTED_SIZES = values.quick ? [300] : [100, 300, 1000];
/** Runs of generated code and of the hand-written loop; the best counts. */
const ROUNDS = values.quick ? 2 : 3;
process.stdout.write(
  `${Object.entries(environment())
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n\n`,
);
if (tabulate) {
  const tables = await tabulate(values.quick);
  for (const table of tables) process.stdout.write(`${benchText(table)}\n`);
  process.exit(tables.every((table) => table.failedGates.length === 0) ? 0 : 1);
}
const rows: (readonly string[])[] = [];
const failedGates: string[] = [];
const unmeasuredGates: string[] = [];
const go = buildGoValidator();
for (const test of CEL_CASES) {
  if (values.case && !values.case.includes(test.name)) continue;
  const sizes = test.nested ? NESTED_SIZES : SIZES;
  const cells = new Map<EngineName, Cell[]>();
  for (const engine of ENGINE_NAMES) {
    const rounds = engine === 'hand' || engine === 'compiled' ? ROUNDS : 1;
    for (let round = 0; round < rounds; round++) {
      const before = cells.get(engine) ?? [];
      const now = measure(engine, test.name, sizes);
      cells.set(
        engine,
        sizes.map((size, i) => fasterCell(before[i], now[i]) ?? { size }),
      );
    }
  }
  const goCells = typeof go === 'string' ? [] : go.measure(test, sizes);
  sizes.forEach((size, i) => {
    const one = celRow({ test, size, at: (engine) => cells.get(engine)?.[i], go: goCells.find((cell) => cell.size === size) });
    rows.push(one.row);
    failedGates.push(...one.failedGates);
    unmeasuredGates.push(...one.unmeasuredGates);
  });
  process.stderr.write(`  ${test.name}\n`);
}
const notes = [
  `ns per element (nested: per inner step), best run; in brackets the multiple of compiled. "hand" is a hand-written loop with the same cost counted; the npm peers count none. "not measured": slower than the cap.`,
  typeof go === 'string' ? `Go validator: not measured, ${go}.` : 'Go validator: cel.Validator of apiextensions-apiserver, limits lifted.',
];
if (typeof go !== 'string') go.close();
const columns = ['case', 'size', 'hand', 'compiled', '÷ hand', 'wanted', 'gate', ...ENGINE_NAMES.slice(2), 'Go validator'];
process.stdout.write(benchText({ columns, rows, notes, failedGates, unmeasuredGates }));
process.exit(failedGates.length === 0 ? 0 : 1);

function measure(engine: EngineName, name: string, sizes: readonly number[]): Cell[] {
  return runCell<Cell>({ from: import.meta.url, path: '../engines/cel-cell' }, [
    engine,
    name,
    sizes.join(','),
    values.quick ? '150' : '400',
  ]);
}
