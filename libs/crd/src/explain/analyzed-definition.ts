import { defaultGates } from '#kube';
import { environmentFor } from '#cel';
import type { DeclaredType, Environment } from '#cel';
import type { JsonObject } from '#go';
import type { Minor, Server } from '#kube';
import { adviseDefinition } from '../advice/advise-definition.ts';
import type { AdvisedVersion } from '../advice/advise-definition.ts';
import type { Advice } from '../advice/advice.ts';
import { createOptions } from '../definition/admission/options.ts';
import type { AdmissionOptions } from '../definition/admission/options.ts';
import { prepareForCreate, withoutDisabledFields } from '../definition/admission/prepare.ts';
import { readLeniently } from '../definition/admission/read-definition.ts';
import type { KnownNodes, RuleContext } from '../definition/admission/rule-context.ts';
import { SchemaContexts } from '../definition/admission/schema-contexts.ts';
import { judgeDefinition } from '../definition/judge-definition.ts';
import { CompiledExpressions } from '../rules/compiled-expressions.ts';
import type { Definition } from '../schema/definition.ts';
import { RecentDefinitions } from '../schema/recent-definitions.ts';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import type { DefinitionVerdict } from '../verdict.ts';
import { VersionExplainer } from './explain-version.ts';
import type { RuleExplanation } from './explain-version.ts';

/** Node of a definition's schema, with the facts that an editor shows about the node and needs for the CEL rules at the node. */
export interface AnalyzedNode {
  readonly schema: SchemaProps;
  /** Highest number of values of this node in one object; undefined if a list or map around the node is unbounded. */
  readonly cardinality: bigint | undefined;
  /** Type of `self` for rules at this node; undefined if CEL cannot access the node. */
  readonly self: DeclaredType | undefined;
  /** CEL environment that compiles new rules. */
  readonly environment: Environment;
}

/**
 * Cache of compiled expressions and schema nodes for one definition that changes, such as a definition in an editor, and one Kubernetes
 * minor version. Each verdict on a new state of the definition reuses the results of earlier verdicts.
 */
export class DefinitionMemory {
  readonly #expressions = new CompiledExpressions();
  readonly #nodes: KnownNodes = {
    schemas: new WeakMap(),
    expressions: this.#expressions,
  };
  readonly minor: Minor;
  readonly recent = new RecentDefinitions();

  constructor(minor: Minor) {
    this.minor = minor;
  }

  /** Number of expressions compiled so far. */
  get compilations(): number {
    return this.#expressions.compilations;
  }

  /**
   * Starts the next verdict and returns the results that earlier verdicts cached. Nodes are identified by their JSON, so the results of
   * unchanged nodes are found again.
   */
  begin(): KnownNodes {
    this.#expressions.begin();
    return this.#nodes;
  }
}

/**
 * Definition with its verdict, for editors. Editors query single schema nodes and rules of the definition. The verdict treats the
 * definition as new. A text that a server would reject is decoded as far as possible.
 */
export class AnalyzedDefinition {
  readonly verdict: DefinitionVerdict;
  readonly #document: JsonObject | string;
  readonly #recent: RecentDefinitions;
  readonly #options: AdmissionOptions;
  #read: { readonly definition: Definition | undefined } | undefined;
  #contexts: ReadonlyMap<string, RuleContext> | undefined;
  readonly #explainers = new Map<string, VersionExplainer>();

  /**
   * Computes the verdict on a definition.
   *
   * @param document Text of the definition, or its parsed JSON. With parsed JSON, duplicate keys cannot be reported.
   */
  constructor(document: JsonObject | string, memory: DefinitionMemory) {
    const { minor } = memory;
    const known = memory.begin();
    const server: Server = { minor, gates: defaultGates(minor) };
    this.#document = document;
    this.#recent = memory.recent;
    this.#options = { ...createOptions(server), known };
    this.verdict = judgeDefinition(document, undefined, { ...server, known, recent: memory.recent, ownedFields: 'takenOff' });
  }

  /** Names of the versions, in the order of the definition. */
  get versions(): readonly string[] {
    return this.#definition?.spec.versions.map(({ name }) => name) ?? [];
  }

  /** Returns a node of a version's schema, or undefined if there is no such node. */
  node(version: string, path: SchemaPath): AnalyzedNode | undefined {
    let context = this.#contextsOf().get(version);
    let schema = this.#schemaOf(version);
    for (const step of path) {
      const child = schema && childAt(schema, step);
      if (child === undefined) return undefined;
      context = context?.at(step, child);
      schema = child;
    }
    if (schema === undefined || context === undefined) return undefined;
    return { schema, cardinality: context.cardinality, self: context.selfType(), environment: environmentFor(this.#options.minor, 'new') };
  }

  /**
   * Returns a rule with the estimates of its parts. If the rule exceeds its cost limit, also returns bounds that would bring it under the
   * limit. Returns undefined if there is no such rule.
   */
  rule(version: string, path: SchemaPath, index: number): RuleExplanation | undefined {
    const known = this.#explainers.get(version);
    if (known !== undefined) return known.explainRule(path, index);
    const schema = this.#schemaOf(version);
    const context = this.#contextsOf().get(version);
    if (schema === undefined || context === undefined) return undefined;
    const explainer = new VersionExplainer({ version, schema, context, options: this.#options });
    this.#explainers.set(version, explainer);
    return explainer.explainRule(path, index);
  }

  /**
   * Returns the advice on the definition's rules that does not need the costs of the rules' parts. Only one Kubernetes minor version is
   * considered, because the editor computes the verdicts for other minor versions separately.
   */
  advice(): readonly Advice[] {
    const versions = [...this.#contextsOf()].flatMap(([version, context]): AdvisedVersion[] => {
      const root = this.#schemaOf(version);
      const rules = this.verdict.rules.filter((rule) => rule.version === version);
      return root === undefined ? [] : [{ version, root, context, rules, prices: [], suggested: [], oldest: undefined }];
    });
    return adviseDefinition(versions);
  }

  get #definition(): Definition | undefined {
    this.#read ??= { definition: this.#prepared() };
    return this.#read.definition;
  }

  #prepared(): Definition | undefined {
    const read = readLeniently(this.#document, { recent: this.#recent });
    return read && prepareForCreate(withoutDisabledFields(read, undefined, this.#options.gates));
  }

  #schemaOf(version: string): SchemaProps | undefined {
    return this.#definition?.spec.versions.find(({ name }) => name === version)?.schema;
  }

  #contextsOf(): ReadonlyMap<string, RuleContext> {
    if (this.#definition === undefined) return new Map();
    return (this.#contexts ??= new SchemaContexts(this.#options).ofVersions(this.#definition));
  }
}
