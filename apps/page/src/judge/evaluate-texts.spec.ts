import { describe, expect, it } from 'vitest';
import { WorkPerformer } from '#runner/in-process';
import { FIRST_TEXTS } from '../state/first-texts.ts';
import { evaluateTexts } from './evaluate-texts.ts';
import type { Texts } from '../state/texts.ts';

async function objectsOf(texts: Texts) {
  const settings = { signal: new AbortController().signal, progress: () => undefined, alive: () => undefined, tellPart: () => undefined };
  const { objects } = await evaluateTexts(new WorkPerformer(), { texts, minor: '1.37' }, settings);
  return objects;
}

describe('the report on an object', () => {
  it('names the rule that rejects it, and the line of the rule', async () => {
    const [refused, accepted] = await objectsOf(FIRST_TEXTS);
    const line = FIRST_TEXTS.definitions.split('\n').findIndex((text) => text.includes('- rule: self.minReplicas')) + 1;
    expect(refused).toMatchObject({
      outcome: 'rejected',
      failedRules: [{ rule: 'self.minReplicas <= self.replicas', pane: 'definitions', at: { line, column: 25 } }],
    });
    expect(accepted).toMatchObject({ outcome: 'accepted', failedRules: [] });
  });

  it('finds rules of a definition in the editor of objects', async () => {
    const { definitions, objects } = FIRST_TEXTS;
    const [refused] = await objectsOf({ ...FIRST_TEXTS, definitions: '', objects: `${objects}---\n${definitions}` });
    const line = objects.split('\n').length + 1 + definitions.split('\n').findIndex((text) => text.includes('- rule: self.minReplicas'));
    expect(refused?.failedRules).toEqual([{ rule: 'self.minReplicas <= self.replicas', pane: 'objects', at: { line, column: 25 } }]);
  });
});
