import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LATEST_MINOR, MINORS } from '#kube';

const ROOT = resolve(import.meta.dirname, '../../..');

it.each(['README.md', 'apps/library/README.md', 'action.yml', 'editors/vscode/package.json'])(
  '%s names the first and the last minor of the list',
  (file) => {
    const ranges = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(\d\.\d+) (?:to|…) (\d\.\d+)/g)];
    expect(ranges.length).toBeGreaterThan(0);
    for (const [range, first, last] of ranges) expect([range, first, last]).toEqual([range, MINORS[0], LATEST_MINOR]);
  },
);

it('the editor offers the newest minor', () => {
  const { contributes } = JSON.parse(readFileSync(join(ROOT, 'editors/vscode/package.json'), 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { default?: unknown }> } };
  };
  expect(contributes.configuration.properties['assay.kubernetesVersions']?.default).toEqual([LATEST_MINOR]);
});
