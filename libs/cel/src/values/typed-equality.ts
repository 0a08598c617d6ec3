import { compareQuantities, deepEqualJson, entryCount, entryKeys, isJsonObject, parseQuantity } from '#go';
import type { JsonValue, QuantityRules } from '#go';
import { keysIn } from './evaluation-context.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import type { DataType } from './typed-view.ts';

/**
 * Returns true if two values of the same Go type are equal by `equality.Semantic.DeepEqual`.
 *
 * Quantities are compared by value. An absent list or map equals an empty one. A nil pointer equals only nil. `undefined` and null
 * represent fields that the JSON omits. Source: k8s.io/apimachinery/pkg/api/equality/semantic.go,
 * third_party/forked/golang/reflect/deep_equal.go (1.37).
 */
export function equalTyped(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, type: DataType): boolean {
  context.poll();
  switch (type.kind) {
    case 'pointer':
      return isNil(a) || isNil(b) ? isNil(a) && isNil(b) : equalTyped(context, a, b, type.to);
    case 'struct':
      for (const [name, field] of type.fields) {
        if (!equalTyped(context, memberOf(a, name), memberOf(b, name), field.type)) return false;
      }
      return true;
    case 'list':
      return equalLists(context, a, b, type.of);
    case 'map':
      return equalMaps(context, a, b, type.of);
    case 'own':
      return type.name === 'Quantity'
        ? equalQuantities(a, b, context.semantics.quantities)
        : deepEqualJson(a ?? null, b ?? null, keysIn(context));
    case 'bool':
    case 'bytes':
    case 'int32':
    case 'int64':
    case 'string':
    case 'uint8':
      return equalScalars(a, b);
  }
}

const isNil = (value: JsonValue | undefined): boolean => value === undefined || value === null;

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function equalLists(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, of: DataType): boolean {
  const left = Array.isArray(a) ? a : [];
  const right = Array.isArray(b) ? b : [];
  return left.length === right.length && left.every((item, index) => equalTyped(context, item, right[index], of));
}

function equalMaps(context: EvaluationContext, a: JsonValue | undefined, b: JsonValue | undefined, of: DataType): boolean {
  const left = isJsonObject(a) ? a : {};
  const right = isJsonObject(b) ? b : {};
  if (entryCount(left) !== entryCount(right)) return false;
  return entryKeys(left).every((key) => Object.hasOwn(right, key) && equalTyped(context, left[key], right[key], of));
}

function equalQuantities(a: JsonValue | undefined, b: JsonValue | undefined, rules: QuantityRules): boolean {
  const left = parseQuantity(typeof a === 'string' ? a : '0', rules);
  const right = parseQuantity(typeof b === 'string' ? b : '0', rules);
  return left.ok && right.ok && compareQuantities(left.quantity, right.quantity) === 0;
}

/** Compares scalars and bytes. An omitted value equals an empty value. */
function equalScalars(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  return deepEqualJson(a, b, entryKeys);
}

const isEmpty = (value: JsonValue | undefined): boolean => isNil(value) || value === '' || value === 0 || value === false;
