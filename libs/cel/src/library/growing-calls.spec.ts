import { LATEST_MINOR } from '#kube';
import { utf8Bytes } from '#go';
import { describe, expect, it } from 'vitest';
import { threadCpuMs } from '../../../../testing/thread-cpu.ts';
import { AuthorizerValue, DecisionValue, GroupCheckValue, PathCheckValue } from '../values/authorization.ts';
import { EvaluationContext } from '../values/evaluation-context.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { semanticsOf } from '../values/semantics.ts';
import { Duration, Optional, Timestamp, Uint } from '../values/value.ts';
import type { CelType } from '../values/types/type.ts';
import type { CelValue } from '../values/value.ts';
import { FUNCTIONS } from './all.ts';
import type { Overload } from './define.ts';
import { ContextCall } from './define.ts';
import { JSON_PATCH_FUNCTIONS } from './kubernetes/json-patch.ts';

const DECLARED = [...FUNCTIONS, ...JSON_PATCH_FUNCTIONS];
const CHOICES: readonly unknown[] = ['and', 'or', 'conditional', 'optionalOr', 'optionalOrValue'];
/**
 * Special forms of planning (planned kinds) whose functions are never called. Indexing is not implemented as a call either, so
 * `growth.spec.ts` counts its steps in rules.
 */
const NEVER_CALLED: readonly unknown[] = [...CHOICES, 'index', 'optionalIndex'];
const SIZELESS: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'int', 'uint', 'null', 'timestamp', 'duration']);

it('each overload with an argument of variable size declares how its work grows', () => {
  const silent = DECLARED.filter(({ planned }) => !CHOICES.includes(planned)).flatMap(({ overloads }) =>
    overloads.filter(({ growth, parameters }) => growth === undefined && parameters.some(({ kind }) => !SIZELESS.has(kind))),
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});

/**
 * Argument sizes, and limits of thread CPU time in ms, by the power of the declared growth. If the number of steps grew with the next
 * higher power, the call would exceed its limit even at one nanosecond per step.
 */
const SIZES = { 0: 40_000, 1: 40_000, 2: 800 } as const;
const LIMIT_MS = { 0: 1, 1: 400, 2: 250 } as const;
const TRIES = 6;
/**
 * Divisor that shortens the texts of calls that also have a list argument. `join` inserts the text between all elements, so its result
 * would be too long for a long text.
 */
const BESIDE_LISTS = 1000;

/**
 * Generators of texts that are worst cases for code that reads texts. They produce repeated characters, and characters for which the number
 * of bytes, UTF-16 units and code points differs.
 */
const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'a'.repeat(size),
  'letters of two cases': (size) => 'Æa'.repeat(size / 2),
  'code points beyond U+FFFF': (size) => '😀'.repeat(size / 2),
  digits: (size) => '9'.repeat(size),
  fraction: (size) => `1.${'9'.repeat(size)}`,
  exponent: (size) => `1e${'9'.repeat(size)}`,
  'spaces within': (size) => `x${' '.repeat(size)}x`,
  quotes: (size) => '"'.repeat(size),
  parts: (size) => 'a.'.repeat(size / 2),
  paths: (size) => '~/'.repeat(size / 2),
  colons: (size) => '1:'.repeat(size / 2),
  clauses: (size) => '%s'.repeat(size / 2),
  precision: (size) => `%.${'9'.repeat(size)}f`,
  times: (size) => '1h'.repeat(size / 2),
  instant: (size) => `2023-01-01T00:00:00.${'9'.repeat(size)}Z`,
  version: (size) => `1.2.3-${'a.'.repeat(size / 2)}1`,
  parameters: (size) => `https://a/?${Array.from({ length: size / 8 }, (_, i) => `k${i}=1`).join('&')}`,
};

const authorizer = new AuthorizerValue({ username: 'u', uid: '', groups: [] }, () => ({ allowed: true, reason: '', error: undefined }));

function made(name: string, text: string): CelValue {
  const overload = DECLARED.flatMap(({ overloads }) => overloads).find(({ id }) => id === name)!;
  return (overload.call as (...args: CelValue[]) => CelValue)(text);
}

