import { defaultGates } from '#kube';
import type { Server } from '#kube';
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
import type { SchemaProps } from '../schema/schema-props.ts';
import type { DefinitionVerdict } from '../verdict.ts';
import { VersionExplainer } from './explain-version.ts';
import type { RuleExplanation, ExplainedSchema } from './explain-version.ts';

/** A definition judged, with the price of its rules taken apart. */
export interface DefinitionExplanation {
  readonly verdict: DefinitionVerdict;
  /** Whether objects can be judged by it: it is accepted, or refused for nothing but what its rules cost. */
  readonly usable: boolean;
  readonly rules: readonly RuleExplanation[];
  readonly schemas: readonly ExplainedSchema[];
}

/**
 * PLOT: judges a definition as its creation, then explains the estimate of each rule and suggests bounds for what is too dear.
 */
export function explainDefinition(document: Uint8Array | string, options: DefinitionOptions): DefinitionExplanation {
  const verdict = judgeDefinition(document, undefined, options);
  const server: Server = { minor: options.minor, gates: options.gates ?? defaultGates(options.minor) };
  const usable = verdict.accepted || (verdict.errors.length > 0 && verdict.errors.every(isCostError));
  const sent = readLeniently(document);
  if (sent === undefined) return { verdict, usable: false, rules: [], schemas: [] };
  const explanations = explainVersions(prepareForCreate(withoutDisabledFields(sent, undefined, server.gates)), createOptions(server));
  return { verdict, usable, rules: explanations.flatMap(({ rules }) => rules), schemas: explanations.map(({ schema }) => schema) };
}

function explainVersions(definition: Definition, options: AdmissionOptions) {
  const contexts = new SchemaContexts(options).ofVersions(definition);
  const { rules, schemaCost } = definitionCosts(definition, contexts);
  return [...schemaCost].map(([version, cost]) => {
    const context = contexts.get(version) as RuleContext;
    const schema = definition.spec.versions.find(({ name }) => name === version)?.schema as SchemaProps;
    const own = rules.filter((rule) => rule.version === version);
    return new VersionExplainer(schema, context, options).explain(version, cost, own);
  });
}
