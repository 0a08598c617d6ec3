import { deepEqualJson, isJsonObject, writeJson } from '#go';
import { ruleTokens } from '#kube';
import type { SchemaChange } from '#kube';
import { KEYWORDS } from '../keywords/all.ts';
import type { Keyword } from '../keywords/keyword.ts';
import type { JsonObject, JsonValue } from '#go';

const DEPTH_LIMIT = 200;

/**
 * Returns the differences between two definitions, which are JSON of apiextensions.k8s.io/v1. Differences of the scope and the group come
 * first. Differences of the versions in `from` follow, in the order of `from`. Versions that exist only in `to` come last.
 */
export function schemaChanges(from: JsonObject, to: JsonObject): SchemaChange[] {
  const [before, after] = [objectOf(from['spec']), objectOf(to['spec'])];
  const versions = versionsOf(after);
  return [
    ...(['scope', 'group'] as const).flatMap((field) =>
      deepEqualJson(before[field], after[field])
        ? []
        : [{ change: `${field} changed`, breaking: true, path: '', ...texts(before[field], after[field]) }],
    ),
    ...[...versionsOf(before)].flatMap(([version, old]) => versionChanges(version, old, versions.get(version))),
    ...[...versions.keys()]
      .filter((version) => !versionsOf(before).has(version))
      .map((version) => ({ change: 'version added', breaking: false, version, path: '' })),
  ];
}

function versionChanges(version: string, old: JsonObject, now: JsonObject | undefined): SchemaChange[] {
  if (now === undefined) return [{ change: 'version removed', breaking: old['served'] === true, version, path: '' }];
  const unserved = old['served'] === true && now['served'] !== true;
  const stored = old['storage'] !== now['storage'] && now['storage'] === true;
  const schemaOf = (one: JsonObject): JsonObject => objectOf(objectOf(one['schema'])['openAPIV3Schema']);
  return [
    ...(unserved ? [{ change: 'version no longer served', breaking: true, version, path: '' }] : []),
    ...(stored ? [{ change: 'storage version changed', breaking: false, version, path: '' }] : []),
    ...nodeChanges(schemaOf(old), schemaOf(now), '', 0).map((change) => ({ ...change, version })),
  ];
}

/** Returns the differences between two states of a schema node and of all nodes below it. */
function nodeChanges(before: JsonObject, after: JsonObject, path: string, depth: number): SchemaChange[] {
  if (depth > DEPTH_LIMIT || deepEqualJson(before, after)) return [];
  const changeOf: ChangeMaker = (change, effect, old, now) => ({ change, breaking: effect === 'breaking', path, ...texts(old, now) });
  return [
    ...KEYWORDS.keywords.flatMap((keyword) => keywordChanges(keyword, [before[keyword.name], after[keyword.name]], path, changeOf)),
    ...fieldChanges(before, after, path, depth),
    ...valueChanges(before, after, { keyword: 'items', path, depth }),
    ...valueChanges(before, after, { keyword: 'additionalProperties', path, depth }),
  ];
}

type Json = JsonValue | undefined;
/** Effect of a change. After a breaking change, a valid object may be refused, stored differently, or become unreadable. */
type Effect = 'breaking' | 'harmless';
type ChangeMaker = (change: string, effect: Effect, old?: JsonValue, now?: JsonValue) => SchemaChange;

/** Returns the changes that follow from a changed keyword. Nested schemas are skipped here, because they are compared separately. */
function keywordChanges({ name, change }: Keyword, [old, now]: readonly [Json, Json], path: string, changeOf: ChangeMaker): SchemaChange[] {
  if (change.kind === 'none' || change.kind === 'structure' || deepEqualJson(old, now)) return [];
  switch (change.kind) {
    case 'exact':
      return [changeOf(change.change, now === undefined && change.loosenedByRemoval ? 'harmless' : 'breaking', old, now)];
    case 'bound': {
      const isTighter =
        now !== undefined && (old === undefined || (change.tighter === 'larger' ? Number(now) > Number(old) : Number(now) < Number(old)));
      return [changeOf(`${name} ${isTighter ? 'tightened' : 'loosened'}`, isTighter ? 'breaking' : 'harmless', old, now)];
    }
    case 'permission':
      if (old === true) return [changeOf(change.lost, 'breaking')];
      return now === true ? [changeOf(`${name} set`, 'harmless')] : [];
    case 'restriction':
      if (old === true) return [changeOf(`${name} removed`, 'harmless')];
      return now === true ? [changeOf(`${name} set`, 'breaking')] : [];
    case 'values':
      return enumChanges(listOf(old), listOf(now), changeOf);
    case 'fields':
      return requiredChanges(listOf(old), listOf(now), path);
    case 'rules':
      return ruleChanges(listOf(old), listOf(now), changeOf);
  }
}

