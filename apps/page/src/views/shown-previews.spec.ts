import { h, render } from 'preact';
import type { ComponentType } from 'preact';
import { parseHTML } from 'linkedom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINORS, minorWords, previewNotice, previewOf } from '#kube';
import type { VersionMatrix } from '#service';
import type { PageSession } from '../state/page-session.ts';
import { VersionStrip } from './version-strip.tsx';
import { VersionsView } from './versions-view.tsx';

const PREVIEWS = MINORS.filter((minor) => previewOf(minor) !== undefined);
const NEWEST = MINORS.at(-1) ?? '';

beforeEach(() => {
  const { document } = parseHTML('<!doctype html><html><body><main></main></body></html>');
  vi.stubGlobal('document', document);
});
afterEach(() => {
  render(null, document.querySelector('main') as HTMLElement);
  vi.unstubAllGlobals();
});

/** Renders a view of a page whose second worker answers every request with a matrix. Returns the element that contains the view. */
function shown(view: ComponentType<{ readonly session: PageSession }>, matrix: VersionMatrix, isWide = true): HTMLElement {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  const besides = { ask: () => Promise.resolve({ kind: 'answered', answer: matrix }) };
  const session = { state: { minor: MINORS[0], texts: { definitions: 'x' } }, judgement: { state: 'done' }, besides };
  const root = document.querySelector('main') as HTMLElement;
  render(h(view, { session: session as unknown as PageSession }), root);
  return root;
}

const texts = (root: HTMLElement, selector: string): string[] => [...root.querySelectorAll(selector)].map((one) => one.textContent ?? '');
const titles = (root: HTMLElement, selector: string): (string | null)[] =>
  [...root.querySelectorAll(selector)].map((one) => one.getAttribute('title'));
const same: VersionMatrix = { minors: MINORS, definitions: [], objects: [] };
/** Matrix with one definition, which only the newest minor version refuses. */
const changing: VersionMatrix = {
  ...same,
  definitions: [
    {
      name: 'widgets.example.com',
      accepted: Object.fromEntries(MINORS.map((minor) => [minor, minor !== NEWEST])),
      messages: {},
      warnings: {},
      changingRules: [],
      changes: true,
    },
  ],
};

it('the selector of versions marks previews, and names their release', () => {
  const root = shown(VersionStrip, same);
  expect(titles(root, 'button')).toEqual(MINORS.map((minor) => `Kubernetes ${minorWords(minor)}`));
  expect(texts(root, 'button small')).toEqual(PREVIEWS.map(() => ' preview'));
  expect(texts(root, 'button .unseen').filter((text) => text !== '')).toEqual(PREVIEWS.map((one) => `, preview of ${previewOf(one)}`));
});

it('the view of all versions marks previews with equal verdicts', async () => {
  const root = shown(VersionsView, same);
  await expect.poll(() => texts(root, '.empty')).toHaveLength(1);
  expect(texts(root, '.empty')[0]).toContain(`from ${MINORS[0]} to ${minorWords(NEWEST)} give the same`);
  expect(root.textContent?.includes(previewNotice(MINORS) ?? 'preview')).toBe(PREVIEWS.length > 0);
});

it('the view of all versions marks previews with different verdicts, in its table and in its list', async () => {
  const wide = shown(VersionsView, changing);
  await expect.poll(() => texts(wide, 'table')).toHaveLength(1);
  expect(titles(wide, 'thead th')).toEqual(MINORS.map(minorWords));
  expect(wide.textContent?.includes(previewNotice(MINORS) ?? 'preview')).toBe(PREVIEWS.length > 0);
  render(null, wide);
  const narrow = shown(VersionsView, changing, false);
  await expect.poll(() => texts(narrow, 'li')).toHaveLength(2);
  expect(texts(narrow, 'li .muted').at(-1)).toBe(minorWords(NEWEST));
});
