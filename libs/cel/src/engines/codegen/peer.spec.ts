import { celEnv, parse, plan } from '@bufbuild/cel';
import { expect, it } from 'vitest';
import { Float, isJsonObject } from '#go';
import { doubleOf, isInt, isList, isMap } from '../../values/type-of.ts';
import { CelError } from '../../values/value.ts';
import { wrapValue } from '../../values/wrap.ts';
import { compile, schemaOf } from '../../testing/compile-fixture.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../../testing/random-expressions.ts';
import { FITTING_OBJECT } from '../../testing/random-objects.ts';
import type { JsonValue } from '#go';
import type { CelValue } from '../../values/value.ts';

/** Number of random expressions. For longer runs, set CEL_PEER to another number. */
const EXPRESSIONS = Number(process.env['CEL_PEER'] ?? 1_500);

/**
 * Features that the compared CEL implementation does not support or implements by different rules. Expressions with any of these features
 * are counted but not compared.
 */
const SKIPPED: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['optionals', /\?\.|\.\?|\[\?|\{\?|, \?|optional|opt(Map|FlatMap)|hasValue|orValue/],
  ['two-variable comprehensions', /transform|existsOne|\.(all|exists)\(\w+, \w+, /],
  [
    'list, set and regex libraries',
    /sort|distinct|slice|flatten|reverse|lists\.|sets\.|isSorted|\.sum\(|\.min\(|\.max\(|ndexOf|find|split|join|replace|charAt|substring|lowerAscii|format/,
  ],
  ['values of a format', /self\.(when|wait|raw)|timestamp|duration/],
  ['ints in doubles', /double|self\.d|\d\.\d|1e300/],
  ['dyn', /dyn/],
  ['lists of type set', /self\.names/],
  ['escaped field names', /__underscores__/],
];

/** Converts a value to the form that the compared CEL implementation uses. For example, ints become bigints. */
function peerValue(value: JsonValue): unknown {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(peerValue);
  if (isJsonObject(value)) return new Map(Object.entries(value).map(([key, member]) => [key, peerValue(member)]));
  return isInt(value) ? BigInt(value) : value;
}

function text(value: CelValue): string {
  if (isList(value)) return `[${Array.from({ length: value.size }, (_, i) => text(value.at(i))).join(',')}]`;
  if (isMap(value))
    return `{${[...value.keys()]
      .map((key) => `${text(key)}:${text(value.get(key) ?? null)}`)
      .sort()
      .join(',')}}`;
  const double = doubleOf(value);
  return double === undefined ? String(value) : `double ${double}`;
}

interface PeerList extends Iterable<unknown> {
  readonly size: number;
}

function peerText(value: unknown): string {
  if (typeof value === 'number') return `double ${value}`;
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return String(value);
  const parts = [...(value as PeerList)];
  if ('get' in value && 'entries' in value && 'has' in value)
    return `{${parts
      .map((entry) => (entry as unknown[]).map(peerText).join(':'))
      .sort()
      .join(',')}}`;
  return `[${parts.map(peerText).join(',')}]`;
}

it(`generated code agrees with @bufbuild/cel on ${EXPRESSIONS} random expressions that both support`, { timeout: 7_200_000 }, () => {
  const random = new RandomExpressions(20260723);
  const self = wrapValue(FITTING_OBJECT, schemaOf(RANDOM_SCHEMA));
  const peerSelf = peerValue(FITTING_OBJECT);
  const env = celEnv();
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const differences: string[] = [];
  for (let n = 0; n < EXPRESSIONS; n++) {
    const rule = random.of((['bool', 'int', 'map', 'ints', 'string'] as const)[n % 5]!, 1 + (n % 3));
    const skipped = SKIPPED.find(([, pattern]) => pattern.test(rule));
    if (skipped !== undefined) {
      count(skipped[0]);
      continue;
    }
    const compiled = compile(rule, RANDOM_SCHEMA, { engine: 'compiled' });
    if (!compiled.ok) continue;
    const { value } = compiled.program.evaluate({ self }, { costLimit: 1_000_000, token: undefined });
    if (value instanceof CelError) {
      count('errors');
      continue;
    }
    let theirs: string;
    try {
      theirs = peerText(plan(env, parse(rule))({ self: peerSelf } as never));
    } catch (thrown) {
      theirs = String(thrown);
    }
    // The other implementation rejects repeated keys. A server keeps the last one.
    if (theirs.includes('map key conflict')) {
      count('repeated keys');
      continue;
    }
    count('compared');
    if (theirs !== text(value)) differences.push(`${rule}: ${text(value)}, the peer ${theirs}`);
  }
  if (process.env['CEL_PEER'] !== undefined) console.info(counts);
  expect(differences.slice(0, 12)).toEqual([]);
  expect(counts.get('compared')).toBeGreaterThan(EXPRESSIONS / 20);
});
