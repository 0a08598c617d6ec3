import { utf8Bytes } from '#go';
import { defaultGates } from '#kube';
import type { Minor } from '#kube';
import { nodeEngine } from '#runner/linker';
import { expect } from 'vitest';
import { compileStoredDefinition } from '../definition/compile-definition.ts';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectWrite, ValidationOptions } from '../verdict.ts';
import { widgetDefinition } from './definition-fixture.ts';
import { verdictText } from './outcomes.ts';

/** Options without effective cost limits for rules. */
export const UNLIMITED: ValidationOptions = { costLimit: Number.MAX_SAFE_INTEGER, budget: Number.MAX_SAFE_INTEGER };

/**
 * Returns the compiled definition of widgets; `spec` is the schema of their specs. The engine `compiled` generates the reader for the first
 * object.
 */
export function widgetWithSpec(spec: object, minor: Minor = '1.37'): CompiledDefinition {
  const outcome = compileStoredDefinition(widgetDefinition(spec), {
    minor,
    gates: defaultGates(minor),
    engine: nodeEngine('compiled'),
  });
  if (!outcome.ok) throw new Error(outcome.status.message);
  return outcome.definition;
}

/** Returns the JSON text of a widget. `spec` is the text of the spec's fields. */
export const widgetText = (spec: string): string =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"one"},"spec":{${spec}}}`;

/** Returns a create request with `text` as its body. */
export const widgetWrite = (text: Uint8Array | string): ObjectWrite => ({
  operation: 'CREATE',
  body: text,
  contentType: 'application/json',
  fieldValidation: 'Warn',
});

/**
 * Computes the verdict on a body. Returns what produced the verdict: a reader with lists in columns, a reader without columns, or the exact
 * validation. Checks that the exact validation returns the same verdict for the body as text. A body that is passed as text is always
 * validated exactly.
 */
export function judgedAlike(
  definition: CompiledDefinition,
  text: string,
  options: ValidationOptions = UNLIMITED,
): 'columns' | 'reader' | 'exactly' {
  const verdict = validateObject(definition, widgetWrite(utf8Bytes(text)), { ...options, timings: true });
  const isLater = !('cancelled' in verdict) && verdict.accepted && holdsAccessor(verdict.object['spec']);
  expect(verdictText(verdict)).toBe(verdictText(validateObject(definition, widgetWrite(text), options)));
  if ('cancelled' in verdict || verdict.phases !== undefined) return 'exactly';
  return isLater ? 'columns' : 'reader';
}

/**
 * Returns true if a value, or a value inside it, has an accessor property. The generated reader defines accessors for lists that it parses
 * only when they are accessed.
 */
const holdsAccessor = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(Object.getOwnPropertyDescriptors(value)).some((field) => !('value' in field) || holdsAccessor(field.value));
