import { unionOfKnown, UNKNOWN_SIZE } from './range.ts';
import type { CelType } from '../values/types/type.ts';
import type { EstimatedOperand } from './define.ts';
import type { SizeRange } from './range.ts';

const WITHOUT_ENTRIES: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

/**
 * Returns the sizes of the keys and elements of a value that contains the entries of all operands. If a size is known for one operand only,
 * an operand that may have entries of another size makes it unknown. Source: cel-go common/cost/helper.go `mergeMeta` (v0.33.2).
 */
export function entrySizes(operands: readonly EstimatedOperand[]): Pick<SizeRange, 'key' | 'element'> {
  const sizes = operands.map(({ size = UNKNOWN_SIZE }) => size);
  const hasKey = sizes.some(({ key }) => key !== undefined);
  const hasElement = sizes.some(({ element }) => element !== undefined);
  let [key, element]: (SizeRange | undefined)[] = [];
  for (const [i, size] of sizes.entries()) {
    const mayHold = size.max > 0n;
    const isUnstated = mayHold && size.key === undefined && size.element === undefined && !WITHOUT_ENTRIES.has(operands[i]!.type.kind);
    const unknownElement = isUnstated || (size.key !== undefined && mayHold) ? UNKNOWN_SIZE : undefined;
    if (hasElement) element = unionOfKnown(element, size.element ?? unknownElement);
    if (hasKey) key = unionOfKnown(key, size.key ?? (isUnstated ? UNKNOWN_SIZE : undefined));
  }
  return { key, element };
}
