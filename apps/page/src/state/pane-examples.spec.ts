import { describe, expect, it } from 'vitest';
import { WorkPerformer } from '#runner/in-process';
import { evaluateTexts } from '../judge/evaluate-texts.ts';
import { FIRST_TEXTS } from './first-texts.ts';
import { paneExample } from './pane-examples.ts';
import type { Pane, Texts } from './texts.ts';

async function evaluated(texts: Texts) {
  const settings = { signal: new AbortController().signal, progress: () => undefined, alive: () => undefined, reportPart: () => undefined };
  return evaluateTexts(new WorkPerformer(), { texts, minor: '1.37' }, settings);
}
const withExample = (pane: Pane): Texts => ({ ...FIRST_TEXTS, [pane]: paneExample(pane, FIRST_TEXTS) });

describe('the example that the page inserts into an editor', () => {
  it('makes a policy refuse one more object of the first example', async () => {
    const { policies, objects } = await evaluated(withExample('policies'));
    expect(policies.map(({ outcome, warnings }) => [outcome, warnings])).toEqual([
      ['accepted', []],
      ['accepted', []],
    ]);
    expect(objects.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
    expect(objects[1]?.message).toContain('a widget needs at least one tag');
  });

  it('makes one object of the first example an update of a stored object', async () => {
    const { objects } = await evaluated(withExample('old'));
    expect(objects.map(({ isUpdate }) => isUpdate)).toEqual([true, false]);
  });

  it('is a copy of the definition in the editor for the changed definition', () => {
    expect(paneExample('changed', { definitions: 'kind: Mine' })).toBe('kind: Mine');
    expect(paneExample('changed', { definitions: '' })).toBe(FIRST_TEXTS.definitions);
  });
});
