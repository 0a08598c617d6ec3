import { isJsonInt } from '#go';
import { invalid } from '#kube';
import { CRD_CHANGES } from '../../minors/minors.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Type and format of a number, as far as they limit its range. An empty string means "no limit". */
export interface NumberType {
  readonly type: '' | 'integer' | 'number';
  readonly format: string;
}

/** Largest float64 that still rounds to a finite float32. */
const MAX_FLOAT32 = 2 ** 128 - 2 ** 103;

/**
 * Returns true if a number fits an int64. The decimal text of the number decides, because upstream parses this text. The shortest text of a
 * float64 near 2^63 may be beyond the int64 range.
 */
function fitsInt64(value: number | bigint): boolean {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return true;
  if (Math.abs(value) >= 1e21) return false;
  const shown = BigInt(String(value));
  return shown >= -9223372036854775808n && shown <= 9223372036854775807n;
}

function fits(value: number | bigint, { type, format }: NumberType): boolean {
  if (type === 'integer') {
    if (!isJsonInt(value) || !fitsInt64(value)) return false;
    if (format === 'int32') return value >= -2147483648 && value <= 2147483647;
    return true;
  }
  return type !== 'number' || format !== 'float' || Math.abs(Number(value)) < MAX_FLOAT32;
}

/**
 * Reports a number that does not fit its declared type and format. As in upstream, the finding is attached to no field; only its text
 * contains the field's path. Returns true if the number fits. Source: kube-openapi pkg/validation/validate/values.go
 * `IsValueValidAgainstRange`.
 *
 * @param role Role of the number in the message: `Checked`, `MultipleOf`, `Maximum boundary` or `Minimum boundary`.
 */
export function checkRange(value: number | bigint, type: NumberType, role: string, walk: SchemaWalk): boolean {
  if (fits(value, type)) return true;
  const format = type.format === '' ? '(default format)' : `with format ${type.format}`;
  const text = `${role} value must be of type ${type.type} ${format} in ${walk.name}`;
  walk.add({ text, name: undefined, toError: (field) => invalid(field, '', text), because: [CRD_CHANGES.numbersAreTyped] });
  return false;
}
