import { boundCeilings, chooseDefinitionBounds, isCostError, schemaPathText } from '#crd';
import type { BoundChange, LimitedCost, SchemaBound, VersionBounds } from '#crd';
import { definitionText, readSlice } from '#documents';
import type { BoundCeiling, CostBound, DocumentSlice, FoundBounds, PlacedBound } from '#documents';
import { Cancelled, copyJson, isJsonObject, utf8Bytes, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { minorWords } from '#kube';
import type { Server } from '#kube';
import type { Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeBeside, judgeText } from './judge-definition.ts';

type BoundsWork = Extract<Work, { readonly kind: 'bounds' }>;

/**
 * Searches for size bounds, such as `maxItems`, with which all of the servers accept a definition. All servers judge the definition with the
 * found bounds, so the result is verified. Throws `Cancelled` if the token requests cancellation.
 */
export function findBounds(work: BoundsWork, cache: DefinitionCache, token: CancellationToken): FoundBounds {
  const refusing = firstRefusing(work.definition, work, cache, token);
  if (refusing === undefined) return { kind: 'accepted' };
  const { servers, choice } = work;
  const versions = chooseDefinitionBounds(work.definition.bytes, { servers, choice, recent: cache.recent, token });
  const found = foundBounds(versions, servers.length);
  if (found.kind === 'accepted') return otherFault(refusing, work, 'no rule costs too much: something else is wrong with the definition');
  if (found.kind === 'none') return found;
  const value = copiedDefinition(work.definition);
  for (const bound of found.bounds) setBound(value, bound);
  const bounded: DocumentSlice = { bytes: utf8Bytes(writeJson(value, { escapeHtml: false, keys: 'own' })), notation: 'json' };
  const still = firstRefusing(bounded, work, cache, token);
  return still === undefined ? found : otherFault(still, work, 'besides the costs of rules, something else is wrong with the definition');
}

/** Returns the first server that refuses the creation of a definition; undefined if all servers accept it. */
function firstRefusing(slice: DocumentSlice, work: BoundsWork, cache: DefinitionCache, token: CancellationToken): Server | undefined {
  return work.servers.find((server) => {
    if (token.cancelled) throw new Cancelled();
    return !judgeText(definitionText(slice, server), { ...work, rules: false }, cache).report.accepted;
  });
}

/** Returns a result for a definition that a server refuses for another reason than its costs. */
function otherFault({ minor }: Server, { servers }: BoundsWork, why: string): FoundBounds {
  return { kind: 'none', why: `${servers.length > 1 ? `Kubernetes ${minorWords(minor)}: ` : ''}${why}` };
}

function copiedDefinition(slice: DocumentSlice): JsonValue {
  const reading = readSlice(slice);
  return reading.ok ? copyJson(reading.value) : null;
}

/** Writes a bound into the schema of a version. */
function setBound(definition: JsonValue, { version, schemaPath, keyword, suggested }: PlacedBound): void {
  const versions = member(member(definition, 'spec'), 'versions');
  const named = Array.isArray(versions) ? versions.find((one) => member(one, 'name') === version) : undefined;
  const node = nodeAt(member(member(named, 'schema'), 'openAPIV3Schema'), schemaPath);
  if (node !== undefined) node[keyword] = suggested;
}

/** Returns the schema node at a path such as `properties[spec].items`; undefined if there is none. */
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
function costWords(version: string, { path, part }: LimitedCost): string {
  if (path === undefined) return `all rules of ${version} together`;
  return part === 'rule' ? `${version} ${path}` : `the messageExpression of ${version} ${path}`;
}
