import type { CompiledDefinition } from './compile-definition.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from './verdict.ts';

/** Judges one write of an object of a compiled definition. */
export function validateObject(_definition: CompiledDefinition, _write: ObjectWrite, _options: ValidationOptions = {}): ObjectVerdict {
  throw new Error('not implemented');
}
