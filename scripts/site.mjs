// Writes the page and the manual as static files that any host can serve from any path. After the first load, they work without the host.
//   npm run site -- --out DIR
import { resolve } from 'node:path';
import { buildPage, PAGE } from './page.mjs';
import { programArguments } from '../testing/program-arguments.ts';

const { values } = programArguments('usage: npm run site -- [--out DIR]\n', { out: { type: 'string', default: PAGE } });
const folder = resolve(process.env.INIT_CWD ?? '.', values.out);
const sizes = await buildPage(folder, { alone: true });
for (const [name, bytes] of Object.entries(sizes)) console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1)} KiB compressed`);
console.log(`The page is in ${folder}`);
