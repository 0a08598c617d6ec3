import type { JsonValue, Minor, Status } from '#kube';
import { badRequestStatus, isJsonObject } from '#kube';
import { judgeDefinition } from './judge-definition.ts';
import { decodeDefinition } from './schema/decode-definition.ts';
import type { Definition } from './schema/definition.ts';
import { storedNumbers } from './schema/stored-numbers.ts';
import { serveVersion } from './serve-version.ts';
import type { ServingResult } from './serve-version.ts';
import type { RuleCost } from './verdict.ts';

/** A definition ready to judge objects, with what it costs. */
export interface CompiledDefinition {
  readonly minor: Minor;
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Names of the versions, in the order of the definition. */
  readonly versions: readonly string[];
  readonly storageVersion: string;
  /** Every rule of every version with its static cost. */
  readonly rules: readonly RuleCost[];
  /** Sum of rule costs per version. */
  readonly schemaCost: ReadonlyMap<string, bigint>;
  /** A version compiled for objects, made at its first use; undefined when there is no such version. */
  serve(version: string): ServingResult | undefined;
}

/** A compiled definition, or why the server would refuse it. */
export type DefinitionOutcome =
  | { readonly ok: true; readonly definition: CompiledDefinition; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly status: Status; readonly warnings: readonly string[] };

/** Compiles a CustomResourceDefinition as a server of that minor would accept it as new. */
export function compileDefinition(document: JsonValue, { minor }: { readonly minor: Minor }): DefinitionOutcome {
  if (!isJsonObject(document)) return { ok: false, status: badRequestStatus('a CustomResourceDefinition must be an object'), warnings: [] };
  const verdict = judgeDefinition(document, undefined, { minor });
  const { warnings, status } = verdict;
  if (status !== undefined) return { ok: false, status, warnings };
  const compiled = compileStoredDefinition(document, { minor });
  if (!compiled.ok) return compiled;
  // New expressions cost what they cost by the environment for new ones; that is what admission counted.
  const { rules, schemaCost } = verdict;
  return { ok: true, definition: Object.assign(compiled.definition, { rules, schemaCost }), warnings };
}

/** Compiles a definition that is taken as stored: decoded and defaulted, not validated. Its costs are not estimated. */
export function compileStoredDefinition(document: JsonValue, { minor }: { readonly minor: Minor }): DefinitionOutcome {
  const reading = decodeDefinition(storedNumbers(document));
  if (!reading.ok) return { ok: false, status: badRequestStatus(reading.error), warnings: [] };
  return { ok: true, definition: servable(reading.definition, minor), warnings: [] };
}

function servable(definition: Definition, minor: Minor): CompiledDefinition {
  const { group, names, scope, versions } = definition.spec;
  const served = new Map<string, ServingResult>();
  return {
    minor,
    group,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    versions: versions.map((version) => version.name),
    storageVersion: versions.find((version) => version.storage)?.name ?? '',
    rules: [],
    schemaCost: new Map(),
    serve(name) {
      const known = served.get(name);
      if (known !== undefined) return known;
      const version = versions.find((one) => one.name === name);
      if (version === undefined) return undefined;
      const result = serveVersion(definition, version, minor);
      served.set(name, result);
      return result;
    },
  };
}
