import type { EngineChoice } from '#cel';
import { isJsonObject } from '#go';
import { badRequestStatus, defaultGates } from '#kube';
import type { JsonValue } from '#go';
import type { FeatureGates, Minor, Server, Status } from '#kube';
import { updateOptions } from './admission/options.ts';
import { withoutDisabledFields } from './admission/prepare.ts';
import { definitionCosts } from './admission/rule-costs.ts';
import type { DefinitionCosts } from './admission/rule-costs.ts';
import { SchemaContexts } from './admission/schema-contexts.ts';
import { judgeDefinition } from './judge-definition.ts';
import { decodeStoredDefinition } from '../schema/decode-definition.ts';
import type { DefinitionContext, DefinitionDecoding } from '../schema/decode-definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import type { Definition } from '../schema/definition.ts';
import { compileVersion } from './compile-version.ts';
import type { ServingResult } from './compile-version.ts';
import type { RuleCost } from '../verdict.ts';

/** Definition that is compiled for computing verdicts on objects, with the costs of its rules. */
export interface CompiledDefinition {
  readonly minor: Minor;
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Names of the served versions, in the order of the definition. */
  readonly versions: readonly string[];
  readonly storageVersion: string;
  /** Estimated maximum costs of all rules of all versions. */
  readonly rules: readonly RuleCost[];
  /** Sum of the estimated costs of all rules and their messageExpressions in cost units, by version name. */
  readonly schemaCost: ReadonlyMap<string, bigint>;
  /**
   * Returns the given version, compiled for computing verdicts on objects. Returns undefined if there is no such version, or if it has
   * `served: false`. The version is compiled on first use. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go
   * `ServeHTTP` (1.37).
   */
  serve(version: string): ServingResult | undefined;
}

/** Server under which a definition is compiled: a Kubernetes minor version, and optionally feature gates that differ from its defaults. */
export interface ServerChoice extends DefinitionContext {
  readonly minor: Minor;
  /** Feature gates of the server. If absent, the defaults of the Kubernetes minor version apply. */
  readonly gates?: FeatureGates | undefined;
  /** Engine that evaluates the rules. Default: the interpreter. */
  readonly engine?: EngineChoice | undefined;
  /** True if versions with `served: false` are served, too. A server never does this, but the oracle of the golden verdicts does. */
  readonly servesAll?: boolean | undefined;
}

/** Compiled definition, or the Status with which the server would reject it. */
export type DefinitionOutcome =
  | { readonly ok: true; readonly definition: CompiledDefinition; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly status: Status; readonly warnings: readonly string[] };

/** Compiles a CustomResourceDefinition if a server of the given Kubernetes minor version accepts it as a new definition. */
export function compileDefinition(
  document: JsonValue,
  { minor, gates = defaultGates(minor), engine, vocabulary, recent = new RecentDefinitions() }: ServerChoice,
): DefinitionOutcome {
  if (!isJsonObject(document)) return { ok: false, status: badRequestStatus('a CustomResourceDefinition must be an object'), warnings: [] };
  const verdict = judgeDefinition(document, undefined, { minor, gates, engine, vocabulary, recent });
  const { warnings, status, rules, schemaCost } = verdict;
  if (status !== undefined) return { ok: false, status, warnings };
  const reading = storedDefinition(document, gates, { minor, vocabulary, recent });
  if (!reading.ok) return { ok: false, status: badRequestStatus(reading.error), warnings };
  // Admission counts the cost of new expressions in the environment for new expressions, so the definition keeps these costs.
  return { ok: true, definition: servable(reading.definition, { minor, gates }, () => ({ rules, schemaCost }), { engine }), warnings };
}

/** Decodes a definition as a server with the given feature gates reads it from storage. */
function storedDefinition(document: JsonValue, gates: FeatureGates, context: DefinitionContext): DefinitionDecoding {
  const reading = decodeStoredDefinition(document, context);
  return reading.ok ? { ...reading, definition: withoutDisabledFields(reading.definition, undefined, gates) } : reading;
}

/**
 * Compiles a definition that is assumed to be stored. The definition is decoded and defaulted but not validated. Its costs are estimated on
 * first use.
 */
export function compileStoredDefinition(
  document: JsonValue,
  { minor, gates = defaultGates(minor), engine, vocabulary, recent, servesAll }: ServerChoice,
): DefinitionOutcome {
  const reading = storedDefinition(document, gates, { minor, vocabulary, recent });
  if (!reading.ok) return { ok: false, status: badRequestStatus(reading.error), warnings: [] };
  const server: Server = { minor, gates };
  const { definition } = reading;
  const costs = (): DefinitionCosts => {
    const contexts = new SchemaContexts(updateOptions(server, definition, definition));
    return definitionCosts(definition, contexts.ofVersions(definition));
  };
  return { ok: true, definition: servable(definition, server, costs, { engine, servesAll }), warnings: [] };
}

function servable(
  definition: Definition,
  server: Server,
  costs: () => DefinitionCosts,
  { engine, servesAll = false }: Pick<ServerChoice, 'engine' | 'servesAll'>,
): CompiledDefinition {
  const { group, names, scope, versions } = definition.spec;
  const servedVersions = versions.filter((version) => servesAll || version.served);
  const served = new Map<string, ServingResult>();
  let known: DefinitionCosts | undefined;
  const costsOnce = (): DefinitionCosts => (known ??= costs());
  return {
    minor: server.minor,
    group,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    versions: servedVersions.map((version) => version.name),
    storageVersion: versions.find((version) => version.storage)?.name ?? '',
    get rules() {
      return costsOnce().rules;
    },
    get schemaCost() {
      return costsOnce().schemaCost;
    },
    serve(name) {
      const made = served.get(name);
      if (made !== undefined) return made;
      const version = servedVersions.find((one) => one.name === name);
      if (version === undefined) return undefined;
      const result = compileVersion(definition, version, server, engine);
      served.set(name, result);
      return result;
    },
  };
}
