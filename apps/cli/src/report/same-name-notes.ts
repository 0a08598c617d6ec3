import { sameNames, supersededDefinitions } from '#documents';
import type { DefinitionReport } from '#documents';

/** Definition of a report: its name and its place among the input documents. */
type NamedDefinition = Pick<DefinitionReport, 'name'> & { readonly source: string };

/**
 * Returns a note for each name that several definitions have. It names their files, and the definition by which objects are judged if the
 * reports of one server are given.
 */
export function sameNameNotes(definitions: readonly (NamedDefinition | (DefinitionReport & NamedDefinition))[]): string[] {
  const reports = definitions.filter((one): one is DefinitionReport & NamedDefinition => 'digest' in one);
  const superseded = reports.length === definitions.length ? supersededDefinitions(reports) : undefined;
  return sameNames(definitions).map((positions) => {
    const sources = positions.map((i) => definitions[i]?.source ?? '');
    const said = `${positions.length} definitions are named ${definitions[positions[0] as number]?.name ?? ''} (${sources.join(', ')})`;
    const order = `${said}, and a server receives them in this order, the later ones as updates`;
    const standing = positions.filter((i) => superseded?.has(i) === false && reports[i]?.accepted === true);
    return standing.length === 0 ? order : `${order}: objects are judged by ${standing.map((i) => definitions[i]?.source).join()}`;
  });
}
