import { defaultGates } from '#kube';
import type { Minor, Server } from '#kube';
import { adviseDefinition } from '../advice/advise-definition.ts';
import type { AdvisedVersion } from '../advice/advise-definition.ts';
import type { Advice } from '../advice/advice.ts';
import { isCostError } from '../definition/admission/cost-text.ts';
import { createOptions } from '../definition/admission/options.ts';
import type { AdmissionOptions } from '../definition/admission/options.ts';
import { prepareForCreate, withoutDisabledFields } from '../definition/admission/prepare.ts';
import { readLeniently } from '../definition/admission/read-definition.ts';
import type { RuleContext } from '../definition/admission/rule-context.ts';
import { definitionCosts } from '../definition/admission/rule-costs.ts';
import { SchemaContexts } from '../definition/admission/schema-contexts.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import type { DefinitionOptions } from '../definition/judge-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { DefinitionVerdict } from '../verdict.ts';
import { VersionExplainer } from './explain-version.ts';
import type { RuleExplanation, ExplainedSchema } from './explain-version.ts';

/** Verdict on a definition, with the composition of the costs of its rules. */
export interface DefinitionExplanation {
  readonly verdict: DefinitionVerdict;
  /** True if objects can be validated with the definition: it is accepted, or rejected only because of the cost of its rules. */
  readonly usable: boolean;
  readonly rules: readonly RuleExplanation[];
  readonly schemas: readonly ExplainedSchema[];
  readonly advice: readonly Advice[];
}

/** Options for explaining a definition, in addition to the options for computing its verdict. */
export interface ExplainOptions extends DefinitionOptions {
  /**
   * Oldest Kubernetes minor version that must accept the definition. If it is given, the advice also names functions that this minor
   * version does not have.
   */
  readonly oldest?: Minor | undefined;
}

/**
 * Explains the costs of a definition. First computes the verdict on the definition as a new one. Then explains the estimate of each rule,
 * and suggests bounds for rules that exceed a cost limit.
 */
export function explainDefinition(document: Uint8Array | string, given: ExplainOptions): DefinitionExplanation {
  const options = { ...given, recent: given.recent ?? new RecentDefinitions() };
  const verdict = judgeDefinition(document, undefined, options);
  const server: Server = { minor: options.minor, gates: options.gates ?? defaultGates(options.minor) };
  const usable = verdict.accepted || (verdict.errors.length > 0 && verdict.errors.every(isCostError));
  const requested = readLeniently(document, options);
  if (requested === undefined) return { verdict, usable: false, rules: [], schemas: [], advice: [] };
  const definition = prepareForCreate(withoutDisabledFields(requested, undefined, server.gates));
  const explained = explainVersions(definition, createOptions(server));
  return {
    verdict,
    usable,
    rules: explained.flatMap(({ rules }) => rules),
    schemas: explained.map(({ schema }) => schema),
    advice: adviseDefinition(explained.map((one) => advisedVersion(one, options.oldest))),
  };
}

interface ExplainedVersion {
  readonly rules: readonly RuleExplanation[];
  readonly schema: ExplainedSchema;
  readonly explainer: VersionExplainer;
  readonly context: RuleContext;
  readonly root: SchemaProps;
}

function explainVersions(definition: Definition, options: AdmissionOptions): ExplainedVersion[] {
  const contexts = new SchemaContexts(options).ofVersions(definition);
  const { rules, schemaCost } = definitionCosts(definition, contexts);
  return [...schemaCost].map(([version, cost]) => {
    const context = contexts.get(version) as RuleContext;
    const root = definition.spec.versions.find(({ name }) => name === version)?.schema as SchemaProps;
    const own = rules.filter((rule) => rule.version === version);
    const explainer = new VersionExplainer(root, context, options);
    return { ...explainer.explain(version, cost, own), explainer, context, root };
  });
}

const advisedVersion = ({ schema, rules, explainer, context, root }: ExplainedVersion, oldest: Minor | undefined): AdvisedVersion => ({
  version: schema.version,
  root,
  context,
  rules,
  prices: explainer.prices,
  oldest,
});
