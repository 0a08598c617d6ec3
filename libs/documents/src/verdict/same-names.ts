import type { DefinitionReport } from '../answer-types.ts';

/**
 * Returns the positions of the definitions by which a server would not judge objects, because another definition of the batch has the same
 * name. These are definitions that a later one replaced, and refused ones beside an accepted one.
 */
export function supersededDefinitions(reports: readonly DefinitionReport[]): ReadonlySet<number> {
  const standing = new Map<string, number>();
  for (const [i, { name, accepted }] of reports.entries()) if (accepted && name !== '') standing.set(name, i);
  return new Set(
    reports.flatMap(({ name }, i) => {
      const last = standing.get(name);
      return last === undefined || last === i ? [] : [i];
    }),
  );
}

/** Returns the positions of the definitions of each name that several definitions of a batch have. */
export function sameNames(reports: readonly Pick<DefinitionReport, 'name'>[]): readonly (readonly number[])[] {
  const byName = new Map<string, number[]>();
  for (const [i, { name }] of reports.entries()) {
    const known = byName.get(name);
    if (name === '') continue;
    if (known) known.push(i);
    else byName.set(name, [i]);
  }
  return [...byName.values()].filter(({ length }) => length > 1);
}
