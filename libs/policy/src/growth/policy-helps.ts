import { EMPTY_SCHEMA, environmentFor, priceParts, DYN } from '#cel';
import type { CostedPart } from '#cel';
import { deepEqualJson, isJsonObject, newJsonObject, writeJson } from '#go';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import { buildRequest } from '../request/admission-request.ts';
import { serverKinds } from '../request/kinds.ts';
import type { PolicySubject } from './multiply-policy.ts';
import { probeAt } from './count-growth.ts';
import type { SizedProbe } from './count-growth.ts';
import { compileSubject, isMutating } from './probe-policy.ts';
import type { SampleRequest } from './probe-policy.ts';

/** Change of a policy that makes requests cheaper, with the evaluations before and after the change. */
export interface HelpfulChange {
  readonly change: 'merge-bindings' | 'refuse-first' | 'narrow-constraints' | 'share-by-variable';
  readonly text: string;
  /** Phrase that names the request of both evaluations, such as `the sample`. */
  readonly request: string;
  readonly before: SizedProbe;
  readonly after: SizedProbe;
}

/** Change of a policy before it is judged. */
interface Proposal extends Pick<HelpfulChange, 'change' | 'text' | 'request'> {
  readonly subject: PolicySubject;
  /** Request for which the change helps; undefined for the sample request. */
  readonly sample?: SampleRequest;
  /** True if the change is meant to let the policy pass over the request, so that the policy decides nothing. */
  readonly skips?: boolean;
}

/**
 * Yields the changes of a policy that make requests cheaper. Each changed policy was tried with a request, and gave the same
 * answer as the policy itself. A change that lets the policy pass over a request is reported only if the policy allows this request. Throws
 * `Cancelled` if the token requests cancellation.
 */
export function* helpfulChanges(
  subject: PolicySubject,
  sample: SampleRequest,
  token: CancellationToken | undefined,
): Generator<HelpfulChange> {
  const judge = (one: PolicySubject, request: SampleRequest): SizedProbe | undefined => {
    const compiled = compileSubject(one, request, token);
    return typeof compiled === 'string' ? undefined : probeAt(1, compiled, request, token);
  };
  const base = judge(subject, sample);
  if (base === undefined) return;
  const proposals = [
    ...mergedBindings(subject),
    ...sharedVariable(subject, base, sample),
    ...refusedFirst(subject, sample),
    ...narrowed(subject, sample),
  ];
  const done = new Set<string>();
  for (const { subject: changed, sample: other, skips = false, ...proposal } of proposals) {
    if (done.has(proposal.change)) continue;
    const before = other === undefined ? base : judge(subject, other);
    const after = judge(changed, other ?? sample);
    if (before === undefined || after === undefined || !isBetter(before, after)) continue;
    if (skips ? before.probe.refusal !== undefined || after.probe.refusal !== undefined : !isSameAnswer(before, after)) continue;
    done.add(proposal.change);
    yield { ...proposal, before, after };
  }
}

/** Returns true if both refuse the request, or if both allow it and leave the same object. */
function isSameAnswer({ probe: before }: SizedProbe, { probe: after }: SizedProbe): boolean {
  if (before.refusal !== undefined || after.refusal !== undefined) return (before.refusal === undefined) === (after.refusal === undefined);
  return deepEqualJson(before.mutated ?? null, after.mutated ?? null);
}

/** Share of the cost that a change must leave at most, so that it is worth a mention. */
const WORTH = 0.9;

/** Returns true if a request costs a tenth less, or if it costs the same and a server compares it with fewer bindings. */
const isBetter = (before: SizedProbe, after: SizedProbe): boolean =>
  after.probe.cost <= WORTH * before.probe.cost || (after.probe.cost === before.probe.cost && after.facts.bindings < before.facts.bindings);

/** Bindings that differ only in the namespaces that they select, merged into one. */
function mergedBindings(subject: PolicySubject): Proposal[] {
  const groups = [...Map.groupBy(subject.bindings, (binding) => writeJson(withoutNamespaces(binding))).values()];
  const merged = groups.map((same) => mergedInto(same) ?? same);
  const saved = subject.bindings.length - merged.flat().length;
  if (saved === 0) return [];
  return [
    {
      change: 'merge-bindings',
      text: `${merged.flat().length === 1 ? 'one binding' : `${merged.flat().length} bindings`} with a namespaceSelector in the place of ${subject.bindings.length} bindings`,
      request: 'the sample',
      subject: { ...subject, bindings: merged.flat() },
    },
  ];
}

/** Returns the spec of a binding without its namespaceSelector. */
function withoutNamespaces(binding: JsonObject): JsonObject {
  const spec = objectOf(binding['spec']);
  const { namespaceSelector: _, ...resources } = objectOf(spec['matchResources']);
  return changed(spec, { matchResources: changed(newJsonObject(), resources) });
}

/** Returns one binding with a namespaceSelector for the namespaces of all given ones. Undefined if their selectors are of other forms. */
function mergedInto(same: readonly JsonObject[]): JsonObject[] | undefined {
  const [first] = same;
  if (first === undefined || same.length === 1) return undefined;
  const selectors = same.map((binding) => objectOf(objectOf(objectOf(binding['spec'])['matchResources'])['namespaceSelector']));
  if (selectors.every((selector) => Object.keys(selector).length === 0)) return [first];
  const labels = selectors.map((selector) => Object.entries(objectOf(selector['matchLabels'])));
  const key = labels[0]?.[0]?.[0];
  const isOneLabel = labels.every((own) => own.length === 1 && own[0]?.[0] === key);
  if (key === undefined || !isOneLabel || selectors.some((selector) => selector['matchExpressions'] !== undefined)) return undefined;
  const values = [...new Set(labels.flatMap((own) => own.map(([, value]) => value)))];
  const expression = changed(newJsonObject(), { key, operator: 'In', values });
  const spec = objectOf(first['spec']);
  const selector = changed(newJsonObject(), { matchExpressions: [expression] });
  return [
    changed(first, { spec: changed(spec, { matchResources: changed(objectOf(spec['matchResources']), { namespaceSelector: selector }) }) }),
  ];
}

