import { js } from '#cel';
import type { Fragment } from '#cel';
import { codePointLength } from '#go';
import { invalid, tooFew, tooMany, wordedBecauseOf } from '#kube';
import type { FieldError, TooManyWords } from '#kube';
import { CRD_CHANGES } from '../minors/minors.ts';
import { KINDS } from '../object/openapi/kind.ts';
import type { SchemaWalk } from '../object/openapi/schema-walk.ts';
import { SIZE } from './forms/scalar-forms.ts';
import type { ReaderSite, Keyword, FastPaths } from './keyword.ts';

/** Bound of the number of code points of a string, elements of a list, or entries of an object. */
interface SizeBound extends Pick<Keyword, 'name' | 'position' | 'estimate'> {
  readonly of: 'string' | 'array' | 'object';
  readonly side: 'least' | 'most';
  readonly doc: string;
}

type Size = number | bigint | undefined;

/** Returns the declaration of a keyword that is a lower or an upper bound of a size, such as `maxItems`. */
export function sizeBound({ of, side, doc, ...field }: SizeBound): Keyword<Size> {
  return {
    ...field,
    form: SIZE,
    nesting: 'allowed',
    appliesTo: [KINDS[of]],
    fastPaths: WAYS[of](side),
    change: { kind: 'bound', tighter: side === 'least' ? 'larger' : 'smaller' },
    docs: { doc, value: 'scalar' },
  };
}

const WAYS: Readonly<Record<SizeBound['of'], (side: SizeBound['side']) => FastPaths<Size>>> = {
  string: (side) => ({ code: (limit, site) => emitLength(side, Number(limit), site), between: () => true }),
  array: (side) => ({
    code: (limit, site) => emitCount(side, Number(limit), site),
    column: (limit, length) => limit === undefined || (side === 'least' ? length >= limit : length <= limit),
  }),
  object: (side) => ({ code: (limit, site) => emitCount(side, Number(limit), site) }),
};

/**
 * Emits a test of a string's length in code points. The test first compares the number of UTF-16 units. This often suffices: a string has
 * at most as many code points as units, and at least half as many.
 */
function emitLength(side: SizeBound['side'], limit: number, { of, value, constant }: ReaderSite): Fragment | undefined {
  if (of !== 'string') return undefined;
  const points = js`${constant(codePointLength)}(${value})`;
  return side === 'least'
    ? js`if (${value}.length < ${2 * limit} && ${points} < ${limit}) return undefined;`
    : js`if (${value}.length > ${limit} && ${points} > ${limit}) return undefined;`;
}

function emitCount(side: SizeBound['side'], limit: number, site: ReaderSite): Fragment | undefined {
  if (!('size' in site) || site.size === undefined) return undefined;
  return side === 'least' ? js`if (${site.size} < ${limit}) return undefined;` : js`if (${site.size} > ${limit}) return undefined;`;
}

/** Unit in which the size of a value is counted. */
type Unit = 'items' | 'properties';

/** Checks `size` against `minItems` or `minProperties`. Adds an error to `walk` if `size` is below the limit. */
export function checkMin(size: number, { limit, isTyped }: MinSize, unit: Unit, walk: SchemaWalk): void {
  if (size >= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at least ${limit} ${unit}`;
  const toError = (field: string): FieldError => (isTyped ? tooFew(field, size, limit) : invalid(field, size, text));
  walk.add({ text, name, toError: (field) => wordedBecauseOf(toError(field), CRD_CHANGES.shortagesAreTyped) });
}

/** Minimum size. If `isTyped` is true, the error for a smaller size is `tooFew` instead of `invalid`. */
interface MinSize {
  readonly limit: number | bigint;
  readonly isTyped: boolean;
}

/** Validates `maxItems` or `maxProperties`. */
export function checkMax(size: number, { limit, sentence }: SizeLimit, unit: Unit, walk: SchemaWalk): void {
  if (size <= limit) return;
  const name = walk.name;
  const text = `${name} in body should have at most ${limit} ${unit}`;
  walk.add({ text, name, toError: (field) => tooMany(field, size, Number(limit), sentence) });
}

/** Maximum size, with the wording that the Kubernetes minor version uses in the error for a larger size. */
interface SizeLimit {
  readonly limit: number | bigint;
  readonly sentence: TooManyWords;
}
