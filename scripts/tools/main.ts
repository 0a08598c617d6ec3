// Runs a rare command of the project, or lists these commands.
//   npm run tool [-- NAME ARGS]
import { execve } from 'node:process';
import { wrongArguments } from '../../testing/program-arguments.ts';
import { TOOLS } from './table.ts';

const names = Object.keys(TOOLS);
const width = Math.max(...names.map(({ length }) => length));
const USAGE = `usage: npm run tool -- NAME [ARGS]       \`npm run tool -- NAME --help\` tells the arguments of a tool

${names.map((name) => `${name.padEnd(width)}  ${TOOLS[name]?.does}\n`).join('')}`;

const [name, ...given] = process.argv.slice(2);
if (name === undefined || name === '--help' || name === '-h') process.stdout.write(USAGE);
else {
  const tool = TOOLS[name];
  if (tool === undefined) wrongArguments(`there is no tool ${JSON.stringify(name)}`, USAGE);
  const build = tool.runs.startsWith('dist/') ? ['--build'] : [];
  // The tool replaces this process, so that callers see its exit status and signals. Every system with `sh` has `execve`.
  execve?.('scripts/run', ['scripts/run', ...build, ...tool.runs.split(' '), ...given], process.env);
}
