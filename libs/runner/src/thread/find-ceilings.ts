import { boundCeilings, isCostError } from '#crd';
import { definitionText } from '#documents';
import type { BoundCeiling } from '#documents';
import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeBeside } from './judge-definition.ts';
import { costWords, placedBound } from './placed-bounds.ts';

type CeilingsWork = Extract<Work, { readonly kind: 'ceilings' }>;

/** Words for a server that refuses a definition for another reason than its costs, so that no value of a bound helps. */
const OTHER_ERRORS = 'errors beside the costs';

/**
 * Returns how far a bound of a definition may rise on each of the servers. The result is empty if the definition has no such bound. Throws
 * `Cancelled` if the token requests cancellation.
 */
export function findCeilings(work: CeilingsWork, cache: DefinitionCache, token: CancellationToken): readonly BoundCeiling[] {
  const { definition, servers, field } = work;
  const question = { field, servers, recent: cache.recent, token };
  const found = boundCeilings(definition.bytes, question).map(({ version, minor, bound, ceiling, fitsNow }): BoundCeiling => ({
    version,
    minor,
    ...placedBound(bound),
    kind: ceiling.kind,
    ...(ceiling.kind === 'limited' && { highest: Number(ceiling.highest) }),
    ...(ceiling.kind !== 'unlimited' && { limitedBy: costWords(version, ceiling.by) }),
    fitsNow,
  }));
  if (found.length === 0) return found;
  const refusing = new Set(
    servers
      .filter((server) => {
        if (token.cancelled) throw new Cancelled();
        const { accepted, errors } = judgeBeside(definitionText(definition, server), { ...work, rules: false }, cache, undefined).verdict;
        return !accepted && (errors.length === 0 || !errors.every(isCostError));
      })
      .map(({ minor }) => minor),
  );
  return found.map((one) => {
    if (!refusing.has(one.minor)) return one;
    const { highest: _, ...rest } = one;
    return { ...rest, kind: 'refused', limitedBy: OTHER_ERRORS, fitsNow: false };
  });
}
