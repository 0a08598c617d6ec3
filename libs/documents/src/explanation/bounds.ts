import { z } from 'zod';
import type { Minor } from '#kube';
import type { Additions, CostBound, MendingBound } from '../answer-types.ts';

const mendingBound = z
  .object({
    version: z.string(),
    path: z.string().describe('Fields that the bound limits, such as spec.rules[*].name'),
    keyword: z.string(),
    before: z.number().nullable().describe('Value of the bound in the definition; null if the bound is missing'),
    suggested: z.number(),
  })
  .meta({
    id: 'MendingBound',
    description: 'Bound to set in a definition so that the costs of its rules do not exceed their limits',
  });

const mendingBounds = z.array(mendingBound);

/** Schema of {@link Additions}. */
export const additionsSchema = z
  .union([
    z.object({ bounds: mendingBounds.describe('Missing bounds with which all compared versions accept the definition') }),
    z.object({
      why: z.string().describe('Why no added bounds suffice'),
      tightening: mendingBounds
        .optional()
        .describe('Bounds that suffice if existing bounds are lowered, too. Stored objects that exceed lowered bounds then break'),
    }),
  ])
  .meta({
    id: 'Additions',
    description:
      'Smallest additions to a definition with which several Kubernetes versions accept it, or the reason why bounds do not suffice',
  });

/** Bound with the path of its schema node relative to `openAPIV3Schema`, such as `properties[spec].items`. */
export interface PlacedBound extends MendingBound {
  readonly schemaPath: string;
}

/**
 * Result of a search for bounds with which servers accept a definition. `accepted`: they accept it without more bounds. `none`: no allowed
 * bounds suffice; `tightening` has bounds that suffice if existing ones are lowered, too.
 */
export type FoundBounds =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'found'; readonly bounds: readonly PlacedBound[] }
  | { readonly kind: 'none'; readonly why: string; readonly tightening?: readonly PlacedBound[] };

/**
 * Returns a result of a search as the additions of an answer. Returns undefined if the servers accept the definition without
 * changes.
 */
export function additionsOf(found: FoundBounds): Additions | undefined {
  if (found.kind === 'found') return { bounds: found.bounds.map(shownBound) };
  if (found.kind === 'accepted') return undefined;
  return { why: found.why, ...(found.tightening && { tightening: found.tightening.map(shownBound) }) };
}

const shownBound = ({ version, path, keyword, before, suggested }: MendingBound): MendingBound => ({
  version,
  path,
  keyword,
  before,
  suggested,
});

/**
 * Limit of a bound, such as `maxItems`, in one version of a definition. A larger value makes a server refuse the definition, because its rules
 * then cost too much. All other bounds keep their values.
 */
export interface BoundCeiling extends Omit<CostBound, 'drives'> {
  readonly version: string;
  readonly minor: Minor;
  /**
   * `limited`: `highest` is the largest value that the server accepts. `unlimited`: it accepts every value that a request can reach.
   * `refused`: it refuses the definition with every value.
   */
  readonly kind: 'limited' | 'unlimited' | 'refused';
  readonly highest?: number;
  /**
   * Cost that a larger value brings over its limit: version and path of a rule, its messageExpression, or all rules of the version. If the
   * server refuses the definition for other errors than costs, this text says so.
   */
  readonly limitedBy?: string;
  /** True if the server accepts the version with the present bound. */
  readonly fitsNow: boolean;
}
