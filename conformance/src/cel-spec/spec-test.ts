import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';

/** Protobuf message `cel.expr.Value` in its JSON form. Exactly one member is set. */
export interface SpecValue {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  /** Bytes in Base64. */
  readonly bytesValue?: string;
  readonly listValue?: { readonly values?: readonly SpecValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: SpecValue; readonly value: SpecValue }[] };
  readonly typeValue?: string;
  readonly objectValue?: unknown;
  readonly enumValue?: unknown;
}

/** Type of a variable, in the JSON form of its protobuf message. */
export interface SpecType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly listType?: { readonly elemType: SpecType };
  readonly mapType?: { readonly keyType: SpecType; readonly valueType: SpecType };
  readonly dyn?: unknown;
  readonly null?: unknown;
  readonly wrapper?: string;
  readonly typeParam?: string;
  readonly messageType?: string;
  readonly type?: SpecType;
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly SpecType[] };
}

/** Test of the conformance suite of the CEL specification. */
export interface SpecTest {
  /** Name of the top-level suite, such as `basic` or `string_ext`. */
  readonly suite: string;
  readonly name: string;
  readonly expr: string;
  readonly container: string | undefined;
  readonly variables: readonly { readonly name: string; readonly type: SpecType }[];
  readonly bindings: Readonly<Record<string, SpecValue>>;
  readonly disableCheck: boolean;
  readonly checkOnly: boolean;
  /** Type that the checker must find; undefined if the test does not specify it. */
  readonly deducedType: SpecType | undefined;
  /** Expected value; undefined if an error is expected. If the test specifies neither a value nor an error, the expected value is true. */
  readonly value: SpecValue | undefined;
}

interface RawSuite {
  readonly name: string;
  readonly suites?: readonly RawSuite[];
  readonly tests?: readonly { readonly original: RawTest }[];
}
interface RawTest {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: SpecType } }[];
  readonly bindings?: Readonly<Record<string, { readonly value?: SpecValue }>>;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly value?: SpecValue;
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType };
  readonly evalError?: unknown;
}

/** Returns all tests of the conformance suite from its npm package. */
export function specTests(): SpecTest[] {
  return ((tests as unknown as RawSuite).suites ?? []).flatMap((suite) => testsOf(suite, suite.name));
}

function testsOf({ suites = [], tests: own = [] }: RawSuite, suite: string): SpecTest[] {
  const here = own.map(({ original: raw }): SpecTest => ({
    suite,
    name: raw.name,
    expr: raw.expr,
    container: raw.container,
    variables: (raw.typeEnv ?? []).map(({ name, ident }) => ({ name, type: ident?.type ?? {} })),
    bindings: Object.fromEntries(Object.entries(raw.bindings ?? {}).map(([name, { value }]) => [name, value ?? {}])),
    disableCheck: raw.disableCheck === true,
    checkOnly: raw.checkOnly === true,
    deducedType: raw.typedResult?.deducedType,
    value: raw.evalError === undefined ? (raw.value ?? raw.typedResult?.result ?? { boolValue: true }) : undefined,
  }));
  return [...here, ...suites.flatMap((nested) => testsOf(nested, suite))];
}