function enumChanges(before: readonly JsonValue[], after: readonly JsonValue[], changeOf: ChangeMaker): SchemaChange[] {
  const lacks = (list: readonly JsonValue[], value: JsonValue): boolean => !list.some((one) => deepEqualJson(one, value));
  if (after.length === 0) return before.length === 0 ? [] : [changeOf('enum removed', 'harmless')];
  if (before.length === 0) return [changeOf('enum added', 'breaking', undefined, [...after])];
  const gone = before.filter((value) => lacks(after, value));
  const added = after.filter((value) => lacks(before, value));
  return [
    ...(gone.length > 0 ? [changeOf('enum narrowed', 'breaking', gone)] : []),
    ...(added.length > 0 ? [changeOf('enum widened', 'harmless', undefined, added)] : []),
  ];
}

function requiredChanges(before: readonly JsonValue[], after: readonly JsonValue[], path: string): SchemaChange[] {
  const named = (names: readonly JsonValue[], others: readonly JsonValue[], change: string, effect: Effect): SchemaChange[] =>
    names
      .filter((name) => !others.includes(name))
      .map((name) => ({ change, breaking: effect === 'breaking', path: fieldPath(path, String(name)) }));
  return [...named(after, before, 'required added', 'breaking'), ...named(before, after, 'required removed', 'harmless')];
}

/** Returns the added and removed rules. Rules have no names, so a rule with other tokens is a different rule. */
function ruleChanges(before: readonly JsonValue[], after: readonly JsonValue[], changeOf: ChangeMaker): SchemaChange[] {
  const textOf = (rule: JsonValue): string => (isJsonObject(rule) && typeof rule['rule'] === 'string' ? rule['rule'] : '');
  const byTokens = (rules: readonly JsonValue[]): ReadonlyMap<string, string> =>
    new Map(rules.map((rule) => [ruleTokens(textOf(rule)), textOf(rule)]));
  const [old, now] = [byTokens(before), byTokens(after)];
  return [
    ...[...now].filter(([tokens]) => !old.has(tokens)).map(([, rule]) => changeOf('rule added', 'breaking', undefined, rule)),
    ...[...old].filter(([tokens]) => !now.has(tokens)).map(([, rule]) => changeOf('rule removed', 'harmless', rule)),
  ];
}

function fieldChanges(before: JsonObject, after: JsonObject, path: string, depth: number): SchemaChange[] {
  const [old, now] = [objectOf(before['properties']), objectOf(after['properties'])];
  return [
    ...Object.keys(old).flatMap((name) =>
      Object.hasOwn(now, name)
        ? nodeChanges(objectOf(old[name]), objectOf(now[name]), fieldPath(path, name), depth + 1)
        : [{ change: 'field removed', breaking: true, path: fieldPath(path, name) }],
    ),
    ...Object.keys(now)
      .filter((name) => !Object.hasOwn(old, name))
      .map((name) => ({ change: 'field added', breaking: false, path: fieldPath(path, name) })),
  ];
}

/** Returns the differences between the schemas of a list's items or of a map's values. */
function valueChanges(
  before: JsonObject,
  after: JsonObject,
  { keyword, path, depth }: { readonly keyword: 'items' | 'additionalProperties'; readonly path: string; readonly depth: number },
): SchemaChange[] {
  const [old, now] = [before[keyword], after[keyword]];
  if (isJsonObject(old) && isJsonObject(now)) return nodeChanges(old, now, `${path}[*]`, depth + 1);
  if (deepEqualJson(old, now)) return [];
  return [{ change: `${keyword} changed`, breaking: now === undefined || isJsonObject(now), path }];
}

const fieldPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

function versionsOf(spec: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    listOf(spec['versions']).flatMap((version) => (isJsonObject(version) ? [[String(version['name']), version] as const] : [])),
  );
}

function texts(before: JsonValue | undefined, after: JsonValue | undefined): Pick<SchemaChange, 'before' | 'after'> {
  return { ...(before !== undefined && { before: textOf(before) }), ...(after !== undefined && { after: textOf(after) }) };
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : writeJson(value));
