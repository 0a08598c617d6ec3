import type { CancellationToken } from '#go';
import { defaultGates } from '#kube';
import type { BoundChoice, Minor, Server } from '#kube';
import { adviseDefinition } from '../advice/advise-definition.ts';
import type { AdvisedVersion } from '../advice/advise-definition.ts';
import type { Advice } from '../advice/advice.ts';
import { isCostError } from '../definition/admission/rule-costs.ts';
import { createOptions } from '../definition/admission/options.ts';
import { prepareForCreate, withoutDisabledFields } from '../definition/admission/prepare.ts';
import { readLeniently } from '../definition/admission/read-definition.ts';
import { SchemaContexts } from '../definition/admission/schema-contexts.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import type { DefinitionOptions } from '../definition/judge-definition.ts';
import type { Definition } from '../schema/definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import type { DefinitionVerdict } from '../verdict.ts';
import { VersionExplainer } from './explain-version.ts';
import type { RuleExplanation, ExplainedSchema } from './explain-version.ts';
import type { BoundChange } from './bounds.ts';
import type { ChosenBounds } from './suggest-bounds.ts';
import type { ServedSchema } from './version-costs.ts';

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
  /** Other servers that must accept the costs of the definition with the suggested bounds. */
  readonly others?: readonly Server[] | undefined;
  readonly token?: CancellationToken | undefined;
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
  const explainers = explainersOf(requested, server, given.others ?? [], given.token);
  const explained = explainers.map((one): ExplainedVersion => ({ ...one, ...one.explainer.explain() }));
  return {
    verdict,
    usable,
    rules: explained.flatMap(({ rules }) => rules),
    schemas: explained.map(({ schema }) => schema),
    advice: adviseDefinition(explained.map((one) => advisedVersion(one, options.oldest))),
  };
}

/**
 * Chooses the bounds with which several servers accept the costs of a definition. Returns the result for each version. Returns an empty
 * list if the definition cannot be read. Throws `Cancelled` if the token requests cancellation.
 */
export function chooseDefinitionBounds(
  document: Uint8Array | string,
  { servers, choice, recent, token }: BoundsQuestion,
): readonly VersionBounds[] {
  const requested = readLeniently(document, { recent });
  const [server, ...others] = servers;
  if (requested === undefined || server === undefined) return [];
  return explainersOf(requested, server, others, token).map(({ served, explainer }) => ({
    version: served.version,
    chosen: explainer.chosen(choice),
    tightening: explainer.tightening(choice),
  }));
}

/** Bounds for one version of a definition. */
export interface VersionBounds {
  readonly version: string;
  readonly chosen: ChosenBounds;
  /** Bounds that suffice if existing ones are lowered, too; undefined if the chosen bounds suffice or if no bounds do. */
  readonly tightening: readonly BoundChange[] | undefined;
}

/** Servers that must accept a definition, and the bounds that may change for it. */
export interface BoundsQuestion {
  readonly servers: readonly Server[];
  readonly choice: BoundChoice;
  readonly recent: RecentDefinitions;
  readonly token?: CancellationToken | undefined;
}

interface ExplainedVersion {
  readonly rules: readonly RuleExplanation[];
  readonly schema: ExplainedSchema;
  readonly explainer: VersionExplainer;
  readonly served: ServedSchema;
}

/** Returns an explainer for each version of a definition. Versions that a server prices are explained, and the others must accept them too. */
function explainersOf(
  requested: Definition,
  server: Server,
  others: readonly Server[],
  token: CancellationToken | undefined,
): readonly Pick<ExplainedVersion, 'explainer' | 'served'>[] {
  const elsewhere = others.flatMap((other) => servedSchemas(requested, other));
  return servedSchemas(requested, server).map((served) => {
    const same = elsewhere.filter(({ version }) => version === served.version);
    return { served, explainer: new VersionExplainer(served, same, token) };
  });
}

/** Returns the versions of a definition whose rules a server prices. */
export function servedSchemas(requested: Definition, server: Server): readonly ServedSchema[] {
  const definition = prepareForCreate(withoutDisabledFields(requested, undefined, server.gates));
  const options = createOptions(server);
  const contexts = new SchemaContexts(options).ofVersions(definition);
  const { versions } = definition.spec;
  return versions.flatMap(({ name }, i) => {
    // If two versions have the same name, Kubernetes uses the schema of the first version.
    const schema = versions.find((version) => version.name === name)?.schema;
    const context = contexts.get(name);
    const isFirst = versions.findIndex((version) => version.name === name) === i;
    return isFirst && schema !== undefined && context !== undefined ? [{ version: name, schema, context, options }] : [];
  });
}

const advisedVersion = ({ rules, schema, explainer, served }: ExplainedVersion, oldest: Minor | undefined): AdvisedVersion => ({
  version: served.version,
  root: served.schema,
  context: served.context,
  rules,
  prices: explainer.prices,
  suggested: schema.chosen.kind === 'found' ? schema.chosen.changes : [],
  oldest,
});
