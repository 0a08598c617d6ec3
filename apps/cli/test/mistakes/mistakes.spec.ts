import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAssay } from '../../../../testing/run-assay.ts';
import { MISTAKES } from './cases.ts';

describe('mistakes from public reports', () => {
  it('are ten in number', () => expect(new Set(MISTAKES.map(({ issue }) => issue)).size).toBe(10));

  it.each(MISTAKES.map((one) => [one.issue, one] as const))(
    'get the expected output and status: %s',
    async (_, { files, argv, status, says }) => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-mistake-'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      const assay = await runAssay(argv.map((argument) => (argument in files ? join(folder, argument) : argument)));
      const output = assay.stdout.replaceAll(`${folder}/`, '').replaceAll(folder.slice(1) + '/', '');
      let rest = output;
      for (const part of says) {
        expect(rest).toContain(part);
        rest = rest.slice(rest.indexOf(part) + part.length);
      }
      expect([assay.status, assay.stderr.includes('internal error')]).toEqual([status, false]);
    },
  );
});
