import { randomBytes } from 'node:crypto';
import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { z } from 'zod';

/** Rules that a copy of a definition lacks: none, all, or the rule at a path of a version, such as `properties[spec].x-kubernetes-validations[0]`. */
export type LeftOutRules = 'none' | 'all' | { readonly version: string; readonly path: string };

/** Labels of every temporary definition. A definition counts as temporary only if it has both labels. */
export const TEMPORARY_LABELS = { manager: 'app.kubernetes.io/managed-by', run: 'assay.dev/temporary-run' } as const;
/** Value of the label {@link TEMPORARY_LABELS}`.manager`. */
export const TEMPORARY_MANAGER = 'assay';
/** Domain of the groups of all temporary definitions. */
const TEMPORARY_DOMAIN = 'assay.dev';
const RUN_ID = /^r[0-9a-f]{8}$/;
/** Schema of the parts of a definition that show if it is temporary. */
const temporary = z.object({
  metadata: z.object({
    labels: z.object({ [TEMPORARY_LABELS.manager]: z.literal(TEMPORARY_MANAGER), [TEMPORARY_LABELS.run]: z.string().regex(RUN_ID) }),
  }),
  spec: z.object({ group: z.string() }),
});

/** Name and place of a copy of a definition. */
export interface CopyIdentity {
  /** Id of the run that creates the copy: `r` and eight hexadecimal digits. */
  readonly runId: string;
  /** Name of the copy in its run, a DNS label such as `whole`. */
  readonly label: string;
}

/** Returns a new id of a run. */
export const newRunId = (): string => `r${randomBytes(4).toString('hex')}`;

/** Returns the API group of a copy, such as `whole.r0a1b2c3d.assay.dev`. */
export const copyGroup = ({ runId, label }: CopyIdentity): string => `${label}.${runId}.${TEMPORARY_DOMAIN}`;

/**
 * Returns the id of the run that created a definition. Returns undefined if the definition is not temporary. A temporary definition has both
 * labels, a run id of the usual form, and a group with the run id.
 */
export function temporaryRun(definition: unknown): string | undefined {
  const { metadata, spec } = temporary.safeParse(definition).data ?? {};
  const run = metadata?.labels[TEMPORARY_LABELS.run];
  return run !== undefined && spec?.group.endsWith(`.${run}.${TEMPORARY_DOMAIN}`) === true ? run : undefined;
}

/**
 * Returns a copy of a CustomResourceDefinition in a group of its own. The copy has the labels of its run, and no other labels, no annotations
 * and no status. It has no conversion webhook, no short names and no categories. All versions are kept. Returns undefined if the document is
 * no definition of apiextensions.k8s.io/v1, or if it has no rule at the given path.
 */
export function copyDefinition(definition: JsonValue, identity: CopyIdentity, leftOut: LeftOutRules): JsonObject | undefined {
  const spec = at(definition, 'spec');
  const [names, versions] = [at(spec, 'names'), at(spec, 'versions')];
  const plural = at(names, 'plural');
  if (!isJsonObject(spec) || !isJsonObject(names) || typeof plural !== 'string' || !Array.isArray(versions)) return undefined;
  if (at(definition, 'kind') !== 'CustomResourceDefinition' || at(definition, 'apiVersion') !== 'apiextensions.k8s.io/v1') return undefined;
  const filter = new RuleFilter(leftOut);
  const kept = versions.map((version) => filter.version(version));
  if (typeof leftOut === 'object' && filter.removed === 0) return undefined;
  const group = copyGroup(identity);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      labels: { [TEMPORARY_LABELS.manager]: TEMPORARY_MANAGER, [TEMPORARY_LABELS.run]: identity.runId },
    },
    spec: {
      ...without(spec, ['conversion']),
      group,
      names: without(names, ['shortNames', 'categories']),
      conversion: { strategy: 'None' },
      versions: kept,
    },
  };
}

/** Returns an object in the group of a copy. Its version, kind and fields stay the same. Returns undefined if `apiVersion` names no group. */
export function moveToGroup(object: JsonObject, group: string): JsonObject | undefined {
  const { apiVersion } = object;
  const [, version] = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  return version === undefined ? undefined : { ...object, apiVersion: `${group}/${version}` };
}

const RULES = 'x-kubernetes-validations';
/** Keywords whose value is one schema, and keywords whose value is a list of schemas. */
const [ONE, MANY] = [new Set(['items', 'additionalProperties', 'not']), new Set(['allOf', 'anyOf', 'oneOf'])];

/** Removal of rules from the schemas of versions. It counts the rules that it removes. */
class RuleFilter {
  removed = 0;
  readonly #leftOut: LeftOutRules;
  #version: JsonValue | undefined;

  constructor(leftOut: LeftOutRules) {
    this.#leftOut = leftOut;
  }

  /** Returns a version of a definition without the rules that are left out. */
  version(version: JsonValue): JsonValue {
    const schema = at(version, 'schema');
    const root = at(schema, 'openAPIV3Schema');
    if (this.#leftOut === 'none' || !isJsonObject(version) || !isJsonObject(schema) || !isJsonObject(root)) return version;
    this.#version = version['name'];
    return { ...version, schema: { ...schema, openAPIV3Schema: this.#node(root, []) } };
  }

  #node(node: JsonObject, path: readonly string[]): JsonObject {
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value]): [string, JsonValue][] => {
        if (key === RULES && Array.isArray(value)) {
          const kept = value.filter((_, i) => !this.#isLeftOut([...path, `${RULES}[${i}]`].join('.')));
          this.removed += value.length - kept.length;
          return kept.length === 0 ? [] : [[key, kept]];
        }
        if (key === 'properties' && isJsonObject(value)) {
          const properties = Object.entries(value).map(
            ([name, child]) => [name, this.#child(child, [...path, `properties[${name}]`])] as const,
          );
          return [[key, Object.fromEntries(properties)]];
        }
        if (MANY.has(key) && Array.isArray(value)) return [[key, value.map((child, i) => this.#child(child, [...path, `${key}[${i}]`]))]];
        return [[key, ONE.has(key) ? this.#child(value, [...path, key]) : value]];
      }),
    );
  }

  #child(child: JsonValue, path: readonly string[]): JsonValue {
    return isJsonObject(child) ? this.#node(child, path) : child;
  }

  #isLeftOut(path: string): boolean {
    if (typeof this.#leftOut === 'string') return this.#leftOut === 'all';
    return this.#leftOut.version === this.#version && this.#leftOut.path === path;
  }
}

const at = (value: JsonValue | undefined, name: string): JsonValue | undefined => (isJsonObject(value) ? value[name] : undefined);

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
