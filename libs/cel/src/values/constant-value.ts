import { floatValue, intValue } from '#go';
import { Uint } from './value.ts';
import type { CelValue } from './value.ts';

/** Literal of an expression. Its int and uint values are bigint, and its `double` values are JavaScript numbers. */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/** Returns the CEL value of a literal. */
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
    case 'bool':
    case 'bytes':
    case 'string':
      return constant.value;
  }
}
