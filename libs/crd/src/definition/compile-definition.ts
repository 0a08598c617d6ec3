import type { EngineChoice } from '#cel';
import { isJsonObject } from '#go';
import { badRequestStatus, defaultGates, metaWording } from '#kube';
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
import type { Definition, DefinitionVersion } from '../schema/definition.ts';
import type { RuleCost } from '../verdict.ts';
import type { OpenApiValidator } from '../object/openapi/compile-validator.ts';
import { compileValidator } from '../object/openapi/compile-validator.ts';
import { behaviourOf, statusWrites } from '../minors/validation-behaviour.ts';
import { withPrunedDefaults } from './admission/prune-defaults.ts';
import type { DefaultPruning } from './admission/prune-defaults.ts';
import { compileRules } from '../rules/compile-rules.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { holdsDefaults } from '../schema/schema-props.ts';
import { EMPTY_STRUCTURAL, toStructural } from '../structural/from-schema.ts';
import { hasEmbedded, hasListTypes, asResourceRoot } from '../structural/structural.ts';
import type { ServedVersion } from '../object/served-version.ts';
import { AdaptiveReader } from '../object/schema-reader/adaptive-reader.ts';
import { SchemaReader } from '../object/schema-reader/schema-reader.ts';
import type { ReaderResult, ReaderThresholds } from '../object/schema-reader/schema-reader.ts';
import { compareKubeVersions } from '../object/write/kube-version-order.ts';

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
  // The definition keeps the costs of new expressions, which admission counts. Servers compile stored expressions in another environment.
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

/** Version compiled for computing verdicts on objects, or the reason why the server cannot serve the version. */
type ServingResult = { readonly ok: true; readonly version: ServedVersion } | { readonly ok: false; readonly error: string };

/**
 * Compiles one version for computing verdicts on objects. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go
 * `getOrCreateServingInfoFor` (1.37).
 *
 * @param engine Engine that evaluates the rules, see `compileRules`.
 */
export function compileVersion(
  definition: Definition,
  version: DefinitionVersion,
  { minor, gates }: Server,
  engine?: EngineChoice,
): ServingResult {
  const { spec } = definition;
  const schema = version.schema ?? KEYWORDS.empty;
  const converted = toStructural(schema);
  if (!converted.ok) return converted;
  const kept = version.schema === undefined ? EMPTY_STRUCTURAL : converted.structural;
  const pruning: DefaultPruning =
    spec.preserveUnknownFields || !holdsDefaults(schema) ? { ok: true, structural: kept } : withPrunedDefaults(kept);
  if (!pruning.ok) return { ok: false, error: 'the server could not properly serve the CR schema' };
  const { structural } = pruning;
  const behaviour = behaviourOf(minor);
  const status = schema.properties?.get('status');
  let openapi: OpenApiValidator | undefined;
  let statusOpenapi: OpenApiValidator | undefined;
  let reader: AdaptiveReader | undefined;
  let generateReader: ServedVersion['generateReader'];
  const served: ServedVersion = {
    name: version.name,
    group: spec.group,
    kind: spec.names.kind,
    plural: spec.names.plural,
    apiVersion: `${spec.group}/${version.name}`,
    namespaced: spec.scope === 'Namespaced',
    minor,
    schema,
    structural,
    root: asResourceRoot(structural),
    rootOf: (name) => {
      const other = spec.versions.find((one) => one.name === name)?.schema;
      const result = other && toStructural(other);
      return result?.ok === true ? asResourceRoot(result.structural) : undefined;
    },
    preserveUnknownFields: spec.preserveUnknownFields,
    holdsEmbedded: hasEmbedded(structural),
    holdsListTypes: hasListTypes(structural),
    // Creates these validators only on access, because a generated reader accepts most objects without them.
    get openapi() {
      return (openapi ??= compileValidator(schema, behaviour));
    },
    get statusOpenapi() {
      return (statusOpenapi ??= status && compileValidator(status, behaviour));
    },
    hasStatus: version.subresources?.status === true,
    scale: version.subresources?.scale,
    deprecation: deprecationOf(definition, version),
    rules: compileRules(structural, 'resource', minor, engine),
    wording: metaWording(minor),
    ratchets: gates.CRDValidationRatcheting,
    status: statusWrites({ minor, gates }),
    get reader() {
      return reader;
    },
    get generateReader() {
      return generateReader;
    },
  };
  if (typeof engine === 'object') {
    generateReader = () => SchemaReader.generate(served, schema, engine.link, THRESHOLDS[engine.kind]);
    reader = readerOf(generateReader, engine.kind);
  }
  return { ok: true, version: served };
}

/**
 * Thresholds from which the reader of a version's objects uses its more expensive techniques, by engine. Documents of `columnBytes` bytes
 * use columns, and nodes with `nodeValues` values use joined rules. The thresholds of `compiled` are so low that the reader uses these
 * techniques even for small objects and from the first value on.
 */
const THRESHOLDS: Readonly<Record<'adaptive' | 'compiled', ReaderThresholds>> = {
  adaptive: { columnBytes: 64 * 1024, nodeValues: 200 },
  compiled: { columnBytes: 512, nodeValues: 0 },
};

/**
 * Returns the reader of a version's objects, which reads and validates their bytes with generated code. The `compiled` engine generates the
 * reader when it reads the first object.
 */
function readerOf(generate: () => ReaderResult, kind: 'adaptive' | 'compiled'): AdaptiveReader {
  const made = (): SchemaReader | undefined => {
    const result = generate();
    return result.ok ? result.reader : undefined;
  };
  return kind === 'compiled' ? new AdaptiveReader(made, 0) : new AdaptiveReader(made);
}

/**
 * Returns the deprecation warning of a version, or undefined if the version is not deprecated. Source: customresource_handler.go
 * `defaultDeprecationWarning` (1.37).
 */
function deprecationOf({ spec }: Definition, version: DefinitionVersion): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const named = (name: string): string => `${spec.group}/${name} ${spec.names.kind}`;
  const newer = spec.versions
    .filter((other) => other.served && !other.deprecated && compareKubeVersions(version.name, other.name) < 0)
    .map((other) => other.name)
    .sort((a, b) => compareKubeVersions(b, a));
  const text = `${named(version.name)} is deprecated`;
  return newer[0] === undefined ? text : `${text}; use ${named(newer[0])}`;
}
