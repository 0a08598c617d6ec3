import type { BoundSuggestion, ExplainedDefinition } from '#evaluation';
import { SourceFile } from './source-file.ts';
import type { PlacedSource } from './source-file.ts';
import { schemaField } from './written-field.ts';

/** Bound that {@link mendText} set so that the costs of rules do not exceed their limits. */
export interface MendingBound {
  readonly version: string;
  /** Path of the fields that the bound limits, such as `spec.rules[*].name`. */
  readonly path: string;
  readonly keyword: string;
  /** Value of the bound in the text before the change; null if there was none. */
  readonly before: number | null;
  readonly suggested: number;
}

/** Result of {@link mendText}: nothing to change, the changed text, or the reason why no bound is sufficient. */
export type MendedText =
  | { readonly kind: 'in order' }
  | { readonly kind: 'mended'; readonly bounds: readonly MendingBound[]; readonly text: string }
  | { readonly kind: 'not mended'; readonly why: string };

/**
 * Function that computes the verdict on the text of a definition and the costs of its rules. Returns undefined if the text made the engine
 * fail.
 */
export type ExplainText = (text: string) => Promise<ExplainedDefinition | undefined>;

/**
 * Maximum number of rounds. Each round sets bounds for all rules that are too expensive by themselves. A later round handles rules that are
 * still too expensive together.
 */
const MAX_ROUNDS = 10;

/**
 * Adds bounds such as `maxItems` to a definition until a server accepts it. In each round, calls `explain` to get the rule costs and the
 * suggested bounds. Then writes the least restrictive suggestion for each rule that is too expensive.
 *
 * If no rule is too expensive by itself, writes bounds that reduce the total cost of all rules of a version. Comments in the text are kept.
 */
export async function mendText(before: string, explain: ExplainText): Promise<MendedText> {
  const bounds = new Map<string, MendingBound>();
  let text = before;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const explained = await explain(text);
    if (explained === undefined) return { kind: 'not mended', why: 'it ended the engine that explained it' };
    if (explained.report.accepted)
      return round === 0 ? { kind: 'in order' } : { kind: 'mended', bounds: [...bounds.values()].map(withoutSchemaPath), text };
    const changes = neededBounds(explained);
    if (changes.length === 0) return { kind: 'not mended', why: withoutHelp(explained) };
    for (const change of changes) {
      const written = withBound(text, change);
      if (written === undefined) return { kind: 'not mended', why: `${change.path} is written in a way that a bound cannot be added to` };
      text = written;
      const key = `${change.version} ${change.path} ${change.keyword}`;
      bounds.set(key, { ...change, before: bounds.get(key)?.before ?? change.before });
    }
  }
  return { kind: 'not mended', why: `${MAX_ROUNDS} rounds of bounds did not bring it under its limits` };
}

interface BoundChange extends MendingBound {
  /** Path of the schema node, relative to openAPIV3Schema. */
  readonly schemaPath: string;
}

/**
 * Returns the bounds to set in this round, for each rule that is too expensive by itself. If there is no such rule, returns bounds that
 * reduce the total cost of a version's rules. If a schema node gets the same bound twice, the smaller value is used.
 */
function neededBounds({ rules, schemas }: ExplainedDefinition): BoundChange[] {
  const ofRules = rules.flatMap(({ version, suggestions, messageSuggestions }) =>
    [suggestions, messageSuggestions].flatMap((ways) => boundsOf(version, ways)),
  );
  const all = ofRules.length > 0 ? ofRules : schemas.flatMap(({ version, suggestions }) => boundsOf(version, suggestions));
  const tightest = new Map<string, BoundChange>();
  for (const change of all) {
    const key = `${change.version} ${change.schemaPath} ${change.keyword}`;
    const known = tightest.get(key);
    if (known === undefined || change.suggested < known.suggested) tightest.set(key, change);
  }
  return [...tightest.values()];
}

/** Returns suggestions sorted by their smallest bound, the largest first. The first one restricts objects least. */
export function roomiestFirst(ways: readonly BoundSuggestion[]): readonly BoundSuggestion[] {
  const room = ({ bounds }: BoundSuggestion): number => Math.min(...bounds.map(({ suggested }) => suggested));
  return ways.toSorted((a, b) => room(b) - room(a));
}

/** Returns the bounds of the least restrictive suggestion. */
function boundsOf(version: string, ways: readonly BoundSuggestion[] = []): BoundChange[] {
  const [roomiest] = roomiestFirst(ways);
  return (roomiest?.bounds ?? []).map(({ path, schemaPath, keyword, value, suggested }) => ({
    version,
    path,
    schemaPath,
    keyword,
    before: value,
    suggested,
  }));
}

/** Returns an error text about the first rule whose cost no bound can reduce to the limit. */
function withoutHelp({ rules, schemas }: ExplainedDefinition): string {
  const isHelpless = (ways: readonly BoundSuggestion[] | undefined): boolean => ways?.length === 0;
  const expressions = rules.flatMap(({ version, path, suggestions, messageSuggestions }) => [
    ...(isHelpless(suggestions) ? [`${version} ${path}`] : []),
    ...(isHelpless(messageSuggestions) ? [`the messageExpression of ${version} ${path}`] : []),
  ]);
  const all = schemas.flatMap(({ version, suggestions }) => (isHelpless(suggestions) ? [`all rules of ${version} together`] : []));
  const [first] = expressions.length > 0 ? expressions : all;
  return first === undefined
    ? 'no rule costs too much: something else is wrong with the definition'
    : `no bound helps ${first}: it has to cost less by itself`;
}

/** Returns the text of a definition with a bound written into it; undefined if the bound cannot be added to the text. */
function withBound(text: string, { version, schemaPath, keyword, suggested }: BoundChange): string | undefined {
  const source = sourceOf(text);
  const root = schemaField(version, source);
  return source.withEntry(schemaPath === '' ? root : `${root}.${schemaPath}`, keyword, String(suggested));
}

function sourceOf(text: string): PlacedSource {
  const bytes = new TextEncoder().encode(text);
  return new SourceFile(bytes).document({ start: 0, end: bytes.length });
}

const withoutSchemaPath = ({ version, path, keyword, before, suggested }: MendingBound): MendingBound => ({
  version,
  path,
  keyword,
  before,
  suggested,
});
