import { celEnv, celUint, isCelError, isCelList, isCelMap, isCelType, isCelUint, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import type { SpecTest, SpecValue } from './spec-test.ts';

const ENVIRONMENT = celEnv({ funcs: strings });

/**
 * Evaluates a test with @bufbuild/cel, without protobuf messages and without type checks. Returns true if the result is the expected
 * result.
 */
export function runBufbuild(test: SpecTest): boolean {
  if (test.checkOnly) return false;
  try {
    const environment = test.container === undefined ? ENVIRONMENT : celEnv({ funcs: strings, namespace: test.container });
    const bindings = Object.fromEntries(Object.entries(test.bindings).map(([name, value]) => [name, valueOf(value)]));
    const result = plan(environment, parse(test.expr))(bindings as never);
    if (test.value === undefined) return isCelError(result);
    return !isCelError(result) && same(result, test.value);
  } catch {
    return test.value === undefined;
  }
}

function valueOf(value: SpecValue): unknown {
  if (value.int64Value !== undefined) return BigInt(value.int64Value);
  if (value.uint64Value !== undefined) return celUint(BigInt(value.uint64Value));
  if (value.doubleValue !== undefined) return Number(value.doubleValue);
  if (value.bytesValue !== undefined) return Buffer.from(value.bytesValue, 'base64');
  if (value.listValue !== undefined) return (value.listValue.values ?? []).map(valueOf);
  if (value.mapValue !== undefined)
    return new Map((value.mapValue.entries ?? []).map((entry) => [valueOf(entry.key), valueOf(entry.value)]));
  if (value.nullValue !== undefined) return null;
  if (value.objectValue !== undefined || value.enumValue !== undefined) throw new Error('a message');
  return value.stringValue ?? value.boolValue;
}

function same(result: unknown, value: SpecValue): boolean {
  if (value.int64Value !== undefined) return result === BigInt(value.int64Value);
  if (value.uint64Value !== undefined) return isCelUint(result) && result.value === BigInt(value.uint64Value);
  if (value.doubleValue !== undefined) return typeof result === 'number' && Object.is(result, Number(value.doubleValue));
  if (value.stringValue !== undefined) return result === value.stringValue;
  if (value.boolValue !== undefined) return result === value.boolValue;
  if (value.bytesValue !== undefined) return result instanceof Uint8Array && Buffer.from(result).toString('base64') === value.bytesValue;
  if (value.nullValue !== undefined) return result === null;
  if (value.typeValue !== undefined) return isCelType(result) && String(result) === value.typeValue;
  if (value.listValue !== undefined) {
    const expected = value.listValue.values ?? [];
    const elements = isCelList(result) ? [...result] : Array.isArray(result) ? (result as unknown[]) : undefined;
    return elements !== undefined && elements.length === expected.length && expected.every((element, i) => same(elements[i], element));
  }
  if (value.mapValue !== undefined) {
    const expected = value.mapValue.entries ?? [];
    if (!isCelMap(result)) return false;
    const entries = [...result] as [unknown, unknown][];
    return (
      entries.length === expected.length &&
      expected.every((entry) => entries.some(([key, member]) => same(key, entry.key) && same(member, entry.value)))
    );
  }
  return false;
}
