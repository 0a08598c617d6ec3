import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

const BINDING = /^(Validating|Mutating)AdmissionPolicyBinding$/;

/**
 * Returns for each policy and binding the reasons why it has no effect, in the order of the documents. A document that may have an effect
 * has an empty list.
 */
export function idleReasons(documents: readonly JsonObject[]): readonly (readonly string[])[] {
  const bindings = documents.filter(isBinding);
  const bound = new Set(bindings.map(boundKeyOf));
  const policies = new Set(documents.filter((one) => !isBinding(one)).map(keyOf));
  return documents.map((one) => [...aloneReason(one, { bound, policies }), ...kindsAsResources(one)]);
}

/** Keys (kind and name) of the policies to which bindings refer, and of the policies that exist. */
interface Known {
  readonly bound: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

function aloneReason(document: JsonObject, { bound, policies }: Known): readonly string[] {
  if (!isBinding(document)) return bound.has(keyOf(document)) ? [] : ['it does nothing: no binding among the documents names it'];
  const key = boundKeyOf(document);
  return policies.has(key) ? [] : [`it does nothing: ${key} is not among the documents`];
}

/**
 * Returns a reason for each resource in a rule that is written like a kind, with an upper-case letter. Resources must be lowercase plurals.
 */
function kindsAsResources(document: JsonObject): readonly string[] {
  const { matchConstraints, matchResources } = specOf(document);
  const rules = [matchConstraints, matchResources].flatMap((match) => listOf(objectOf(match)['resourceRules']));
  const resources = rules.flatMap((rule) => listOf(objectOf(rule)['resources'])).map(textOf);
  return resources
    .filter((resource) => /[A-Z]/.test(resource))
    .map(
      (resource) =>
        `resources name ${resource}, and match nothing: a resource is a plural in lower case, such as ${resource.toLowerCase()}s`,
    );
}

const isBinding = (document: JsonObject): boolean => BINDING.test(textOf(document['kind']));
const keyOf = (policy: JsonObject): string => `${textOf(policy['kind'])} ${nameOf(policy)}`;
const boundKeyOf = (binding: JsonObject): string =>
  `${textOf(binding['kind']).slice(0, -'Binding'.length)} ${textOf(specOf(binding)['policyName'])}`;
const specOf = (document: JsonObject): JsonObject => objectOf(document['spec']);
const nameOf = (document: JsonObject): string => textOf(objectOf(document['metadata'])['name']);
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : newJsonObject());
