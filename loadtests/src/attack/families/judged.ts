import { definitionOf } from '../../../../testing/hostile-definitions.ts';
import type { Attack } from '../attack.ts';
import { posted } from '../send.ts';
import type { Expected } from '../send.ts';

/** Returns a definition of the kind `Widget` with the given schema for `spec`. */
export const definitionWith = (spec: string): string => definitionOf(spec);

/** Properties of the schema that {@link ruled} uses: values from which rules can compute larger values. */
const VALUES = [
  '"s":{"type":"string","maxLength":3000}',
  '"t":{"type":"string","maxLength":3000}',
  '"l":{"type":"array","maxItems":1000,"items":{"type":"integer"}}',
  '"m":{"type":"object","maxProperties":100,"additionalProperties":{"type":"string","maxLength":100}}',
].join(',');

/**
 * Returns an envelope with a definition of the kind `Widget` and one widget. `schema` is the schema of the field `spec`, and `spec` is the
 * value of this field in the widget.
 */
export const widgetBatch = (schema: string, spec: string): string =>
  `{"definitions":[${definitionWith(schema)}],"objects":[{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"b"},"spec":${spec}}]}`;

/**
 * Returns an envelope with a definition that has one rule, and one object for it. `s`, `t` and a list `l` of `items` integers are fields of
 * the object's spec. `message` is the rule's messageExpression; none if empty.
 */
export function ruled(rule: string, { s = 'abc', t = 'a+b', items = 200, message = '' } = {}): string {
  const list = Array.from({ length: items }, (_, i) => i);
  const more = message === '' ? '' : `,"messageExpression":${JSON.stringify(message)}`;
  const spec = `{"type":"object","properties":{${VALUES}},"x-kubernetes-validations":[{"rule":${JSON.stringify(rule)}${more}}]}`;
  return widgetBatch(spec, JSON.stringify({ s, t, l: list, m: { a: 'b' } }));
}

/** Allowed status codes for a long request: 200 for an answer, and 408 or 503 for a deadline that passed before the answer. */
export const IN_TIME_OR_NOT: readonly number[] = [200, 408, 503];

/** Returns an attack that validates an object against a rule. The answer must contain a verdict unless the deadline passes. */
export const judged = (name: string, rule: () => string, values: Parameters<typeof ruled>[1] = {}, expected: Expected = {}): Attack =>
  posted(name, '/evaluate', ['json', () => ruled(rule(), values)], IN_TIME_OR_NOT, { says: /"items":\[/, ...expected });
