import { codePointLength, maxTextLength } from '#go';
import { longestOfFormat } from '#kube';
import { formatMinor } from '../minors/minors.ts';
import type { Minor } from '#kube';
import type { SchemaProps } from '../schema/schema-props.ts';

/** A keyword that bounds the size of a value. */
export type BoundKeyword = 'maxItems' | 'maxLength' | 'maxProperties';

/**
 * Returns the largest size that a schema node permits without its own bound `keyword`. An `enum`, a `format`, a `pattern`, and the branches
 * of `allOf`, `anyOf` and `oneOf` may limit it. A cost estimate ignores these limits. Sizes are numbers of elements, entries or code points.
 * Returns undefined if there is no limit.
 */
export function permittedSize(schema: SchemaProps, keyword: BoundKeyword, minor: Minor): bigint | undefined {
  const size = Math.min(ownSize(schema, keyword, minor), branchesSize(schema, keyword, minor));
  return Number.isFinite(size) ? BigInt(size) : undefined;
}

/** Returns the size that the keywords of one node permit, without its branches and its own bound. */
function ownSize({ enum: values, format, pattern }: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  if (keyword !== 'maxLength') return Infinity;
  const lengths = values?.map((value) => (typeof value === 'string' ? codePointLength(value) : 0)) ?? [];
  return Math.min(
    lengths.length > 0 ? Math.max(...lengths) : Infinity,
    format === '' ? Infinity : (longestOfFormat(format, formatMinor(minor)) ?? Infinity),
    pattern === '' ? Infinity : maxTextLength(pattern),
  );
}

function branchesSize({ allOf, anyOf, oneOf }: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  const sizes = (branches: readonly SchemaProps[]): number[] => branches.map((branch) => branchSize(branch, keyword, minor));
  const alternatives = [anyOf, oneOf].filter((branches) => branches.length > 0).map((branches) => Math.max(...sizes(branches)));
  return Math.min(...sizes(allOf), ...alternatives);
}

function branchSize(branch: SchemaProps, keyword: BoundKeyword, minor: Minor): number {
  const bound = branch[keyword];
  const own = bound === undefined ? Infinity : Math.max(0, Number(bound));
  return Math.min(own, ownSize(branch, keyword, minor), branchesSize(branch, keyword, minor));
}
