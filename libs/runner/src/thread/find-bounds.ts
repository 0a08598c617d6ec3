import { definitionText, readSlice, roomiestFirst } from '#documents';
import type { BoundSuggestion, DefinitionWrite, DocumentSlice, ExplainedDefinition, FoundBounds, PlacedBound } from '#documents';
import { Cancelled, copyJson, isJsonObject, utf8Bytes, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { minorWords } from '#kube';
import type { Minor } from '#kube';
import type { Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { explainText } from './explain-definition.ts';

type BoundsWork = Extract<Work, { readonly kind: 'bounds' }>;

/**
 * Maximum number of rounds. Each round sets bounds for all rules that are too expensive by themselves. A later round handles rules that are
 * still too expensive together.
 */
const MAX_ROUNDS = 10;

/**
 * Searches for size bounds, such as `maxItems`, with which all of the servers accept a definition. Each round takes the least restrictive
 * suggestion for each rule that is too expensive. If no rule is too expensive by itself, it takes bounds that reduce the total cost of all
 * rules of a version. Throws `Cancelled` if the token requests cancellation.
 */
export function findBounds(work: BoundsWork, cache: DefinitionCache, token: CancellationToken): FoundBounds {
  const bounds = new Map<string, PlacedBound>();
  let slice = work.definition;
  let value: JsonValue | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { minor, explained } = firstRefusal(slice, work, cache, token);
    if (explained.report.accepted) return round === 0 ? { kind: 'accepted' } : { kind: 'found', bounds: [...bounds.values()] };
    const changes = neededBounds(explained);
    if (changes.length === 0)
      return { kind: 'none', why: `${work.servers.length > 1 ? `Kubernetes ${minorWords(minor)}: ` : ''}${withoutHelp(explained)}` };
    value ??= copiedDefinition(work.definition);
    for (const change of changes) {
      setBound(value, change);
      const key = `${change.version} ${change.path} ${change.keyword}`;
      bounds.set(key, { ...change, before: bounds.get(key)?.before ?? change.before });
    }
    slice = { bytes: utf8Bytes(writeJson(value, { escapeHtml: false, keys: 'own' })), notation: 'json' };
  }
  return { kind: 'none', why: `${MAX_ROUNDS} rounds of bounds did not bring it under its limits` };
}

/** Returns the explanation of the first server that refuses a definition, or of the last server if all accept it. */
function firstRefusal(
  slice: DocumentSlice,
  { servers, ...write }: BoundsWork & DefinitionWrite,
  cache: DefinitionCache,
  token: CancellationToken,
): { readonly minor: Minor; readonly explained: ExplainedDefinition } {
  let last: { readonly minor: Minor; readonly explained: ExplainedDefinition } | undefined;
  for (const server of servers) {
    if (token.cancelled) throw new Cancelled();
    last = { minor: server.minor, explained: explainText(definitionText(slice, server), write, cache).explained };
    if (!last.explained.report.accepted) break;
  }
  if (last === undefined) throw new Error('no server was given');
  return last;
}

function copiedDefinition(slice: DocumentSlice): JsonValue {
  const reading = readSlice(slice);
  return reading.ok ? copyJson(reading.value) : null;
}

/**
 * Returns the bounds to set in this round, for each rule that is too expensive by itself. If there is no such rule, returns bounds that
 * reduce the total cost of a version's rules. If a schema node gets the same bound twice, the smaller value is used.
 */
function neededBounds({ rules, schemas }: ExplainedDefinition): PlacedBound[] {
  const ofRules = rules.flatMap(({ version, suggestions, messageSuggestions }) =>
    [suggestions, messageSuggestions].flatMap((ways) => boundsOf(version, ways)),
  );
  const all = ofRules.length > 0 ? ofRules : schemas.flatMap(({ version, suggestions }) => boundsOf(version, suggestions));
  const tightest = new Map<string, PlacedBound>();
  for (const change of all) {
    const key = `${change.version} ${change.schemaPath} ${change.keyword}`;
    const known = tightest.get(key);
    if (known === undefined || change.suggested < known.suggested) tightest.set(key, change);
  }
  return [...tightest.values()];
}

/** Returns the bounds of the least restrictive suggestion ({@link roomiestFirst}). */
function boundsOf(version: string, ways: readonly BoundSuggestion[] = []): PlacedBound[] {
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

/** Returns a text about the first rule whose cost no bound can reduce to the limit. */
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

/** Writes a bound into the schema of a version. */
function setBound(definition: JsonValue, { version, schemaPath, keyword, suggested }: PlacedBound): void {
  const versions = member(member(definition, 'spec'), 'versions');
  const named = Array.isArray(versions) ? versions.find((one) => member(one, 'name') === version) : undefined;
  const node = nodeAt(member(member(named, 'schema'), 'openAPIV3Schema'), schemaPath);
  if (node !== undefined) node[keyword] = suggested;
}

/** Returns the schema node at a path such as `properties[spec].items`. */
function nodeAt(schema: JsonValue | undefined, path: string): JsonObject | undefined {
  if (path === '') return isJsonObject(schema) ? schema : undefined;
  if (path.startsWith('properties[')) {
    const properties = member(schema, 'properties');
    const rest = path.slice('properties['.length);
    const name = isJsonObject(properties) ? Object.keys(properties).find((key) => endsStep(rest, `${key}]`)) : undefined;
    return name === undefined ? undefined : nodeAt(member(properties, name), rest.slice(name.length + ']'.length).replace(/^\./, ''));
  }
  const step = ['items', 'additionalProperties'].find((keyword) => endsStep(path, keyword));
  return step === undefined ? undefined : nodeAt(member(schema, step), path.slice(step.length).replace(/^\./, ''));
}

const endsStep = (path: string, step: string): boolean => path === step || path.startsWith(`${step}.`);

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
