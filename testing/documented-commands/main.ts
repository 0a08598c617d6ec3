import { programArguments } from '../program-arguments.ts';
import { documentedCommands } from './documented-pages.ts';
import { tableOfRuns } from './plan-run.ts';

const USAGE = `usage: npm run --silent tool -- documented-commands

Prints each command of README.md and docs/, where it is, and whether CI runs it: if not, why.
`;
programArguments(USAGE, {});
process.stdout.write(tableOfRuns(documentedCommands()));
