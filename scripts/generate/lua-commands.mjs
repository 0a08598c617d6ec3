// Bundles libs/jobs/src/bullmq/lua/*.lua, with one command per file, into a TypeScript module. Prints the module as a JSON list with one
// text.
import { join } from 'node:path';
import { bundle } from '../../libs/jobs/src/bullmq/lua/bundle.ts';
import { programArguments } from '../../testing/program-arguments.ts';

programArguments('usage: node --conditions=source scripts/generate/lua-commands.mjs\n', {});
console.log(JSON.stringify([bundle(join(import.meta.dirname, '../../libs/jobs/src/bullmq/lua'))]));