/** Functions that create values of library types, by type name. */
const LIBRARY_VALUES: Readonly<Record<string, (text: string) => CelValue>> = {
  'net.IP': () => made('string_to_ip', '10.0.0.1'),
  'net.CIDR': () => made('string_to_cidr', '10.0.0.0/8'),
  'kubernetes.Quantity': (text) => made('string_to_quantity', '9'.repeat(text.length)),
  'kubernetes.Semver': (text) => made('string_to_semver', `1.2.3-${'a.'.repeat(text.length / 2)}1`),
  'kubernetes.URL': (text) => made('string_to_url', `https://a/${encodeURIComponent(text)}?${'a=1&'.repeat(text.length / 4)}`),
  'kubernetes.NamedFormat': () => made('format.dns1123Subdomain', ''),
  'kubernetes.authorization.Authorizer': () => authorizer,
  'kubernetes.authorization.PathCheck': (text) => new PathCheckValue(authorizer, text),
  'kubernetes.authorization.GroupCheck': (text) => new GroupCheckValue(authorizer, text),
  'kubernetes.authorization.ResourceCheck': (text) => authorizer.resource({ group: text, resource: text }),
  'kubernetes.authorization.Decision': (text) => new DecisionValue({ allowed: true, reason: text, error: text }),
};

const kept = new Map<string, CelValue>();

/**
 * Returns the cached value for `key`. On the first call with a key, creates the value with `make`. Lists and maps can be shared, because no
 * call changes its arguments.
 */
function keptValue(key: string, make: () => CelValue): CelValue {
  const value = kept.get(key) ?? make();
  kept.set(key, value);
  return value;
}

const listOfSize = (type: CelType, size: number): CelValue =>
  keptValue(
    `${JSON.stringify(type)} ${size}`,
    () => new ArrayList(Array.from({ length: size }, (_, i) => argument(type, { text: `k${i}`, number: i, size: 1 }))),
  );

const mapOfSize = (size: number): CelValue =>
  keptValue(`map ${size}`, () => {
    const map = new EntryMap();
    for (let i = 0; i < size; i++) map.set(`k${i}`, i);
    return map;
  });

interface Worst {
  readonly text: string;
  readonly number: number;
  readonly size: number;
}

function argument(type: CelType, worst: Worst): CelValue {
  const { text, number, size } = worst;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types take a text
  switch (type.kind) {
    case 'bytes':
      return utf8Bytes(text);
    case 'int':
      return number;
    case 'uint':
      return new Uint(BigInt(number));
    case 'double':
      return number + 0.5;
    case 'bool':
      return true;
    case 'timestamp':
      return new Timestamp(number, 0);
    case 'duration':
      return new Duration(BigInt(number));
    case 'list':
      return listOfSize(type.element, size);
    case 'map':
      return mapOfSize(size);
    case 'optional':
      return new Optional(argument(type.value, worst));
    case 'object':
    case 'opaque':
      return LIBRARY_VALUES[type.name]!(text);
    default:
      return text;
  }
}

function cpuOfCall({ call }: Overload, args: readonly CelValue[]): number {
  const context = new EvaluationContext(semanticsOf(LATEST_MINOR), { cancelled: false });
  const started = threadCpuMs();
  if (call instanceof ContextCall) call.apply(context, ...args);
  else call(...args);
  return threadCpuMs() - started;
}

/**
 * Returns the argument lists with which a call is tested. In the first list, all texts are equal. If there are two or more parameters, the
 * second list has a second argument that is shorter and ends with a different character.
 */
function argumentsOf({ parameters }: Overload, text: string, size: number): CelValue[][] {
  const first = parameters.map((type, i) => argument(type, { text, number: i === 1 ? 1 : size / 2, size }));
  if (parameters.length < 2) return [first];
  const last = argument(parameters[1] as CelType, { text: `${text.slice(0, text.length / 4)}\u0001`, number: size / 2, size });
  return [first, [first[0] as CelValue, last, ...first.slice(2)]];
}

const CALLED = DECLARED.filter(({ planned }) => !NEVER_CALLED.includes(planned)).flatMap(({ overloads }) =>
  overloads.filter(({ growth, replacedIn }) => growth !== undefined && replacedIn === undefined),
);

describe('the CPU time of a call', () => {
  it.each(CALLED)('stays below the limit for the declared growth: $id', (overload) => {
    const { power } = overload.growth!;
    const size = SIZES[power];
    const limit = LIMIT_MS[power];
    const length = overload.parameters.some(({ kind }) => kind === 'list') ? size / BESIDE_LISTS : size;
    const isOfTexts = overload.parameters.some(({ kind }) => !SIZELESS.has(kind) && kind !== 'list' && kind !== 'map');
    for (const [kind, text] of isOfTexts ? Object.entries(TEXTS) : [['parts', TEXTS['parts']!] as const]) {
      for (const args of argumentsOf(overload, text(length), size)) {
        let least = Number.POSITIVE_INFINITY;
        for (let i = 0; i < TRIES && least > limit; i++) least = Math.min(least, cpuOfCall(overload, args));
        expect(least, kind).toBeLessThanOrEqual(limit);
      }
    }
  });
});
