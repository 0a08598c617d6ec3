import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { splitApiVersion } from '../params.ts';

/** A policy with the documents that it needs. Studies multiply the first binding. */
export interface PolicySubject {
  readonly policy: JsonObject;
  /** Bindings of the policy, at least one. */
  readonly bindings: readonly JsonObject[];
  /** Namespaces and parameter objects. */
  readonly cluster: readonly JsonObject[];
  readonly definitions: readonly JsonObject[];
}

/** Parts of a policy's configuration whose number a study varies. */
export const MULTIPLIED = ['bindings', 'parameters', 'variables', 'matchConditions'] as const;
export type Multiplied = (typeof MULTIPLIED)[number];

/** A policy with a chosen number of parts, or the reason why there is none. */
export type MultipliedPolicy = { readonly ok: true; readonly subject: PolicySubject } | { readonly ok: false; readonly why: string };

/** Label that parameter objects get, by which one binding selects all of them. */
const COPY_LABEL = 'assay.dev/copy';
/** First characters of the names of copied variables. */
const COPY_NAME = 'assayCopy';

/**
 * Returns a policy with `count` bindings, parameter objects, variables or match conditions in the place of its own. All are copies of one
 * part of the policy.
 *
 * - Each copy of a binding has a copy of its parameter object, unless the binding selects parameters by labels.
 * - For parameters, one binding selects all copies of its parameter object.
 * - `chosen` is the index of the variable or match condition that is copied. The other ones remain. All copies of a variable are used.
 */
export function multiplyPolicy(subject: PolicySubject, what: Multiplied, count: number, chosen = 0): MultipliedPolicy {
  switch (what) {
    case 'bindings':
      return multiplyBindings(subject, count);
    case 'parameters':
      return multiplyParameters(subject, count);
    case 'variables':
      return multiplyVariables(subject, count, chosen);
    case 'matchConditions':
      return multiplyConditions(subject, count, chosen);
  }
}

const failed = (why: string): MultipliedPolicy => ({ ok: false, why });
const made = (subject: PolicySubject): MultipliedPolicy => ({ ok: true, subject });

function multiplyBindings(subject: PolicySubject, count: number): MultipliedPolicy {
  const [binding] = subject.bindings;
  if (binding === undefined) return failed('the policy has no binding');
  const name = paramRefOf(binding)?.['name'];
  const copied = typeof name === 'string' && name !== '' ? parametersOf(subject).filter((param) => nameOf(param) === name) : [];
  const numbers = Array.from({ length: count }, (_, i) => i);
  return made({
    ...subject,
    bindings: numbers.map((i) => {
      const copy = named(binding, copyName(nameOf(binding), i));
      return copied.length === 0 ? copy : inSpec(copy, 'paramRef', changed(paramRefOf(copy), { name: copyName(String(name), i) }));
    }),
    cluster: [
      ...without(subject.cluster, copied),
      ...numbers.flatMap((i) => copied.map((param) => named(param, copyName(nameOf(param), i)))),
    ],
  });
}

function multiplyParameters(subject: PolicySubject, count: number): MultipliedPolicy {
  const [binding] = subject.bindings;
  const ref = binding && paramRefOf(binding);
  if (binding === undefined || ref === undefined) return failed('no binding of the policy has a paramRef');
  const params = parametersOf(subject);
  const { name, selector } = ref;
  const param = params.find((one) => (typeof name === 'string' && name !== '' ? nameOf(one) === name : isJsonObject(selector)));
  if (param === undefined) return failed('the files hold no parameter object of the policy');
  const labelled = inMetadata(param, 'labels', changed(objectOf(objectOf(param['metadata'])?.['labels']), { [COPY_LABEL]: 'yes' }));
  const { name: _, ...rest } = ref;
  const selecting = changed(undefined, {
    ...rest,
    selector: changed(undefined, { matchLabels: changed(undefined, { [COPY_LABEL]: 'yes' }) }),
  });
  return made({
    ...subject,
    bindings: [inSpec(binding, 'paramRef', selecting)],
    cluster: [
      ...without(subject.cluster, params),
      ...Array.from({ length: count }, (__, i) => named(labelled, copyName(nameOf(param), i))),
    ],
  });
}

