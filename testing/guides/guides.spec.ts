import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProjectCopy } from '../project-copy.ts';
import { thorough } from '../thorough.ts';
import { GUIDE_EXAMPLES } from './guide-examples.ts';
import type { Change } from './guide-examples.ts';

const GUIDES = join(import.meta.dirname, '../../docs/contributing');
/** Guides without an example that can be added to the project. */
const WITHOUT_EXAMPLE = ['add-a-minor.md'];

/** Returns the blocks of TypeScript and of text in a guide, without their indentation. */
function blocksOf(guide: string): string[] {
  const text = readFileSync(join(GUIDES, guide), 'utf8');
  return [...text.matchAll(/^( *)```(?:ts|text)\n([^]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Makes one change of an example to a copy of the project. Throws if the anchor is missing. */
function make(folder: string, change: Change): void {
  const file = join(folder, change.file);
  if ('content' in change) {
    if (existsSync(file)) throw new Error(`${change.file} exists already`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, change.content);
    return;
  }
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf(change.before);
  if (at < 0) throw new Error(`${change.file} does not contain ${JSON.stringify(change.before)}`);
  writeFileSync(file, text.slice(0, at) + change.insert + text.slice(at));
}

it('all guides that add something have an example here, or are known to have none', () => {
  const guides = readdirSync(GUIDES).filter((name) => name.startsWith('add-'));
  expect([...GUIDE_EXAMPLES.map(({ guide }) => guide), ...WITHOUT_EXAMPLE].toSorted()).toEqual(guides.toSorted());
});

it('examples refer to code that exists', () => {
  for (const { guide, changes } of GUIDE_EXAMPLES)
    for (const change of changes(blocksOf(guide))) {
      const text = 'content' in change ? change.content : change.insert;
      expect(text.trim(), `${guide}: ${change.file}`).not.toBe('');
      const file = join(import.meta.dirname, '../..', change.file);
      if ('before' in change) expect(readFileSync(file, 'utf8'), guide).toContain(change.before);
      else expect(existsSync(file), `${guide}: ${change.file} is new`).toBe(false);
    }
});

describe.runIf(thorough)('the examples of all guides, in a copy of the project', () => {
  let copy: ProjectCopy;
  beforeAll(() => {
    copy = new ProjectCopy();
    spawnSync('git', ['init', '-q'], { cwd: copy.folder });
    for (const { guide, changes } of GUIDE_EXAMPLES) for (const change of changes(blocksOf(guide))) make(copy.folder, change);
  });
  afterAll(() => copy.remove());

  it('agree with the types of the project', async () => {
    const { status, stdout } = await copy.run('node scripts/types.mjs');
    expect([stdout, status]).toEqual(['', 0]);
  });

  it('appear in the generated pages', async () => {
    const { status, stderr } = await copy.run('node --conditions=source scripts/docs.mjs');
    expect([stderr, status]).toEqual(['', 0]);
    const page = (name: string): string => readFileSync(join(copy.folder, 'docs/reference', `${name}.md`), 'utf8');
    expect(page('functions')).toContain('sets.disjoint');
    expect(page('keywords')).toContain('maxTerms');
    expect(page('advice')).toContain('constant-rule');
    expect(page('settings')).toContain('ASSAY_HEADERS_MS');
  });

  it.each(GUIDE_EXAMPLES)('$guide: the specs that the guide names pass', async ({ specs }) => {
    const { status, stdout, stderr } = await copy.run(`vitest run --reporter=dot ${specs.join(' ')}`);
    expect([status === 0 ? '' : `${stdout}\n${stderr}`.slice(-4000), status]).toEqual(['', 0]);
  });
});
