import { describe, expect, it } from 'vitest';
import { definitionText } from '#documents';
import { Cancelled, utf8Bytes } from '#go';
import { defaultGates, MINORS } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DefinitionCache } from './definition-cache.ts';
import { judgeEach, judgeText } from './judge-definition.ts';

/** Definition with two rules. The estimated cost of one rule depends on the minor version. */
const DEFINITION = customDefinition({
  kind: 'Route',
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { name: { type: 'string', maxLength: 63 } },
        'x-kubernetes-validations': [{ rule: 'has(self.name)' }, { rule: '[self.name][0] == self.name' }],
      },
    },
  },
});
const HOW = { rules: true, asSent: false, fieldValidation: 'Warn' } as const;

const texts = MINORS.map((minor) => {
  const slice = { bytes: utf8Bytes(JSON.stringify(DEFINITION)), notation: 'json' } as const;
  return definitionText(slice, { minor, gates: defaultGates(minor) });
});

describe('a definition validated for several servers', () => {
  it('gets the same verdicts as with separate validations', () => {
    expect(judgeEach(texts, HOW, new DefinitionCache(), { cancelled: false })).toEqual(
      texts.map((text) => judgeText(text, HOW, new DefinitionCache())),
    );
  });

  it('gets one shared report for neighbouring versions with equal results', () => {
    const lists = judgeEach(texts, HOW, new DefinitionCache(), { cancelled: false }).map(({ rules }) => rules ?? []);
    expect(new Set(lists).size).toBeGreaterThan(1);
    expect(new Set(lists).size).toBeLessThan(MINORS.length);
    const [plain, priced] = [0, 1].map((i) => new Set(lists.map((rules) => rules[i])).size);
    expect(plain).toBe(1);
    expect(priced).toBeGreaterThan(1);
  });

  it('stops when it is cancelled', () => {
    let polls = 0;
    const token = {
      get cancelled() {
        return ++polls > 3;
      },
    };
    expect(() => judgeEach(texts, HOW, new DefinitionCache(), token)).toThrow(Cancelled);
  });
});
