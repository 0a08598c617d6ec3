import { isList, JsonPatchLiteral, ObjectLiteral } from '#cel';
import type { CelValue } from '#cel';
import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';
import { applyJsonPatch } from '../json-patch/apply-json-patch.ts';
import type { PatchOperation, PatchRules } from '../json-patch/apply-json-patch.ts';
import { protobufValue } from '../values/protobuf-value.ts';
import { typeNameErrors } from '../values/type-names.ts';
import type { MutationTarget } from './apply-literal.ts';
import { patchInternalError, mutationFailed } from './patch-outcome.ts';
import type { MutationOutcome } from './patch-outcome.ts';

/**
 * Maximum number of bytes that the `copy` operations of a patch may add. Source: k8s.io/apiserver/pkg/server/config.go
 * `JSONPatchMaxCopyBytes` (1.37).
 */
const COPY_LIMIT = 3 * 1024 * 1024;

const patchRules = (minor: Minor): PatchRules => ({
  copyLimit: COPY_LIMIT,
  release: policyHas(minor, 'patchLibraryIsNewer') ? '4.13' : '4.12',
});

/**
 * Applies a JSON patch, which an expression returned, to the object of the request. If a `test` operation fails, the object is not changed.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go `Patch` (1.37).
 */
export function applyOperations(patch: CelValue, { object, type, schemas, minor }: MutationTarget): MutationOutcome {
  const operations = readOperations(patch, minor);
  if (!Array.isArray(operations)) return operations;
  const outcome = applyJsonPatch(object, operations, patchRules(minor));
  switch (outcome.kind) {
    case 'test-failed':
      return { kind: 'patched', object };
    case 'failed':
      return mutationFailed(`JSON Patch: ${outcome.error}`);
    case 'panicked':
      return outcome;
    case 'patched': {
      const decoded = schemas.decoded(outcome.document, type);
      if (decoded.ok) return { kind: 'patched', object: decoded.object };
      return decoded.isFault ? mutationFailed(decoded.error) : { kind: 'refused', refusal: patchInternalError(decoded.error) };
    }
  }
}

function readOperations(patch: CelValue, minor: Minor): PatchOperation[] | MutationOutcome {
  if (!isList(patch)) return mutationFailed('type mismatch: JSONPatchType.expression should evaluate to array');
  const operations: PatchOperation[] = [];
  for (let index = 0; index < patch.size; index++) {
    const operation = readOperation(patch.at(index), minor);
    if ('kind' in operation) return operation;
    operations.push(operation);
  }
  return operations;
}

function readOperation(literal: CelValue, minor: Minor): PatchOperation | MutationOutcome {
  if (!(literal instanceof JsonPatchLiteral))
    return mutationFailed('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const { op, path, from, value } = literal;
  if (value === undefined) return { op, path, from };
  const mistyped = value instanceof ObjectLiteral ? typeNameErrors(value) : undefined;
  if (mistyped !== undefined) return mutationFailed(`type mismatch: ${mistyped}`);
  const converted = protobufValue(value, minor);
  if (converted.kind === 'json') return { op, path, from, value: converted.json };
  if (converted.kind === 'panicked') return converted;
  return mutationFailed(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${converted.error}`);
}
