import { js } from '#cel';
import { KINDS } from '../object/openapi/kind.ts';
import { SIZE } from './forms/scalar-forms.ts';
import type { Keyword } from './keyword.ts';

/** The differences between bounds of sizes. */
interface SizeBound extends Pick<Keyword, 'name' | 'position' | 'estimate'> {
  readonly of: 'array' | 'object';
  readonly side: 'least' | 'most';
  readonly doc: string;
}

/** Returns a keyword that bounds the number of elements or entries. */
export function sizeBound({ of, side, doc, ...field }: SizeBound): Keyword<number | bigint | undefined> {
  const fits = (limit: number | bigint | undefined, size: number): boolean =>
    limit === undefined || (side === 'least' ? size >= limit : size <= limit);
  return {
    ...field,
    form: SIZE,
    nesting: 'allowed',
    concerns: [KINDS[of]],
    ways: {
      code(limit, site) {
        if (!('size' in site) || site.size === undefined) return undefined;
        return side === 'least'
          ? js`if (${site.size} < ${Number(limit)}) return undefined;`
          : js`if (${site.size} > ${Number(limit)}) return undefined;`;
      },
      column: fits,
    },
    change: { kind: 'bound', tighter: side === 'least' ? 'larger' : 'smaller' },
    words: { doc, value: 'scalar' },
  };
}
