import { goQuote } from '#go';
import { ObjectLiteral } from '#cel';
import type { CelValue } from '#cel';
import { isMadeList, isMadeMap } from './literal-data.ts';

function collect(value: CelValue, expected: string, errors: string[]): void {
  if (value instanceof ObjectLiteral) {
    const { name } = value.celType;
    if (name !== expected) {
      errors.push(
        `unexpected type name ${goQuote(name)}, expected ${goQuote(expected)}, which matches field name path from root Object type`,
      );
    }
    for (const [field, held] of value.fields) collect(held, `${expected}.${field}`, errors);
  } else if (isMadeList(value)) {
    for (let index = 0; index < value.size; index++) collect(value.at(index), expected, errors);
  } else if (isMadeMap(value)) {
    for (const key of value.keys()) collect(value.get(key) ?? null, expected, errors);
  }
}

/**
 * Checks the type names in an object literal, such as `Object.spec{…}`. Each name must be the name of the enclosing type, a dot, and the
 * name of the field. Lists and maps add no name. Returns all errors as one text, or undefined if there are none. Source:
 * k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go `CheckTypeNamesMatchFieldPathNames` (1.37).
 */
export function typeNameErrors(literal: ObjectLiteral): string | undefined {
  const errors: string[] = [];
  collect(literal, literal.celType.name, errors);
  return errors.length === 0 ? undefined : errors.join('\n');
}
