import { Cancelled, isJsonObject } from '#go';
import { readBinding } from '../read/binding.ts';
import { Unreadable } from '../read/fields.ts';
import { readValidatingPolicy } from '../read/policy.ts';
import { compileBinding, compilePolicy } from './compiled-policy.ts';
import type { EngineChoice } from '#cel';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { CompiledBinding, CompiledPolicy } from './compiled-policy.ts';

/** Validating policy with its bindings. A policy has an effect only through its bindings. */
export interface PolicyHook {
  readonly compiled: CompiledPolicy;
  readonly bindings: readonly CompiledBinding[];
}

/**
 * Validating policies of a server, in the order in which they were given. The order in a server is random. Policies without bindings have
 * no effect.
 */
export interface CompiledPolicySet {
  readonly minor: Minor;
  readonly hooks: readonly PolicyHook[];
}

/** Result of compiling validating policies: the compiled policies, or the reason why a document is invalid. */
export type PolicySetResult = { readonly ok: true; readonly set: CompiledPolicySet } | { readonly ok: false; readonly error: string };

/** Options for compiling policies. */
export interface CompilePoliciesOptions {
  readonly minor: Minor;
  readonly engine: EngineChoice | undefined;
  readonly token?: CancellationToken | undefined;
}

/**
 * Reads and compiles ValidatingAdmissionPolicies and their bindings. Bindings of unknown policies have no effect. Throws {@link Cancelled}
 * if the token requests cancellation.
 */
export function compilePolicies(
  policies: readonly JsonValue[],
  bindings: readonly JsonValue[],
  { minor, engine, token }: CompilePoliciesOptions,
): PolicySetResult {
  try {
    const read = bindings.map((document, i) => readBinding(asObject(document, `bindings[${i}]`)));
    const byPolicy = Map.groupBy(read, ({ policyName }) => policyName);
    const hooks: PolicyHook[] = [];
    for (const [i, document] of policies.entries()) {
      if (token?.cancelled === true) throw new Cancelled();
      const policy = readValidatingPolicy(asObject(document, `policies[${i}]`));
      const own = byPolicy.get(policy.name)?.map(compileBinding);
      if (own !== undefined) hooks.push({ compiled: compilePolicy(policy, { minor, engine, token }), bindings: own });
    }
    return { ok: true, set: { minor, hooks } };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

function asObject(document: JsonValue, what: string): JsonObject {
  if (isJsonObject(document)) return document;
  throw new Unreadable(`${what} is no object`);
}
