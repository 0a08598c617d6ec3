import { parseArgs } from 'node:util';
import { cancellation } from './experiments/cancellation.ts';
import { listLength } from './experiments/list-length.ts';
import { tracing } from './experiments/tracing.ts';
import { streamMemory } from './experiments/stream-memory.ts';
import { whatIfMemory } from './experiments/what-if-memory.ts';
import type { Experiment } from './experiments/experiment.ts';
import { environment } from './measure/environment.ts';
import { textTable } from './report/text-table.ts';

/** PLOT: choose experiments → run them → print their tables → fail on gates. `npm run loadtest -- [name…] [--quick | --full]` */
const EXPERIMENTS: readonly Experiment[] = [listLength, cancellation, streamMemory, whatIfMemory, tracing];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, full: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !EXPERIMENTS.some((experiment) => experiment.name === name));
if (unknown.length > 0) {
  process.stderr.write(`unknown experiment ${unknown.join(', ')}; known: ${EXPERIMENTS.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
process.stdout.write(
  `${Object.entries(environment())
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n\n`,
);
let failed = 0;
for (const experiment of EXPERIMENTS) {
  if (positionals.length > 0 && !positionals.includes(experiment.name)) continue;
  process.stdout.write(`${experiment.name}: ${experiment.question}\n`);
  const table = await experiment.run(values.full ? 'full' : 'quick', (progress) => process.stderr.write(`  ${progress}\n`));
  process.stdout.write(`${textTable(table)}\n`);
  failed += table.failedGates.length;
}
process.exit(failed === 0 ? 0 : 1);
