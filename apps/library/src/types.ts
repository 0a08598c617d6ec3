// Types of arguments and results that only `apps/library` declares. `index.ts` exports all other types from the folders of `libs`.
import type {
  DefinitionReport,
  Effect,
  ExplainedDefinition,
  MeasuredObject,
  ObjectEffect,
  RulePrice,
  Verdict as BatchVerdict,
} from '#documents';
import type { Minor } from '#kube';

/** Kubernetes versions whose verdicts are available. */
export type KubernetesVersion = Minor;

/** Definition or object: JSON or YAML as text or UTF-8 bytes, or a plain value. A plain value is converted by `JSON.stringify`. */
export type Document = string | Uint8Array | object;

/** Options that describe the server whose verdict is computed, and options that stop the work. */
export interface ServerOptions {
  /** Minor version of Kubernetes. Default: the latest supported one. */
  readonly kubernetesVersion?: KubernetesVersion;
  /** Feature gates whose state differs from the default of the version. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * True if created objects and definitions are evaluated with their `resourceVersion`, and definitions also with their `uid`. Otherwise
   * these fields are removed, because documents that were dumped from a cluster contain them.
   */
  readonly asSent?: boolean;
  /**
   * Treatment of unknown and duplicate fields of definitions, policies and objects. Default: `Warn`, which is the default of the server;
   * `kubectl` requests `Strict`.
   */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /**
   * Signal that stops the work between two objects or definitions. The stopped call throws the reason of the signal; an asynchronous call
   * rejects with it.
   */
  readonly signal?: AbortSignal;
  /**
   * Time limit in ms. The limit also stops the evaluation of a rule. The stopped call throws a `TimeoutError`; an asynchronous call rejects
   * with it.
   */
  readonly timeoutMs?: number;
}

/** Options for computing verdicts on objects. */
export interface ObjectOptions extends ServerOptions {
  /**
   * Cost limits in CEL cost units: `perCall` for one evaluation of a rule, `perObject` for all rules of an object. `unlimited` removes the
   * server's limit.
   */
  readonly costLimits?: { readonly perCall?: number | 'unlimited'; readonly perObject?: number | 'unlimited' };
}

/** Options for computing the verdict on one create or update request for an object. */
export interface WriteOptions extends Omit<ObjectOptions, 'kubernetesVersion' | 'featureGates'> {
  /** Stored object. If it is given, the write is an update, to which ratcheting and transition rules apply. */
  readonly oldObject?: Document;
  /** Operation of the write. Default: `UPDATE` if there is an old object or a subresource, otherwise `CREATE`. */
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly subresource?: 'status';
  /** True if the verdict also contains the cost of each rule. */
  readonly explain?: boolean;
}

/** Verdict on a definition, with the cost estimate of every rule. */
export interface JudgedDefinition extends DefinitionReport {
  readonly rules: readonly RulePrice[];
  /** Total cost of all rules of each version, in cost units, by version name. The server compares it with its limit of 100,000,000. */
  readonly schemaCost: Readonly<Record<string, string>>;
}

/** Verdict on one write of an object. */
export type Verdict = Omit<BatchVerdict, 'index' | 'missing' | 'admission' | 'timings'>;

/** Result of explaining rule costs: the definitions with the cost of each rule, and the outcome and CEL cost of each given object. */
export interface Explanation {
  readonly definitions: readonly ExplainedDefinition[];
  readonly objects: readonly MeasuredObject[];
}

/** The effects of a changed definition on stored objects. */
export interface WhatIf {
  /** The server's answer to the change itself. If it is a refusal, no verdicts on objects are computed. */
  readonly definition: DefinitionReport;
  /** Number of objects for each effect. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** Effects of the changed definition, one for each object, in the order in which the objects were given. */
  readonly objects: readonly ObjectEffect[];
}

/** Options of a study: objects to start with, an older revision, a time budget, and a choice of rules. */
export interface StudyOptions extends ServerOptions {
  /** Objects with which the searches for expensive writes start. The searches make these objects larger. */
  readonly objects?: readonly Document[];
  /** Definitions of an older revision. The study compares each rule with the same rule in this revision. */
  readonly base?: readonly Document[];
  /** Time budget of the study in ms; default 10,000. */
  readonly budgetMs?: number;
  /** True if times are measured too; false if only costs are found. Default: true. */
  readonly isTimed?: boolean;
  /** Seed of the random choices. The same seed leads to the same choices; default 1. */
  readonly seed?: number;
  /** Returns true if a rule is to be studied. By default, all rules are studied. */
  readonly isWanted?: (rule: { readonly version: string; readonly path: string; readonly rule: string }) => boolean;
}
