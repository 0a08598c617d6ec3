/** Report on a definition, with the name of the CompositeResourceDefinition of which the definition was made. */
interface MadeReport {
  readonly name: string;
  readonly composite?: string | undefined;
}

/** Maximum number of definitions that the notice names. Further definitions are only counted. */
const NAMED = 3;

/**
 * Returns the notice about definitions that were made of Crossplane's CompositeResourceDefinitions. It says that the release of Crossplane
 * in the cluster is not known. Returns undefined if there are no such definitions.
 */
export function compositeNotice(reports: readonly MadeReport[]): string | undefined {
  const names = [...new Set(reports.flatMap(({ name, composite }) => (composite === undefined ? [] : [name])))];
  if (names.length === 0) return undefined;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `judged as made by Crossplane 2.4 of a CompositeResourceDefinition: ${names.slice(0, NAMED).join(', ')}${more}; other releases can add other fields`;
}
