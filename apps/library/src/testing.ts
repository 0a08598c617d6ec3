import { compileDefinition, CompiledDefinition } from './definition.ts';
import { validateObject } from './validate-object.ts';
import type { Document, Verdict, WriteOptions } from './types.ts';

/** Result of a matcher of Vitest or Jest. */
export interface MatcherAnswer {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for `expect.extend`: `expect(crd).toAccept(object)`, `expect(crd).toReject(object, /must be positive/)`. The argument of
 * `expect` is a definition as text, bytes or plain value, or a compiled definition. If the server refuses the definition, neither matcher
 * passes.
 *
 * @example
 *     import { matchers } from '@assay-dev/assay/testing';
 *     expect.extend(matchers);
 */
export const matchers = {
  toAccept(definition: Document | CompiledDefinition, object: Document, options?: WriteOptions): MatcherAnswer {
    const verdict = verdictOf(definition, object, options);
    if (typeof verdict === 'string') return refusedDefinition(verdict);
    const { outcome, status } = verdict;
    return {
      pass: outcome === 'accepted',
      message: () =>
        status === undefined
          ? 'expected the server to refuse the object, and it accepts it'
          : `expected the server to accept the object: ${status.message}`,
    };
  },

  toReject(definition: Document | CompiledDefinition, object: Document, expected?: string | RegExp, options?: WriteOptions): MatcherAnswer {
    const verdict = verdictOf(definition, object, options);
    if (typeof verdict === 'string') return refusedDefinition(verdict);
    const text = verdict.status?.message ?? '';
    const fits = expected === undefined || (typeof expected === 'string' ? text.includes(expected) : expected.test(text));
    return {
      pass: verdict.outcome === 'rejected' && fits,
      message: () =>
        verdict.outcome === 'accepted'
          ? 'expected the server to refuse the object, and it accepts it'
          : `expected the server${fits ? ' not' : ''} to refuse the object${expected === undefined ? '' : ` with ${String(expected)}`}: ${text}`,
    };
  },
};

const refusedDefinition = (why: string): MatcherAnswer => ({ pass: false, message: () => `the server refuses the definition: ${why}` });

/**
 * Cache of the definitions that matchers have compiled. Plain values and bytes are cached by identity. Of the definitions in text form,
 * only the last one is cached.
 */
const compiled = new WeakMap<object, CompiledDefinition>();
let lastText: { readonly text: string; readonly definition: CompiledDefinition } | undefined;

/** Returns the verdict on an object. If the server refuses the definition, returns the reason as text. */
function verdictOf(given: Document | CompiledDefinition, object: Document, options?: WriteOptions): Verdict | string {
  const definition = given instanceof CompiledDefinition ? given : compiledFrom(given);
  return typeof definition === 'string' ? definition : validateObject(definition, object, options);
}

function compiledFrom(document: Document): CompiledDefinition | string {
  const known = typeof document === 'string' ? (lastText?.text === document ? lastText.definition : undefined) : compiled.get(document);
  if (known !== undefined) return known;
  const outcome = compileDefinition(document);
  if (!outcome.ok) return outcome.status.message;
  if (typeof document === 'string') lastText = { text: document, definition: outcome.definition };
  else compiled.set(document, outcome.definition);
  return outcome.definition;
}

/** Plain value in an object that a test uses. In the argument `change` of a {@link fixture} function, null removes a field. */
export type FixtureValue = null | boolean | number | string | readonly FixtureValue[] | { readonly [key: string]: FixtureValue };

/** Fields of a test object. As the argument `change` of a {@link fixture} function, it contains only the fields to replace. */
export interface FixtureFields {
  readonly [key: string]: FixtureValue;
}

/**
 * Returns a function that creates objects which differ from a base object in a few fields. A change is a JSON merge patch (RFC 7386). The
 * base object is not modified.
 *
 * @example
 *     const widget = fixture({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } });
 *     expect(crd).toReject(widget({ spec: { size: -1 } }), 'should be greater than or equal to 0');
 */
export function fixture(base: FixtureFields): (change?: FixtureFields) => FixtureFields {
  return (change = {}) => merged(structuredClone(base), change) as FixtureFields;
}

function merged(target: FixtureValue, change: FixtureValue): FixtureValue {
  if (!isFields(change)) return change;
  const fields: Record<string, FixtureValue> = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete fields[key];
    else fields[key] = merged(fields[key] ?? null, value);
  }
  return fields;
}

const isFields = (value: FixtureValue): value is FixtureFields => typeof value === 'object' && value !== null && !Array.isArray(value);
