import { z } from 'zod';

/** Bound that was set in a definition so that the costs of its rules do not exceed their limits. */
const mendingBound = z
  .object({
    version: z.string(),
    path: z.string().describe('Fields that the bound limits, such as spec.rules[*].name'),
    keyword: z.string(),
    before: z.number().nullable().describe('Value of the bound in the definition; null if there is none'),
    suggested: z.number(),
  })
  .meta({ id: 'MendingBound' });
export type MendingBound = z.infer<typeof mendingBound>;

/** Smallest additions to a definition with which several Kubernetes versions accept it, or the reason why bounds do not suffice. */
export const additionsSchema = z
  .object({
    bounds: z.array(mendingBound).optional().describe('Bounds with which all compared versions accept the definition'),
    why: z.string().optional().describe('Why no bounds do. Present if `bounds` is absent'),
  })
  .meta({ id: 'Additions' });
export type Additions = { readonly bounds: readonly MendingBound[] } | { readonly why: string };

/** Bound with the path of its schema node relative to `openAPIV3Schema`, such as `properties[spec].items`. */
export interface PlacedBound extends MendingBound {
  readonly schemaPath: string;
}

/** Result of a search for bounds with which servers accept a definition. `accepted`: they accept it without more bounds. */
export type FoundBounds =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'found'; readonly bounds: readonly PlacedBound[] }
  | { readonly kind: 'none'; readonly why: string };
