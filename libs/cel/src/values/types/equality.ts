import { runtimeTypeName, typeParameters } from './format.ts';
import type { CelType } from './type.ts';

/** Returns true when two types are the same, names of type parameters included. */
export function isExactType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, true);
}

/** Returns true when two types are the same but for the names of type parameters. */
export function isEquivalentType(a: CelType, b: CelType): boolean {
  return isSameType(a, b, false);
}

/** Source: cel-go common/types/types.go `isTypeInternal` (v0.29.2). */
function isSameType(a: CelType, b: CelType, parameterNames: boolean): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  const as = typeParameters(a);
  const bs = typeParameters(b);
  if (as.length !== bs.length) return false;
  if ((parameterNames || a.kind !== 'typeParameter') && runtimeTypeName(a) !== runtimeTypeName(b)) return false;
  return as.every((parameter, i) => isSameType(parameter, bs[i]!, parameterNames));
}

/** Returns true for `dyn` and `any`: nothing is known. */
export const isDyn = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';
