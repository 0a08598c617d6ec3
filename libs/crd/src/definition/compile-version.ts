import type { EngineChoice } from '#cel';
import type { Server } from '#kube';
import type { OpenApiValidator } from '../object/openapi/compile-validator.ts';
import { compileValidator } from '../object/openapi/compile-validator.ts';
import { metaWording } from '#kube';
import { dialectOf, statusWrites } from '../minors/dialect.ts';
import { withPrunedDefaults } from './admission/prune-defaults.ts';
import type { DefaultPruning } from './admission/prune-defaults.ts';
import { compileRules } from '../rules/compile-rules.ts';
import type { Definition, DefinitionVersion } from '../schema/definition.ts';
import { KEYWORDS } from '../keywords/all.ts';
import { holdsDefaults } from '../schema/walk-schema.ts';
import { EMPTY_STRUCTURAL, toStructural } from '../structural/from-schema.ts';
import { hasEmbedded, hasListTypes } from '../structural/holds.ts';
import { asResourceRoot } from '../structural/resource-root.ts';
import type { ServedVersion } from '../object/served-version.ts';
import { AdaptiveReader } from '../object/schema-reader/adaptive-reader.ts';
import { SchemaReader } from '../object/schema-reader/schema-reader.ts';
import type { ReaderResult, ReaderThresholds } from '../object/schema-reader/schema-reader.ts';
import { compareKubeVersions } from '../object/write/kube-version-order.ts';

/** Version compiled for computing verdicts on objects, or the reason why the server cannot serve the version. */
export type ServingResult = { readonly ok: true; readonly version: ServedVersion } | { readonly ok: false; readonly error: string };

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
  const dialect = dialectOf(minor);
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
    // These validators are created on access, because a generated reader accepts most objects without them.
    get openapi() {
      return (openapi ??= compileValidator(schema, dialect));
    },
    get statusOpenapi() {
      return (statusOpenapi ??= status && compileValidator(status, dialect));
    },
    hasStatus: version.subresources?.status === true,
    scale: version.subresources?.scale,
    deprecation: deprecationOf(definition, version),
    rules: compileRules(structural, true, minor, engine),
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
