import { chooseDefinitionBounds } from '#crd';
import { definitionText, readSlice } from '#documents';
import type { DocumentSlice, FoundBounds, PlacedBound } from '#documents';
import { Cancelled, copyJson, isJsonObject, utf8Bytes, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { minorWords } from '#kube';
import type { Server } from '#kube';
import type { Work } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeText } from './judge-definition.ts';
import { foundBounds } from './placed-bounds.ts';

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
