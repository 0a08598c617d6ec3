import { isList, JsonPatchLiteral } from '#cel';
import { protobufValue } from '#policy';
import type { CelValue } from '#cel';
import type { Minor } from '#kube';
import type { VerdictObject, VerdictValue } from '../canonical-text.ts';

/**
 * Returns a CEL value in the form that the oracle prints: as protobuf JSON, or as the fields of a list of JSON patches. Returns undefined
 * if the value has neither form.
 */
export function protobufJson(value: CelValue, minor: Minor): VerdictValue {
  const converted = protobufValue(value, minor);
  if (converted.kind === 'json') return converted.json;
  return converted.kind === 'failed' && isList(value)
    ? patchJson(
        Array.from({ length: value.size }, (_, i) => value.at(i)),
        minor,
      )
    : undefined;
}

function patchJson(operations: readonly CelValue[], minor: Minor): readonly VerdictObject[] | undefined {
  const printed: VerdictObject[] = [];
  for (const operation of operations) {
    if (!(operation instanceof JsonPatchLiteral)) return undefined;
    const { op, path, from, value } = operation;
    const json = value === undefined ? undefined : (protobufJson(value, minor) ?? null);
    printed.push({ op, path, from: from === '' ? undefined : from, value: json });
  }
  return printed;
}
