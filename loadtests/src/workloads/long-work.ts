import type { JsonObject } from '#go';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';
import { parsed } from './judging.ts';

/** Kinds of work that take long enough to be stopped before their end. */
export type LongWork = 'deep equality' | 'one long list' | 'pattern in a rule' | 'parse and walk of 3 MB';

const RULES: Readonly<Record<LongWork, string>> = {
  'deep equality': DEEP_EQUALITY,
  'one long list': 'self.list.map(a, a * 2).filter(a, a >= 0).size() >= 0',
  'pattern in a rule': "self.texts.all(t, t.matches('^(a+)+$') || true)",
  'parse and walk of 3 MB': 'true',
};

/**
 * Returns a definition whose rule does the given kind of work on {@link probeObject}. The bounds keep the static estimate below the
 * server's limit.
 */
export function probeDefinition(kind: LongWork): JsonObject {
  const schema = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: RULES[kind] }],
    properties: {
      list: { type: 'array', maxItems: 250_000, items: { type: 'integer' } },
      lists: LISTS,
      texts: { type: 'array', maxItems: 300, items: { type: 'string', maxLength: 10_000 } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  return parsed(customDefinition({ group: 'probes.assay.example.com', kind: 'Probe', scope: 'Cluster', schema }));
}

/** Returns the JSON text of an object that keeps the rule, or the JSON reader, busy. */
export function probeObject(kind: LongWork): string {
  return `{"apiVersion":"probes.assay.example.com/v1","kind":"Probe","metadata":{"name":"long"},${content(kind)}}`;
}

function content(kind: LongWork): string {
  switch (kind) {
    case 'deep equality':
      return `"lists":${JSON.stringify(equalLists(1000))}`;
    case 'one long list':
      return `"list":[${Array.from({ length: 250_000 }, () => 7).join(',')}]`;
    case 'pattern in a rule':
      return `"texts":[${Array.from({ length: 300 }, () => `"${'a'.repeat(9_999)}b"`).join(',')}]`;
    case 'parse and walk of 3 MB':
      return `"free":{"list":[${'{"a":1},'.repeat(380_000)}{}]}`;
  }
}
