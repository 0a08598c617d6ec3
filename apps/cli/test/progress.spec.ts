import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { progressText } from '../src/report/print.ts';
import { ASSAY } from './assay-process.ts';

it('the progress bar shows the share of finished work, or a count if the total is unknown', () => {
  expect(progressText(0, 'objects judged', 200)).toBe(`[${' '.repeat(30)}] 0 of 200 objects judged`);
  expect(progressText(100, 'objects judged', 200)).toBe(`[${'='.repeat(15)}${' '.repeat(15)}] 100 of 200 objects judged`);
  expect(progressText(7, 'files read', undefined)).toBe('7 files read');
});

it('no progress bar is written if standard error is no terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-progress-'));
  try {
    const schema = { type: 'object', properties: { size: { type: 'integer' } } };
    writeFileSync(join(folder, 'crd.json'), JSON.stringify(customDefinition({ kind: 'Widget', schema })));
    const lines = Array.from({ length: 3000 }, (_, i) =>
      JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: `w${i}` }, size: i }),
    );
    writeFileSync(join(folder, 'widgets.ndjson'), lines.join('\n'));
    const { stderr, stdout, status } = spawnSync(process.execPath, [ASSAY, 'evaluate', folder], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toContain('Accepted: 3000');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
