import { programArguments, wholeNumber } from '../../testing/program-arguments.ts';
import { coverageOfDefinitions, coverageOfRandomExpressions } from './generated-coverage.ts';
import { sharedIsHere } from './shared-folder.ts';
import type { GeneratedCoverage } from './generated-coverage.ts';

const USAGE = `usage: npm run tool -- coverage [--show N]

Tells what share of real and random expressions becomes generated code, and what the others lack. --show: so many examples of each.
`;
const { values } = programArguments(USAGE, { show: { type: 'string', default: '0' } });
const examplesShown = wholeNumber('show', values.show, USAGE);
if (!sharedIsHere) {
  process.stdout.write('The real definitions (shared/ beside the project) are not here: nothing was counted.\n');
  process.exit(0);
}
print('real definitions', coverageOfDefinitions());
print('random expressions', await coverageOfRandomExpressions());

function print(name: string, { programs, generated, share, obstacles }: GeneratedCoverage): void {
  process.stdout.write(`${name}: ${generated} of ${programs} programs are generated code (${(100 * share).toFixed(2)} %)\n`);
  for (const [obstacle, { count, examples }] of [...obstacles].sort((a, b) => b[1].count - a[1].count)) {
    process.stdout.write(`    ${count} × ${obstacle}\n`);
    for (const text of examples.slice(0, examplesShown)) process.stdout.write(`        ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}\n`);
  }
}
