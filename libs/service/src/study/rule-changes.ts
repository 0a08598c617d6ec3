import type { RuleChange } from '#benchmark';
import type { ExplainedRule } from '#documents';
import type { SchemaChange } from '#kube';
import { nodeOf } from '../diff/match-rules.ts';
import type { RuleMatch } from '../diff/match-rules.ts';

/** Changes of rules that say nothing about fields and bounds. */
const ABOUT_RULES: ReadonlySet<string> = new Set(['rule added', 'rule removed']);

/** Fields and bounds that differ between two states of a definition. It says which rules a difference touches. */
export class ChangedFields {
  /** Paths of the differences, by version, such as `spec.rules[*].name`. */
  readonly #paths = new Map<string, Set<string>>();
  /** Paths of all nodes at or above a difference, by version. */
  readonly #above = new Map<string, Set<string>>();

  constructor(changes: readonly SchemaChange[]) {
    for (const { version, path, change } of changes) {
      if (version === undefined || path === '' || ABOUT_RULES.has(change)) continue;
      setOf(this.#paths, version).add(path);
      for (const node of nodesOn(path)) setOf(this.#above, version).add(node);
    }
  }

  /** Returns true if a difference is at or below the node of a rule, or at a list, map or object above it. */
  touches({ version, path }: Pick<ExplainedRule, 'version' | 'path'>): boolean {
    const node = fieldOf(nodeOf(path));
    if (this.#above.get(version)?.has(node) === true) return true;
    const paths = this.#paths.get(version);
    return paths !== undefined && nodesOn(node).some((above) => paths.has(above));
  }
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}

/** Returns the paths of a node and of all nodes above it, from the root: `''`, `spec`, `spec.rules`, `spec.rules[*]`. */
function nodesOn(path: string): readonly string[] {
  const ends = [...path.matchAll(/(?<=.)(?=[.[])/g)].map(({ index }) => index);
  return ['', ...ends.map((end) => path.slice(0, end)), path];
}

/** Returns the path of a schema node as the path of a field: `spec.rules[*]` for `properties[spec].properties[rules].items`. */
function fieldOf(schemaPath: string): string {
  return schemaPath
    .replace(/\.?properties\[([^\]]*)\]/g, '.$1')
    .replace(/\.(?:items|additionalProperties)(?=\.|$)/g, '[*]')
    .replace(/^\./, '');
}

/** Returns what the change does to a rule of the newer revision. The partner's estimate tells changes that the list of fields lacks. */
export function ruleChange({ state, before, after }: RuleMatch<ExplainedRule>, fields: ChangedFields): RuleChange {
  if (state !== 'same') return state;
  const isSameEstimate = before.totalCost === after.totalCost && before.maxCost === after.maxCost;
  return isSameEstimate && before.version === after.version && !fields.touches(after) ? 'none' : 'fields';
}

/** Order in which a study studies rules: what the change touches comes first. Changes with one number are equally important. */
const TURNS: Readonly<Record<RuleChange, number>> = { new: 0, changed: 0, moved: 0, fields: 1, none: 2, gone: 2 };

/** Returns the turn of a rule, from 0. All rules have one turn if there is no older revision. */
export const turnOf = ({ change }: { readonly change: RuleChange | undefined }): number => (change === undefined ? 0 : TURNS[change]);
