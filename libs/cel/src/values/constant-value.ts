import { floatValue, intValue } from '#go';
import { Uint } from './value.ts';
import type { Constant } from '../language/syntax/ast.ts';
import type { CelValue } from './value.ts';

/** The value of a literal. */
export function constantValue(constant: Constant): CelValue {
  switch (constant.type) {
    case 'null':
      return null;
    case 'int':
      return intValue(constant.value);
    case 'uint':
      return new Uint(constant.value);
    case 'double':
      return floatValue(constant.value);
    default:
      return constant.value;
  }
}
