import type { RuleChange } from '#benchmark';
import type { ExplainedRule } from '#documents';
import type { SchemaChange } from '#kube';
import { nodeOf } from '../diff/match-rules.ts';
import type { MatchedRule, RuleMatch } from '../diff/match-rules.ts';

/** Changes of rules that say nothing about fields and bounds. */
const ABOUT_RULES: ReadonlySet<string> = new Set(['rule added', 'rule removed']);

/** Paths of the fields whose schema differs between two states of a definition. `touches` returns true if a difference may affect a rule. */
export class ChangedFields {
  /** Paths of the differences, by version, such as `spec.rules[*].name`. */
  readonly #paths = new Map<string, Set<string>>();
  /** Paths of the differences at or below each node, by version and node. */
  readonly #below = new Map<string, Set<string>>();

  constructor(changes: readonly SchemaChange[]) {
    for (const { version, path, change } of changes) {
      if (version === undefined || path === '' || ABOUT_RULES.has(change)) continue;
      setOf(this.#paths, version).add(path);
      for (const node of nodesOn(path)) setOf(this.#below, `${version} ${node}`).add(path);
    }
  }

  /**
   * Returns true if a difference is at the node of a rule, or at a list, map or object above it. Also returns true for a difference at a
   * field below the node that the rule may read.
   */
  touches({ version, path, rule }: MatchedRule): boolean {
    const node = fieldOf(nodeOf(path));
    const paths = this.#paths.get(version);
    if (paths !== undefined && nodesOn(node).some((above) => paths.has(above))) return true;
    const below = this.#below.get(`${version} ${node}`) ?? [];
    return [...below].slice(0, MAX_BELOW).some((changed) => mayRead(rule, stepsOf(changed.slice(node.length))));
  }
}

/** Maximum number of differences below a node that are compared with the text of a rule. */
const MAX_BELOW = 1000;

/** Returns the steps of a path: names of fields, and `[*]` for items of a list or values of a map. */
const stepsOf = (path: string): readonly string[] => path.match(/\[\*\]|[^.[]+/g) ?? [];

/** Returns true unless the text of a rule shows that it does not read what is at the end of a path below its node. */
function mayRead(text: string, steps: readonly string[]): boolean {
  // `has(x)` reads no value inside `x`. As `x.__has`, it looks to the following code like a read of another field, which did not change.
  const rule = text.replace(/\bhas\s*\(([^()]*)\)/g, '($1.__has)');
  const [first] = steps;
  // Rules escape a name with other characters, so the search below would not find the name.
  if (first === undefined || !/^\w+$/.test(first)) return true;
  // A rule that uses the whole value reads all fields.
  if (/\b(?:self|oldSelf)\b(?!\s*\.)/.test(rule)) return true;
  for (const [i, name] of steps.entries()) {
    const next = steps[i + 1];
    if (!/^\w+$/.test(name)) return true;
    const uses = [...rule.matchAll(new RegExp(`\\.\\s*\\??\\s*${name}\\b(?:\\s*\\.\\s*\\??\\s*(\\w+)\\b(?!\\s*\\())?`, 'g'))];
    if (uses.length === 0) return false;
    // A use without a further field reads the whole field, and so also the changed part.
    if (next === undefined || uses.some(([, field]) => field === undefined)) return true;
    if (uses.every(([, field]) => field !== next)) return false;
  }
  return true;
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

/**
 * Returns what the change does to a rule of the newer revision. Different estimates of the two revisions show changes that the list of
 * fields lacks.
 */
export function ruleChange({ state, before, after }: RuleMatch<ExplainedRule>, fields: ChangedFields): RuleChange {
  if (state !== 'same') return state;
  const isSameEstimate = before.totalCost === after.totalCost && before.maxCost === after.maxCost;
  return isSameEstimate && before.version === after.version && !fields.touches(after) ? 'none' : 'fields';
}

/** Order in which a study takes rules: the rules that the change touches come first. */
const PRIORITIES: Readonly<Record<RuleChange, number>> = { new: 0, changed: 0, moved: 0, fields: 1, none: 2, gone: 2 };

/** Returns the priority of a rule: 0 comes first. All rules have one priority if there is no older revision. */
export const priorityOf = ({ change }: { readonly change: RuleChange | undefined }): number =>
  change === undefined ? 0 : PRIORITIES[change];
