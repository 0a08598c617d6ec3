import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LATEST_MINOR, MINORS, previewOf } from '#kube';

const ROOT = resolve(import.meta.dirname, '../../..');
const PREVIEWS = MINORS.filter((minor) => previewOf(minor) !== undefined);
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it.each(['README.md', 'apps/library/README.md', 'action.yml', 'editors/vscode/package.json'])(
  '%s names the first and the last released Kubernetes version, and the previews',
  (file) => {
    const ranges = [...textOf(file).matchAll(/(\d\.\d+) (?:to|…) (\d\.\d+)/g)];
    expect(ranges.length).toBeGreaterThan(0);
    for (const [range, first, last] of ranges) expect([range, first, last]).toEqual([range, MINORS[0], LATEST_MINOR]);
    expect(PREVIEWS.filter((minor) => !textOf(file).includes(minor))).toEqual([]);
  },
);

it.each(['README.md', 'docs/explanation/versions.md'])("%s describes the previews as the code's list of versions does", (file) => {
  const named = [...textOf(file).matchAll(/\b1\.\d+\.\d+-(?:alpha|beta|rc)\.\d+/g)].map(([name]) => name);
  expect(new Set(named)).toEqual(new Set(PREVIEWS.map((minor) => previewOf(minor))));
});

it('the editor extension validates for the newest released Kubernetes version by default', () => {
  const { contributes } = JSON.parse(textOf('editors/vscode/package.json')) as {
    contributes: { configuration: { properties: Record<string, { default?: unknown }> } };
  };
  expect(contributes.configuration.properties['assay.kubernetesVersions']?.default).toEqual([LATEST_MINOR]);
});