/** A match condition that is false for the user of the sample request. */
function refusedFirst(subject: PolicySubject, { request }: SampleRequest): Proposal[] {
  const spec = objectOf(subject.policy['spec']);
  if (listOf(spec['matchConditions']).length > 0) return [];
  const { username } = request.user;
  const expression = `request.userInfo.username != ${JSON.stringify(username)}`;
  const condition = changed(newJsonObject(), { name: 'assay-refuses', expression });
  return [
    {
      change: 'refuse-first',
      text: `a matchCondition that refuses requests without a need for checks, such as ${expression}`,
      request: 'such a request',
      subject: { ...subject, policy: changed(subject.policy, { spec: changed(spec, { matchConditions: [condition] }) }) },
      skips: true,
    },
  ];
}

/** Object of a kind that hardly any policy is meant for, to show what a policy for all kinds costs other requests. */
const OTHER_OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace: 'default' }, data: { key: 'value' } };

/** Match constraints that name the resource of the sample instead of all resources. */
function narrowed(subject: PolicySubject, sample: SampleRequest): Proposal[] {
  const spec = objectOf(subject.policy['spec']);
  const constraints = objectOf(spec['matchConstraints']);
  const { resource, kind } = sample.request;
  const rules = listOf(constraints['resourceRules']).map(objectOf);
  const isWide = rules.some((rule) =>
    ['apiGroups', 'resources'].some((name) => listOf(rule[name]).some((one) => one === '*' || one === '*/*')),
  );
  if (!isWide || kind.kind === OTHER_OBJECT.kind) return [];
  const exact = changed(rules[0] ?? newJsonObject(), {
    apiGroups: [resource.group],
    apiVersions: [resource.version],
    resources: [resource.resource],
  });
  const { server } = sample;
  const other = buildRequest(
    {
      object: changed(newJsonObject(), {
        ...OTHER_OBJECT,
        metadata: changed(newJsonObject(), OTHER_OBJECT.metadata),
        data: changed(newJsonObject(), OTHER_OBJECT.data),
      }),
    },
    serverKinds(server.minor, subject.definitions),
    server.minor,
  );
  if (!other.ok) return [];
  const named = changed(constraints, { resourceRules: [exact] });
  return [
    {
      change: 'narrow-constraints',
      text: `matchConstraints that name only ${resource.resource}`,
      request: 'a write of a ConfigMap',
      subject: { ...subject, policy: changed(subject.policy, { spec: changed(spec, { matchConstraints: named }) }) },
      sample: { ...sample, request: other.request },
      skips: true,
    },
  ];
}

/** Name of the variable that holds a shared part of expressions. */
const SHARED = 'assayShared';
/** Number of parts that are tried as a shared variable. */
const MAX_SHARED = 4;

/** Parts of validations that occur more than once, each moved into a variable. The parts with the highest repeated cost come first. */
function sharedVariable(subject: PolicySubject, { probe }: SizedProbe, { server }: SampleRequest): Proposal[] {
  if (isMutating(subject.policy)) return [];
  const self = { kind: 'scalar', type: DYN, schema: EMPTY_SCHEMA, minSerializedSize: 0, maxElements: 0 } as const;
  const sizes = { self, environment: environmentFor(server.minor, 'stored') };
  const costs = new Map<string, number[]>();
  const [run] = probe.runs.toSorted((a, b) => b.evaluations.length - a.evaluations.length);
  for (const { part, measured } of run?.evaluations ?? [])
    if (part === 'validation' && measured !== undefined)
      for (const { text, actual } of partsWithin(priceParts(measured.checked, sizes, measured.readings)))
        costs.set(text, [...(costs.get(text) ?? []), actual?.total ?? 0]);
  const repeated = [...costs].filter(([, own]) => own.length > 1).map(([text, own]) => ({ text, saved: sum(own) - Math.max(...own) }));
  return repeated
    .filter(({ saved }) => saved > repeated.length)
    .toSorted((a, b) => b.saved - a.saved || b.text.length - a.text.length)
    .slice(0, MAX_SHARED)
    .map(({ text }) => ({
      change: 'share-by-variable',
      text: `a variable for ${text}, which ${(costs.get(text) ?? []).length} places compute`,
      request: 'the sample',
      subject: { ...subject, policy: withShared(subject.policy, text) },
    }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const partsWithin = (part: CostedPart): readonly CostedPart[] => [part, ...part.parts.flatMap(partsWithin)];

function withShared(policy: JsonObject, text: string): JsonObject {
  const spec = objectOf(policy['spec']);
  const validations = listOf(spec['validations']).map((one) => {
    const validation = objectOf(one);
    const { expression } = validation;
    return typeof expression === 'string'
      ? changed(validation, { expression: expression.replaceAll(text, `variables.${SHARED}`) })
      : validation;
  });
  const variable = changed(newJsonObject(), { name: SHARED, expression: text });
  return changed(policy, { spec: changed(spec, { validations, variables: [...listOf(spec['variables']), variable] }) });
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : newJsonObject());
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const changed = (object: JsonObject, members: Readonly<Record<string, JsonValue>>): JsonObject =>
  Object.assign(newJsonObject(), object, members);
