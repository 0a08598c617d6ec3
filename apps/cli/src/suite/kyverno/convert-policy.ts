import { isJsonObject, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Policy of a test, converted to the form of a server; or the reason why it cannot be converted. */
export type ConvertedPolicy =
  | { readonly ok: true; readonly mutates: boolean; readonly documents: readonly object[]; readonly paramKind: JsonValue | undefined }
  | { readonly ok: false; readonly notSupported: string };

const GROUP = 'admissionregistration.k8s.io';

/**
 * Converts a policy of a kyverno test into an admission policy with bindings. Admission policies of the API server are kept. Kyverno's
 * ValidatingPolicy and MutatingPolicy are converted in the way in which Kyverno generates admission policies. All bindings of validating
 * policies deny, because a test checks whether the validations hold. Source: kyverno pkg/admissionpolicy/builder.go (1.18).
 */
export function convertPolicy(policy: JsonObject, bindings: readonly JsonObject[]): ConvertedPolicy {
  const { apiVersion, kind } = policy;
  const name = nameOf(policy);
  if (typeof apiVersion === 'string' && apiVersion.startsWith(`${GROUP}/`)) return serverPolicy(policy, name, bindings);
  const isKyvernos = typeof apiVersion === 'string' && apiVersion.startsWith('policies.kyverno.io/');
  if (isKyvernos && kind === 'ValidatingPolicy') return generated(policy, name, 'validating');
  if (isKyvernos && kind === 'MutatingPolicy') return generated(policy, name, 'mutating');
  return { ok: false, notSupported: `no admission policy is made here of a ${String(kind)}` };
}

function serverPolicy(policy: JsonObject, name: string, all: readonly JsonObject[]): ConvertedPolicy {
  const mutates = policy['kind'] === 'MutatingAdmissionPolicy';
  const own = all.filter((binding) => binding['kind'] === `${String(policy['kind'])}Binding` && specOf(binding)['policyName'] === name);
  const bindings = own.length === 0 ? [bindingOf(name, mutates)] : own.map((binding) => denying(binding, mutates));
  return { ok: true, mutates, documents: [policy, ...bindings], paramKind: specOf(policy)['paramKind'] };
}

const denying = (binding: JsonObject, mutates: boolean): object =>
  mutates ? binding : { ...binding, spec: { ...specOf(binding), validationActions: ['Deny'] } };

/** Fields that Kyverno copies from its policies into the admission policies that it generates. */
const FIELDS = {
  validating: ['matchConstraints', 'matchConditions', 'validations', 'auditAnnotations', 'variables'],
  mutating: ['matchConditions', 'mutations', 'variables', 'failurePolicy', 'reinvocationPolicy'],
} as const;

function generated(policy: JsonObject, name: string, type: keyof typeof FIELDS): ConvertedPolicy {
  const mutates = type === 'mutating';
  const spec = specOf(policy);
  const reason = reasonAgainst(spec);
  if (reason !== undefined) return { ok: false, notSupported: reason };
  const taken: Record<string, JsonValue> = {};
  for (const field of FIELDS[type]) {
    const value = spec[field];
    if (value !== undefined && value !== null) taken[field] = value;
  }
  const constraints = spec['matchConstraints'];
  // From a mutating policy, Kyverno uses only the resource rules, but no selectors.
  if (mutates && isJsonObject(constraints)) taken['matchConstraints'] = { resourceRules: constraints['resourceRules'] ?? [] };
  const made = `${mutates ? 'mpol' : 'vpol'}-${name}`;
  const kind = mutates ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
  const document = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: made }, spec: taken };
  return { ok: true, mutates, documents: [document, bindingOf(made, mutates)], paramKind: undefined };
}

const bindingOf = (policyName: string, mutates: boolean): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: `${mutates ? 'Mutating' : 'Validating'}AdmissionPolicyBinding`,
  metadata: { name: `${policyName}-binding` },
  spec: { policyName, ...(!mutates && { validationActions: ['Deny'] }) },
});

/** Names through which expressions call libraries of Kyverno that no kube-apiserver has. Source: kyverno pkg/cel/libs (1.18). */
const LIBRARIES = [
  'resource',
  'http',
  'globalContext',
  'image',
  'images',
  'imageData',
  'generator',
  'exceptions',
  'user',
  'json',
  'yaml',
  'hash',
  'math',
  'time',
  'transform',
  'random',
  'x509',
  'gzip',
];
const CALL = new RegExp(String.raw`(?<![\w.'"])(${LIBRARIES.join('|')})\s*\.`);
const FUNCTION =
  /(?<![\w.'"])(image|parseImageReference|parseServiceAccount|isImage|extractPodImages|verifyImageSignatures|getImageData)\s*\(/;
const STRINGS = /r?"""[^]*?"""|r?'''[^]*?'''|r"[^"]*"|r'[^']*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/[^\n]*/g;

/**
 * Returns the reason why Kyverno cannot generate from `spec` an admission policy that a server would accept. Returns undefined if Kyverno
 * can generate such a policy.
 */
function reasonAgainst(spec: JsonObject): string | undefined {
  const evaluation = spec['evaluation'];
  if (isJsonObject(evaluation)) {
    const mode = evaluation['mode'];
    if (mode !== undefined && mode !== 'Kubernetes') return `evaluation.mode ${String(mode)}: it is asked about no writes`;
    const existing = evaluation['mutateExisting'];
    if (isJsonObject(existing) && existing['enabled'] === true) return 'it changes objects that exist already (mutateExisting)';
  }
  const constraints = spec['matchConstraints'];
  if (isJsonObject(constraints) && writeJson(constraints['resourceRules'] ?? null).includes('/'))
    return 'it is about subresources, which a table of resources does not tell apart';
  for (const expression of expressionsOf(spec)) {
    const code = expression.replaceAll(STRINGS, "''");
    const called = CALL.exec(code)?.[1] ?? FUNCTION.exec(code)?.[1];
    if (called !== undefined && !declares(expression, called)) return `it uses Kyverno's own library: ${called}`;
  }
  return undefined;
}

/** Returns true if a macro in an expression declares `name` as its variable, so that `name` does not refer to a library. */
const declares = (expression: string, name: string): boolean =>
  new RegExp(String.raw`\.(all|exists|exists_one|existsOne|filter|map|transformList|transformMap)\(\s*(\w+\s*,\s*)?${name}\s*,`).test(
    expression,
  );

/**
 * Yields all texts in fields whose names end with `expression` or `Expression`, such as `messageExpression` or `valueExpression`, at any
 * depth.
 */
function* expressionsOf(value: JsonValue | undefined): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* expressionsOf(item);
  if (!isJsonObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string' && /[eE]xpression$/.test(key)) yield member;
    else yield* expressionsOf(member);
  }
}

function specOf({ spec }: JsonObject): JsonObject {
  return isJsonObject(spec) ? spec : {};
}

/** Returns the `metadata.name` of an object; '' if there is none. */
export function nameOf({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}
