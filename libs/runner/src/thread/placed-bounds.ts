import { schemaPathText } from '#crd';
import type { BoundChange, LimitedCost, SchemaBound, VersionBounds } from '#crd';
import type { CostBound, FoundBounds, PlacedBound } from '#documents';
import { minorWords } from '#kube';

/** Returns a bound of a schema as answers show it: with its field, its schema node, and its value (null if it is missing). */
export function placedBound({ path, fields, keyword, value }: SchemaBound): Omit<CostBound, 'drives'> {
  return { path: fields, schemaPath: schemaPathText(path), keyword, value: value === undefined ? null : Number(value) };
}

/**
 * Returns the bounds for all versions of a definition as one result. If a version has no sufficient bounds, the result names the
 * cost that stays too high. It also has the existing bounds that would have to be lowered.
 *
 * @param servers number of servers that must accept the definition
 */
export function foundBounds(versions: readonly VersionBounds[], servers: number): FoundBounds {
  const bounds = versions.flatMap(({ version, chosen }) => (chosen.kind === 'found' ? placedChanges(version, chosen.changes) : []));
  for (const { version, chosen, tightening } of versions) {
    if (chosen.kind !== 'none') continue;
    const where = servers > 1 ? `Kubernetes ${minorWords(chosen.helpless.minor)}: ` : '';
    return tightening === undefined
      ? { kind: 'none', why: `${where}${helplessWords(version, chosen.helpless)}` }
      : { kind: 'none', why: `${where}no missing bound helps ${costWords(version, chosen.helpless)}`, tightening: allTightening(versions) };
  }
  return bounds.length === 0 ? { kind: 'accepted' } : { kind: 'found', bounds };
}

/** Returns the bounds for all versions if existing bounds may be lowered, too. */
function allTightening(versions: readonly VersionBounds[]): readonly PlacedBound[] {
  return versions.flatMap(({ version, chosen, tightening }) =>
    placedChanges(version, tightening ?? (chosen.kind === 'found' ? chosen.changes : [])),
  );
}

function placedChanges(version: string, changes: readonly BoundChange[]): readonly PlacedBound[] {
  return changes.map(({ bound, value }) => {
    const { path, schemaPath, keyword, value: before } = placedBound(bound);
    return { version, path, schemaPath, keyword, before, suggested: Number(value) };
  });
}

/** Returns words for a cost that exceeds its limit with any bounds. */
function helplessWords(version: string, cost: LimitedCost): string {
  const whatever = 'too expensive whatever the bounds';
  const words = costWords(version, cost);
  if (cost.path === undefined) return `${words} stay ${whatever}; the rules themselves must become cheaper`;
  if (cost.part === 'rule') return `the rule ${words} stays ${whatever}; the rule itself must become cheaper`;
  return `${words} stays ${whatever}; the expression itself must become cheaper`;
}

/** Returns words for a cost that exceeds its limit: the path of a rule, its messageExpression, or all rules of a version. */
export function costWords(version: string, { path, part }: LimitedCost): string {
  if (path === undefined) return `all rules of ${version} together`;
  return part === 'rule' ? `${version} ${path}` : `the messageExpression of ${version} ${path}`;
}
