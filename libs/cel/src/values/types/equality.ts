import { runtimeTypeName, typeParameters } from './format.ts';
import type { CelType } from './type.ts';

/** Returns true if two types are identical, including the names of type parameters. */
export function isExactType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, true);
}

/** Returns true if two types are identical except for the names of type parameters. */
export function isEquivalentType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, false);
}

/**
 * Returns true if two types are the same. If `parameterNames` is true, type parameters must also have the same name. Source: cel-go
 * common/types/types.go `isTypeInternal` (v0.29.2).
 */
function isSameType(a: CelType, b: CelType, parameterNames: boolean): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  const as = typeParameters(a);
  const bs = typeParameters(b);
  if (as.length !== bs.length) return false;
  if ((parameterNames || a.kind !== 'typeParameter') && runtimeTypeName(a) !== runtimeTypeName(b)) return false;
  return as.every((parameter, i) => isSameType(parameter, bs[i]!, parameterNames));
}

/** Returns true for `dyn` and `any`, whose values can have any type. */
export const isDyn = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';
