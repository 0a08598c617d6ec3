// Builds the image of the service and the command line without a container engine, and prints its digest and the file's path.
//   npm run image -- [--out FILE.tar] [--tag NAME:TAG]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { buildImage } from './build-image.ts';

const root = join(import.meta.dirname, '../..');
const USAGE = 'usage: npm run image -- [--out FILE.tar] [--tag NAME:TAG]\n';
const { values } = programArguments(USAGE, {
  out: { type: 'string', default: join(root, 'dist/image/assay.tar') },
  tag: { type: 'string', default: 'assay:latest' },
});
if (!/^[a-z0-9][\w./:-]*:[\w][\w.-]{0,127}$/.test(values.tag))
  wrongArguments(`--tag ${JSON.stringify(values.tag)}: a name and a tag are wanted, such as assay:latest`, USAGE);
const out = resolve(process.env['INIT_CWD'] ?? '.', values.out);
const { bytes, digest } = await buildImage(root, values.tag);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, bytes);
console.log(digest);
console.log(out);