function multiplyVariables(subject: PolicySubject, count: number, chosen: number): MultipliedPolicy {
  const { policy } = subject;
  const variables = listOf(policy, 'variables');
  const variable = objectOf(variables[chosen]);
  if (variable === undefined) return failed('the policy has no variables');
  const names = Array.from({ length: count }, (_, i) => `${COPY_NAME}${i}`);
  const copies = names.map((name) => changed(variable, { name }));
  const use = `[${names.map((name) => `dyn(variables.${name})`).join(', ')}].size() >= 0`;
  const using = withUse(policy, use);
  if (using === undefined) return failed('the policy has no expression that could use more variables');
  return made({ ...subject, bindings: subject.bindings.slice(0, 1), policy: inSpec(using, 'variables', [...variables, ...copies]) });
}

/** Returns the policy with an expression that uses the copies of a variable; undefined if no expression can use them. */
function withUse(policy: JsonObject, use: string): JsonObject | undefined {
  if (policy['kind'] === 'ValidatingAdmissionPolicy')
    return inSpec(policy, 'validations', [...listOf(policy, 'validations'), changed(undefined, { expression: use })]);
  const [first, ...others] = listOf(policy, 'mutations');
  const mutation = objectOf(first);
  const part = ['applyConfiguration', 'jsonPatch'].find((name) => isJsonObject(mutation?.[name]));
  const expression = part && objectOf(mutation?.[part])?.['expression'];
  if (part === undefined || typeof expression !== 'string') return undefined;
  const wrapped = changed(undefined, { expression: `${use} ? (${expression}) : (${expression})` });
  return inSpec(policy, 'mutations', [changed(mutation, { [part]: wrapped }), ...others]);
}

/** Maximum number of match conditions of a policy. Source: kubernetes pkg/apis/admissionregistration/validation/validation.go (1.37). */
export const MAX_MATCH_CONDITIONS = 64;

function multiplyConditions(subject: PolicySubject, count: number, chosen: number): MultipliedPolicy {
  const conditions = listOf(subject.policy, 'matchConditions');
  const condition = objectOf(conditions[chosen]);
  if (condition === undefined) return failed('the policy has no matchConditions');
  if (count > MAX_MATCH_CONDITIONS) return failed(`a server accepts at most ${MAX_MATCH_CONDITIONS} matchConditions`);
  const copies = Array.from({ length: count }, (_, i) => changed(condition, { name: `${COPY_NAME}-${i}` }));
  return made({ ...subject, bindings: subject.bindings.slice(0, 1), policy: inSpec(subject.policy, 'matchConditions', copies) });
}

/** Returns the documents of the policy's paramKind. */
function parametersOf({ policy, cluster }: PolicySubject): readonly JsonObject[] {
  const kind = objectOf(objectOf(policy['spec'])?.['paramKind']);
  if (kind === undefined) return [];
  const group = splitApiVersion(String(kind['apiVersion']))[0];
  return cluster.filter((one) => one['kind'] === kind['kind'] && splitApiVersion(String(one['apiVersion']))[0] === group);
}

const objectOf = (value: JsonValue | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
const paramRefOf = (binding: JsonObject): JsonObject | undefined => objectOf(objectOf(binding['spec'])?.['paramRef']);

function nameOf(document: JsonObject): string {
  const name = objectOf(document['metadata'])?.['name'];
  return typeof name === 'string' ? name : '';
}

const copyName = (name: string, i: number): string => (i === 0 ? name : `${name}-${i}`);

function listOf(policy: JsonObject, name: string): readonly JsonValue[] {
  const list = objectOf(policy['spec'])?.[name];
  return Array.isArray(list) ? list : [];
}

const without = (documents: readonly JsonObject[], gone: readonly JsonObject[]): readonly JsonObject[] =>
  documents.filter((document) => !gone.includes(document));

const changed = (object: JsonObject | undefined, members: Readonly<Record<string, JsonValue>>): JsonObject =>
  Object.assign(newJsonObject(), object, members);

const inSpec = (document: JsonObject, name: string, value: JsonValue): JsonObject =>
  changed(document, { spec: changed(objectOf(document['spec']), { [name]: value }) });

const inMetadata = (document: JsonObject, name: string, value: JsonValue): JsonObject =>
  changed(document, { metadata: changed(objectOf(document['metadata']), { [name]: value }) });

const named = (document: JsonObject, name: string): JsonObject => inMetadata(document, 'name', name);
