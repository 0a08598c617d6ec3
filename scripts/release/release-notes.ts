import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_NAME } from '../../testing/package-name.ts';
import type { Artefact, MissingPart } from './parts.ts';

/** An artefact with its size and its SHA-256 in hexadecimal digits. */
export interface DescribedFile extends Artefact {
  readonly bytes: number;
  readonly sha256: string;
}

/** Data for the release notes. */
export interface ReleaseFacts {
  readonly version: string;
  readonly tag: string;
  /** Address of the repository. */
  readonly home: string;
  readonly commit: string | undefined;
  /** Section of the changelog for this version; undefined if there is none. */
  readonly changes: string | undefined;
  readonly files: readonly DescribedFile[];
  readonly missing: readonly MissingPart[];
  /** Problems with the project's state, for a draft; undefined for a real release, which is made only if there are no problems. */
  readonly draft: readonly string[] | undefined;
}

/** Reads the size and the digest of an artefact. */
export function describeFile(folder: string, name: string, meaning: string): DescribedFile {
  const content = readFileSync(join(folder, name));
  return { name, meaning, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/**
 * Returns the content of a file with the digests of all given files, in the form that `sha256sum --check` reads. The lines are sorted by
 * file name.
 */
export function sumsFile(files: readonly DescribedFile[]): string {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

/**
 * Returns the content of RELEASE.md: changes, artefacts with their digests, and how to verify them. It contains no time, so that the same
 * artefacts produce the same text.
 */
export function releaseNotes(facts: ReleaseFacts): string {
  const { version, tag, home, commit, changes, draft } = facts;
  return [
    `# Assay ${version}`,
    ...(draft === undefined ? [] : [draftWarning(draft)]),
    `Made from ${commit === undefined ? 'an unknown commit' : `commit \`${commit}\``}${draft === undefined ? `, tag \`${tag}\`` : ''}.`,
    '## Changes',
    (changes ?? 'The changelog has no section for this version.').replaceAll('](docs/', `](${home}/blob/${tag}/docs/`),
    '## Artefacts',
    artefactTable(facts.files),
    ...missingParts(facts.missing),
    '## Verify',
    verification(facts),
  ]
    .map((block) => `${block}\n`)
    .join('\n');
}

function draftWarning(faults: readonly string[]): string {
  const lead = '**This is a draft. Do not publish it.**';
  return faults.length === 0 ? lead : `${lead} Its state is not that of a release:\n\n${listOf(faults)}`;
}

function artefactTable(files: readonly DescribedFile[]): string {
  const rows = files.map(({ name, meaning, bytes, sha256 }) => `| \`${name}\` | ${meaning} | ${bytes} | \`${sha256}\` |`);
  return ['| File | Content | Bytes | SHA-256 |', '|---|---|---|---|', ...rows].join('\n');
}

function missingParts(missing: readonly MissingPart[]): string[] {
  if (missing.length === 0) return [];
  return ['## Not in this release', listOf(missing.map(({ name, why }) => `${name}: ${why}`))];
}

function verification({ home, tag }: ReleaseFacts): string {
  const clone = `git clone --branch ${tag} ${home} && cd assay && npm run release -- --out ../again`;
  return [
    'Put `SHA256SUMS` beside the files that you downloaded, and compare:',
    '```sh\nsha256sum --check --ignore-missing SHA256SUMS\n```',
    'All artefacts but the executable have the same bytes when they are made again from the tag, on the same system and with the same npm:',
    `\`\`\`sh\n${clone}\n\`\`\``,
    `Where \`${PACKAGE_NAME}\` was installed from npm, \`npm audit signatures\` checks its provenance: the commit and the job that made it.`,
  ].join('\n\n');
}

const listOf = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
