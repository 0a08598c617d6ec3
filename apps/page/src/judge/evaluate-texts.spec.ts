import { describe, expect, it } from 'vitest';
import { WorkPerformer } from '#runner/in-process';
import { FIRST_TEXTS } from '../state/first-texts.ts';
import { evaluateTexts } from './evaluate-texts.ts';
import type { Texts } from '../state/texts.ts';

async function objectsOf(texts: Texts) {
  const { objects } = await evaluated(texts);
  return objects;
}

function evaluated(texts: Texts) {
  const settings = { signal: new AbortController().signal, progress: () => undefined, alive: () => undefined, reportPart: () => undefined };
  return evaluateTexts(new WorkPerformer(), { texts, minor: '1.37' }, settings);
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

  it('finds the rule of a definition that is in the editor of objects', async () => {
    const { definitions, objects } = FIRST_TEXTS;
    const [refused] = await objectsOf({ ...FIRST_TEXTS, definitions: '', objects: `${objects}---\n${definitions}` });
    const line = objects.split('\n').length + 1 + definitions.split('\n').findIndex((text) => text.includes('- rule: self.minReplicas'));
    expect(refused?.failedRules).toEqual([{ rule: 'self.minReplicas <= self.replicas', pane: 'objects', at: { line, column: 25 } }]);
  });

  it('does not repeat the error of a refused definition', async () => {
    const definitions = FIRST_TEXTS.definitions.replace('<= self.replicas', '<= self.replicaz');
    const found = await evaluated({ ...FIRST_TEXTS, definitions });
    const title = 'CustomResourceDefinition widgets.example.com';
    expect(found.definitions[0]?.findings[0]?.message).toBe("compilation failed: undefined field 'replicaz'");
    for (const object of found.objects)
      expect(object).toMatchObject({
        outcome: 'notEvaluated',
        refusedDefinition: { title, pane: 'definitions', line: 1 },
        findings: [{ severity: 'note', message: 'not judged: its definition is refused' }],
      });
  });

  it('has a title of the same form, whether or not a server accepts the object', async () => {
    const inShop = FIRST_TEXTS.objects.replace('{ name: second }', '{ name: second, namespace: shop }');
    const titles = async (texts: Texts) => (await objectsOf(texts)).map(({ title }) => title);
    expect(await titles(FIRST_TEXTS)).toEqual(['Widget first', 'Widget second']);
    expect(await titles({ ...FIRST_TEXTS, objects: inShop })).toEqual(['Widget first', 'Widget shop/second']);
    expect(await titles({ ...FIRST_TEXTS, definitions: '', objects: inShop })).toEqual(['Widget first', 'Widget shop/second']);
  });

  it('leads to the line of a syntax error, even if the server names another line', async () => {
    const broken = 'kind: CustomResourceDefinition\nmetadata:\n  name: a\n spec:\n  group: b\n';
    const [first] = await objectsOf({ ...FIRST_TEXTS, definitions: broken, objects: '' });
    expect(first).toMatchObject({
      isUnread: true,
      title: 'A document of Definitions',
      findings: [{ at: { line: 4 } }, { at: { line: 4 } }],
    });
    expect(first?.findings[1]?.message).toBe('the error is in this line, although the server names line 3');
    const [, second] = await objectsOf({ ...FIRST_TEXTS, definitions: '', objects: `kind: A\n---\n${broken}` });
    expect(second).toMatchObject({ isUnread: true, title: 'Object 2', findings: [{ at: { line: 6 } }, { at: { line: 6 } }] });
  });
});
