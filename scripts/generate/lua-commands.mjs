// Bundles libs/jobs/src/bullmq/lua/*.lua, one command a file, into the TypeScript module that sends them: npm run tool -- lua.
// --check fails where the module is not what the files give.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../libs/jobs/src/bullmq/lua/bundle.ts';
import { programArguments } from '../../testing/program-arguments.ts';

const USAGE = `usage: npm run tool -- lua [--check]

--check: writes nothing, and fails if the module is not what the files give.
`;
const { check } = programArguments(USAGE, { check: { type: 'boolean', default: false } }).values;
process.chdir(join(import.meta.dirname, '../..'));
const folder = 'libs/jobs/src/bullmq/lua';
const target = join(folder, 'commands.ts');
const text = bundle(folder);
if (check) {
  if (readFileSync(target, 'utf8') === text) process.exit(0);
  console.error(`${target} is not what ${folder}/*.lua give: npm run tool -- lua`);
  process.exit(1);
}
writeFileSync(target, text);
