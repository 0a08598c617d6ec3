// Creates everything that a release publishes, from the commit of a tag: artefacts, SHA256SUMS, and RELEASE.md with the notes.
//   npm run release -- --out DIR [--tag vX.Y.Z] [--draft] [--parts PART,…] [--allow-missing]
// `--draft` accepts any state of the project, and the notes state that. A part that cannot be created here is reported, and fails the
// command without `--allow-missing`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { changelogSection } from './changelog-section.ts';
import { makeParts, PARTS } from './parts.ts';
import type { PartName } from './parts.ts';
import { describeFile, releaseNotes, sumsFile } from './release-notes.ts';
import { commitOf, stateFaults } from './state-faults.ts';

const root = join(import.meta.dirname, '../..');
const NAMES = Object.keys(PARTS) as PartName[];
const USAGE = `usage: npm run release -- --out DIR [--tag vX.Y.Z] [--draft] [--parts PART,…] [--allow-missing]
Parts: ${NAMES.join(', ')}
`;
const { values } = programArguments(USAGE, {
  out: { type: 'string' },
  tag: { type: 'string' },
  draft: { type: 'boolean', default: false },
  parts: { type: 'string', default: NAMES.join(',') },
  'allow-missing': { type: 'boolean', default: false },
});
if (values.out === undefined) wrongArguments('--out is missing: the folder that the artefacts are written to', USAGE);
const wanted = values.parts.split(',').filter((name) => name !== '');
const unknown = wanted.filter((name) => !(NAMES as string[]).includes(name));
if (unknown.length > 0 || wanted.length === 0) wrongArguments(`--parts ${JSON.stringify(values.parts)}: names of parts are wanted`, USAGE);
const out = resolve(process.env['INIT_CWD'] ?? '.', values.out);
if (existsSync(out) && readdirSync(out).length > 0) wrongArguments(`--out ${values.out}: the folder has files in it`, USAGE);
process.exitCode = await release();

/** Builds the release, and returns the exit status. */
async function release(): Promise<number> {
  const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
    repository: { url: string };
  };
  const tag = values.tag ?? `v${version}`;
  const faults = stateFaults(root, version, tag);
  if (!values.draft && faults.length > 0) {
    for (const fault of faults) console.error(fault);
    console.error('Nothing was made. With --draft, a release is made of any state.');
    return 1;
  }
  mkdirSync(out, { recursive: true });
  const { files, missing } = await makeParts({ root, out, version }, new Set(wanted));
  const described = files.map(({ name, meaning }) => describeFile(out, name, meaning));
  writeFileSync(join(out, 'SHA256SUMS'), sumsFile(described));
  const changes = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, values.draft);
  const home = repository.url.replace(/^git\+|\.git$/g, '');
  writeFileSync(
    join(out, 'RELEASE.md'),
    releaseNotes({
      version,
      tag,
      home,
      commit: commitOf(root),
      changes,
      files: described,
      missing,
      draft: values.draft ? faults : undefined,
    }),
  );
  for (const { name, bytes } of described) console.log(`${name.padEnd(40)} ${(bytes / 1024).toFixed(1)} KiB`);
  for (const { name, why } of missing) console.error(`SKIPPED: ${name}: ${why}`);
  console.log(out);
  return missing.length > 0 && !values['allow-missing'] ? 1 : 0;
}
