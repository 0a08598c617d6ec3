import { CelError, environmentFor, typeText } from '#cel';
import type { CelType, CelValue } from '#cel';
import { isJsonObject, readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { JsonValue } from '#go';
import { readType } from '../cel/read-type.ts';
import { recordedText, recordedValue, valueText } from '../upstream/recorded-value.ts';
import { runExpression } from '../upstream/run-expression.ts';
import type { SpecTest, SpecType, SpecValue } from './spec-test.ts';

/** Result of one test: passed, or failed with a reason. */
export type SpecOutcome = { readonly passed: true } | { readonly passed: false; readonly reason: string };

const ENVIRONMENT = environmentFor(LATEST_MINOR, 'stored');

/** Libraries of the CEL specification that Kubernetes does not enable, with the reason for failures of their tests. */
const ABSENT_LIBRARIES: Readonly<Record<string, string>> = {
  bindings_ext: 'cel.bind is not in Kubernetes',
  block_ext: 'cel.block is not in Kubernetes',
  encoders_ext: 'the encoders library is not in Kubernetes',
  math_ext: 'the math library is not in Kubernetes',
};

/** Runs one test with the engine of Assay, in the CEL environment of a Kubernetes server. */
export function runSpec(test: SpecTest): SpecOutcome {
  const expected = test.value === undefined ? undefined : textOfExpected(test.value);
  const run = runExpression({
    text: test.expr,
    environment: ENVIRONMENT,
    types: new Map(test.variables.map(({ name, type }) => [name, typeOf(type)])),
    values: Object.fromEntries(Object.entries(test.bindings).map(([name, value]) => [name, valueOf(value)])),
    folds: true,
    engine: 'adaptive',
    costLimit: Number.MAX_SAFE_INTEGER,
  });
  if (!run.ok)
    return test.value === undefined && !test.disableCheck ? { passed: true } : { passed: false, reason: explained(test, run.error) };
  if (test.deducedType !== undefined) {
    const [found, wanted] = [typeText(run.outputType), deducedName(test.deducedType)];
    if (found !== wanted) return { passed: false, reason: explained(test, `type ${found}, expected ${wanted}`) };
    if (test.checkOnly) return { passed: true };
  }
  const { value } = run.evaluation;
  if (test.value === undefined)
    return value instanceof CelError ? { passed: true } : { passed: false, reason: explained(test, 'a value where an error is expected') };
  if (value instanceof CelError) return { passed: false, reason: explained(test, value.message) };
  return expected !== undefined && valueText(value) === expected
    ? { passed: true }
    : { passed: false, reason: explained(test, `got ${valueText(value)}, expected ${expected ?? 'a message'}`) };
}

/**
 * Tests that cel-go itself does not pass. Assay gives the same answers as cel-go. Source: cel-go conformance/BUILD.bazel (v0.29.2); the
 * answers are the oracle's.
 */
const NOT_PASSED_UPSTREAM: ReadonlySet<string> = new Set([
  'map_value_repeat_key',
  'map_value_repeat_key_heterogeneous',
  'map_null_entry_no_such_key',
  'map_present_key_invalid_field',
  'indexof_out_of_range',
  'lastindexof_out_of_range',
  'null_assignable_to_abstract_parameter_candidate',
]);
/** Tests with a map key of an invalid type. Kubernetes fails to compile them, because it evaluates constant expressions at compile time. */
const FOLDED: ReadonlySet<string> = new Set(['map_bad_key_type_or_true', 'map_bad_key_type_and_false']);

/** Returns the property of Kubernetes that explains a failure. If no such property is known, returns the failure itself. */
function explained(test: SpecTest, failure: string): string {
  const absent = ABSENT_LIBRARIES[test.suite];
  if (absent) return absent;
  if (
    /TestAllTypes|google\.protobuf\.|GlobalEnum|NestedEnum|cel\.expr/.test(
      `${test.expr} ${test.container ?? ''} ${JSON.stringify(test.value ?? '')} ${JSON.stringify(test.bindings)} ${JSON.stringify(test.variables)}`,
    )
  ) {
    return 'protobuf messages and enums: custom resources have none';
  }
  if (test.container !== undefined || test.suite === 'namespace') return 'containers: rules of custom resources have none';
  if (/reverse|format|quote/.test(test.expr) && test.suite === 'string_ext') return 'Kubernetes pins strings library version 2';
  if (NOT_PASSED_UPSTREAM.has(test.name)) return 'cel-go itself answers otherwise';
  if (FOLDED.has(test.name)) return 'Kubernetes folds constants, and what fails then has no program';
  if (test.suite === 'type_deductions' && /undeclared reference to '(fn|tuple)'/.test(failure)) return 'functions of the host';
  if (test.disableCheck) return 'Kubernetes always checks types';
  if (/expected type|no matching overload/.test(failure)) return 'homogeneous literals and type checks as Kubernetes sets them';
  return failure.split('\n', 1)[0] ?? failure;
}

function typeOf(type: SpecType): CelType {
  return readType(typeName(type));
}

function typeName({ primitive, wellKnown, listType, mapType, null: none }: SpecType): string {
  if (primitive !== undefined) return primitive.toLowerCase().replace('64', '');
  if (wellKnown === 'TIMESTAMP') return 'google.protobuf.Timestamp';
  if (wellKnown === 'DURATION') return 'google.protobuf.Duration';
  if (listType) return `list(${typeName(listType.elemType)})`;
  if (mapType) return `map(${typeName(mapType.keyType)}, ${typeName(mapType.valueType)})`;
  return none === undefined ? 'dyn' : 'null_type';
}

/** Returns the name of a type in the notation of `typeText`. */
function deducedName(type: SpecType): string {
  if (type.listType) return `list(${deducedName(type.listType.elemType)})`;
  if (type.mapType) return `map(${deducedName(type.mapType.keyType)}, ${deducedName(type.mapType.valueType)})`;
  if (type.type) return `type(${deducedName(type.type)})`;
  if (type.abstractType) {
    const { name, parameterTypes = [] } = type.abstractType;
    return parameterTypes.length === 0 ? name : `${name}(${parameterTypes.map(deducedName).join(', ')})`;
  }
  if (type.wrapper !== undefined) return `wrapper(${type.wrapper.toLowerCase().replace('64', '')})`;
  return type.messageType ?? type.typeParam ?? typeName(type);
}

/**
 * Returns a value of the CEL specification's tests in the notation of the recorded tables (`upstream/README.md`), because a reader for this
 * notation exists.
 */
function recordedOf(value: SpecValue): unknown {
  if (value.int64Value !== undefined) return raw(value.int64Value);
  if (value.uint64Value !== undefined) return { $uint: value.uint64Value };
  if (value.doubleValue !== undefined)
    return typeof value.doubleValue === 'string' ? { $double: value.doubleValue } : raw(doubleText(value.doubleValue));
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.bytesValue !== undefined) return { $bytes: value.bytesValue };
  if (value.boolValue !== undefined) return value.boolValue;
  if (value.listValue !== undefined) return (value.listValue.values ?? []).map(recordedOf);
  if (value.mapValue !== undefined)
    return { $map: (value.mapValue.entries ?? []).map((entry) => [recordedOf(entry.key), recordedOf(entry.value)]) };
  if (value.typeValue !== undefined) return { $type: value.typeValue };
  if (value.nullValue !== undefined) return null;
  return { $go: 'message' };
}

/** Number whose spelling must be kept by JSON.stringify. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const raw = (text: string): Raw => new Raw(text);
const doubleText = (value: number): string =>
  Number.isInteger(value) ? (Math.abs(value) < 1e21 ? `${value}.0` : String(value)) : String(value);

function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

function recordedJson(value: SpecValue): JsonValue {
  const reading = readJson(jsonText(recordedOf(value)));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}

function valueOf(value: SpecValue): CelValue {
  const recorded = recordedJson(value);
  if (recorded === null) return null;
  return isJsonObject(recorded) && '$go' in recorded ? new CelError('a message') : (recordedValue(recorded) ?? new CelError('a message'));
}

function textOfExpected(value: SpecValue): string | undefined {
  return recordedText(recordedJson(value));
}
