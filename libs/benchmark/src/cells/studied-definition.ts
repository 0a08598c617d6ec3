import { loneRules } from '#crd';
import type { CompiledDefinition, LoneRule } from '#crd';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { EffectiveSchemas } from '../values/effective-schema.ts';
import type { RuleKey } from '../study/study-report.ts';
import type { DefinitionRules } from '../study/study-rule.ts';

/** Maximum size of a generated value in bytes. It is larger than the largest request that a server accepts (3 MiB). */
const MAX_BYTES = 3_400_000;

/** A rule, together with all rules of the same version of its definition. */
export interface FoundRule {
  readonly rule: LoneRule;
  readonly among: DefinitionRules;
}

/** A compiled definition, with the data that all studies of its rules share. */
export class StudiedDefinition {
  readonly definition: CompiledDefinition;
  readonly #writing = { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), maxBytes: MAX_BYTES };
  readonly #rules = new Map<string, readonly LoneRule[]>();

  constructor(definition: CompiledDefinition) {
    this.definition = definition;
  }

  /** Returns a rule together with all rules of its version. Returns undefined if the version is not served or has no rule at the path. */
  find({ version, path }: RuleKey): FoundRule | undefined {
    const rules = this.#rulesOf(version);
    const rule = rules.find((one) => one.path === path);
    return rule && { rule, among: { definition: this.definition, rules, writing: this.#writing } };
  }

  #rulesOf(name: string): readonly LoneRule[] {
    const known = this.#rules.get(name);
    if (known !== undefined) return known;
    const served = this.definition.serve(name);
    const rules = served?.ok === true ? loneRules(served.version) : [];
    this.#rules.set(name, rules);
    return rules;
  }
}
