import { joined, js } from '#cel';
import type { Fragment } from '#cel';

/** Least and greatest of a size; undefined where nothing bounds it. */
export interface SizeBounds {
  readonly min: number | bigint | undefined;
  readonly max: number | bigint | undefined;
}

/** Code that is silent where a size is out of its bounds. */
export function emitSizeTests(size: Fragment, { min, max }: SizeBounds): Fragment {
  const tests = [
    ...(min === undefined ? [] : [js`if (${size} < ${Number(min)}) return undefined;`]),
    ...(max === undefined ? [] : [js`if (${size} > ${Number(max)}) return undefined;`]),
  ];
  return joined(tests, '\n');
}
