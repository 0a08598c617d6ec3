import { compositeMadeInto, judgeDefinition, schemaChanges } from '#crd';
import type { DefinitionOptions, DefinitionVerdict, RuleCost } from '#crd';
import { definitionWrite } from '#documents';
import type { DefinitionReport, DefinitionText, DefinitionWrite, RulePrice } from '#documents';
import { Cancelled, isJsonObject, utf8Length, utf8Text, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { badRequestStatus } from '#kube';
import type { ResourceNames, SchemaChange } from '#kube';
import type { JudgedDefinition } from '../protocol.ts';
import { readDocument } from './definition-cache.ts';
import type { DefinitionCache, ReadDocument } from './definition-cache.ts';
import { NODE_ENGINE } from './node-linker.ts';
import { ownedFields } from './read-item.ts';

/** Computes a server's verdict on the creation of one definition, or on its update if a stored definition is given. */
export function judgeText(text: DefinitionText, how: JudgingHow, cache: DefinitionCache, stored?: DefinitionText): JudgedDefinition {
  const old = stored && readDocument(stored.slice);
  return judgeBeside(text, how, cache, old?.ok ? old.value : undefined).judged;
}

/** Options for computing the verdict on one definition. */
interface JudgingHow extends DefinitionWrite {
  readonly rules: boolean;
  readonly compares?: boolean;
  readonly measuredFrom?: number | undefined;
}

/**
 * Computes a server's verdict on the creation of one definition, or on its update if a stored definition is given as a value. Also returns
 * the verdict itself, which has the definition as the server would store it.
 */
export function judgeBeside(
  text: DefinitionText,
  { rules: withRules, asSent, fieldValidation, compares = false, measuredFrom = Infinity }: JudgingHow,
  cache: DefinitionCache,
  old: JsonValue | undefined,
): { readonly judged: JudgedDefinition; readonly verdict: DefinitionVerdict } {
  const options = { ...text, ...judgingOptions(text, { asSent, fieldValidation }, cache) };
  const verdict = unmadeVerdict(text) ?? judgeDefinition(text.slice.bytes, old, options);
  const document = cache.read(text);
  // A server reads only the first document of a body, and silently drops the others. Assay refuses such a body instead.
  const isWhole = document.ok || !verdict.accepted;
  const report = reportOf(text, isWhole ? verdict : { ...verdict, accepted: false, status: badRequestStatus(document.error) }, document);
  if (compares && old !== undefined) return { judged: { report, changes: changesFrom(old, document) }, verdict };
  const size = text.slice.bytes.length >= measuredFrom && document.ok && { jsonBytes: jsonBytes(document.value) };
  if (!withRules) return { judged: { report, ...size }, verdict };
  const judged = {
    report,
    ...size,
    rules: verdict.rules.map(ruleReport),
    schemaCost: Object.fromEntries([...verdict.schemaCost].map(([version, cost]) => [version, String(cost)])),
  };
  return { judged, verdict };
}

/** Returns the options with which every server judges a definition. */
export function judgingOptions(
  { slice }: DefinitionText,
  { asSent, fieldValidation }: DefinitionWrite,
  cache: DefinitionCache,
): Omit<DefinitionOptions, 'minor' | 'gates'> {
  const first = cache.readFirst(slice);
  return {
    contentType: slice.notation === 'json' ? 'application/json' : 'application/yaml',
    ...('yaml' in first && first),
    engine: NODE_ENGINE,
    recent: cache.recent,
    ownedFields: ownedFields(asSent),
    fieldValidation,
  };
}

/** Returns the verdict on a definition that Crossplane does not make. Its text is the reason. Returns undefined for other definitions. */
export function unmadeVerdict({ slice: { bytes, notation } }: DefinitionText): DefinitionVerdict | undefined {
  if (notation !== 'unread') return undefined;
  const nothing = { errors: [], warnings: [], stored: undefined, naming: undefined, rules: [], conditions: [] };
  return { ...nothing, accepted: false, status: badRequestStatus(utf8Text(bytes)), schemaCost: new Map() };
}

/** Returns the size of a value as JSON, in bytes. The order of keys does not change the size. */
const jsonBytes = (value: JsonValue): number => utf8Length(writeJson(value, { escapeHtml: true, keys: 'own' }));

/** Returns the differences between a stored definition and its replacement. Returns an empty list if the replacement cannot be read. */
function changesFrom(old: JsonValue, document: ReadDocument): readonly SchemaChange[] {
  return document.ok && isJsonObject(old) && isJsonObject(document.value) ? schemaChanges(old, document.value) : [];
}

/**
 * Returns the report on a definition. Even if the definition is refused, the report contains the definition's name, group, kind and
 * versions, if they can be read.
 */
export function reportOf({ digest }: DefinitionText, verdict: DefinitionVerdict, document: ReadDocument): DefinitionReport {
  const spec = document.ok ? member(document.value, 'spec') : undefined;
  const versions = spec?.['versions'];
  return {
    name: (document.ok && text(member(document.value, 'metadata')?.['name'])) || '',
    ...optional('group', text(spec?.['group'])),
    ...optional('kind', text(member(spec, 'names')?.['kind'])),
    versions: Array.isArray(versions) ? versions.flatMap((version) => text(isJsonObject(version) ? version['name'] : undefined) ?? []) : [],
    digest,
    accepted: verdict.accepted,
    ...optional('status', verdict.status),
    warnings: [...verdict.warnings],
    ...optional('takenOff', verdict.takenOff),
    ...optional('composite', document.ok && isJsonObject(document.value) ? compositeMadeInto(document.value) : undefined),
    ...optional('names', verdict.naming && namesOf(verdict.naming.names)),
    conditions: [...(verdict.naming === undefined ? [] : [verdict.naming.established]), ...verdict.conditions],
  };
}

/** Returns all names of a resource except the categories, because several definitions may share a category. */
function namesOf({ plural, singular, shortNames, kind, listKind }: ResourceNames): ResourceNames {
  return { plural, singular, shortNames, kind, listKind };
}

/** Returns the static cost of a rule in the form in which it is sent between processes. */
export function ruleReport(rule: RuleCost): RulePrice {
  return {
    version: rule.version,
    path: rule.path,
    rule: rule.rule,
    maxCost: String(rule.maxCost),
    cardinality: rule.cardinality === undefined ? null : String(rule.cardinality),
    totalCost: String(rule.totalCost),
    usesOldSelf: rule.usesOldSelf,
    ...optional('messageMaxCost', rule.messageMaxCost === undefined ? undefined : String(rule.messageMaxCost)),
    ...optional('error', rule.error),
    ...optional('messageError', rule.messageError),
  };
}

function member(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

/**
 * Validates one definition as several servers do, one server after another. `definitions` has one entry for each server. If two consecutive
 * servers agree on a rule, both reports refer to the same rule object, so that it is sent only once. Throws `Cancelled` if the token
 * requests cancellation.
 */
export function judgeEach(
  definitions: readonly DefinitionText[],
  how: DefinitionWrite & { readonly rules: boolean },
  cache: DefinitionCache,
  token: CancellationToken,
): readonly JudgedDefinition[] {
  const judged: JudgedDefinition[] = [];
  for (const definition of definitions) {
    if (token.cancelled) throw new Cancelled();
    judged.push(sharing(judgeText(definition, how, cache), judged.at(-1)?.rules));
  }
  return judged;
}

function sharing(judged: JudgedDefinition, before: readonly RulePrice[] | undefined): JudgedDefinition {
  if (judged.rules === undefined || before === undefined) return judged;
  const rules = judged.rules.map((rule, i) => {
    const same = before[i];
    return same !== undefined && saysTheSame(rule, same) ? same : rule;
  });
  const isSame = rules.length === before.length && rules.every((rule, i) => rule === before[i]);
  return { ...judged, rules: isSame ? before : rules };
}

function saysTheSame(a: RulePrice, b: RulePrice): boolean {
  return (
    a.path === b.path &&
    a.version === b.version &&
    a.rule === b.rule &&
    a.maxCost === b.maxCost &&
    a.cardinality === b.cardinality &&
    a.totalCost === b.totalCost &&
    a.usesOldSelf === b.usesOldSelf &&
    a.messageMaxCost === b.messageMaxCost &&
    a.error === b.error &&
    a.messageError === b.messageError
  );
}

/**
 * Judges definitions of one name as a server does that receives them in this order. The server creates the first definition that it accepts.
 * Each later one is an update of the stored definition. `updateOf` of its report is the position of this stored definition. Throws `Cancelled` if the token requests cancellation.
 */
export function judgeSequence(
  definitions: readonly DefinitionText[],
  how: DefinitionWrite & { readonly rules: boolean },
  cache: DefinitionCache,
  token: CancellationToken,
): readonly JudgedDefinition[] {
  let stored: { readonly value: JsonValue; readonly index: number } | undefined;
  return definitions.map((text, index) => {
    if (token.cancelled) throw new Cancelled();
    const { judged, verdict } = judgeBeside(text, { ...how, ...definitionWrite(text, how) }, cache, stored?.value);
    const updateOf = stored?.index;
    if (judged.report.accepted && verdict.stored !== undefined) stored = { value: verdict.stored, index };
    return updateOf === undefined ? judged : { ...judged, report: { ...judged.report, updateOf } };
  });
}
