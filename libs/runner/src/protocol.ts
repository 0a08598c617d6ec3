import type { CellFindings, PolicyCell, PolicyCellFindings, StudyCell } from '#benchmark';
import type { BoundChoice, Minor, SchemaChange, Server, Status } from '#kube';
import type { SharedBoard } from './cancellation-board.ts';
import type { ObjectTypes } from './object-types.ts';
import type {
  BoundCeiling,
  ChunkResult,
  ChunkSettings,
  CutDocument,
  DefinitionReport,
  DefinitionText,
  DefinitionWrite,
  DocumentLimits,
  DocumentSlice,
  EvaluationOptions,
  ExplainedDefinition,
  FieldValidation,
  FoundBounds,
  JudgingSettings,
  ListGrowth,
  MeasuredObject,
  ObjectEffect,
  PricedPart,
  PolicyReport,
  VerdictCauses,
  RulePrice,
} from '#documents';

/**
 * Messages between three participants: the process that requests a verdict, the engine host, and a thread. The host is a forked process
 * that owns the threads. Documents are sent as packed bytes, never as parsed values.
 */

/**
 * JSON or YAML documents of several objects, copied into one block of bytes. Only one buffer is then copied or transferred if a process or
 * thread sends them.
 */
export interface PackedItems {
  readonly bytes: Uint8Array;
  /** Exclusive end of each item in `bytes`. */
  readonly ends: Uint32Array;
  /** Notation of each item, as an index of `NOTATIONS`. */
  readonly notations: Uint8Array;
}

/**
 * Documents that were cut from a text, packed into one block of bytes. `origins` has three numbers for each document: start and
 * end in the text, and the index in the enclosing YAML `List`, from 0. The index is -1 if the document is not in a `List`.
 */
export interface PackedCuts extends PackedItems {
  readonly origins: Float64Array;
}

/** Task for an engine thread: compute the verdicts on the objects of a chunk (a part of an evaluation), in order. */
export interface EvaluateWork {
  readonly kind: 'evaluate';
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
  readonly settings: JudgingSettings;
  /** W3C traceparent of the span to which the work belongs. If it is set, each object of the chunk also gets a span. */
  readonly traceparent?: string | undefined;
  /**
   * CEL cost units that the chunk may spend; undefined if there is no budget. Items that follow after the budget is spent are not
   * evaluated.
   */
  readonly celLeft?: number | undefined;
}

/**
 * Task for an engine thread: determine how long lists, maps and texts may become before expressions of a policy exceed a cost limit. They
 * are parts of one object, and of the parameter objects of the policy.
 */
export interface GrowWork {
  readonly kind: 'grow';
  readonly item: PackedItems;
  /** Name of the policy. */
  readonly policy: string;
  readonly settings: ChunkSettings;
}

/**
 * Task for an engine thread: study one aspect of an admission policy for the write of one object. The result is what was found within
 * `budgetMs`.
 */
export interface PolicyStudyWork {
  readonly kind: 'study-policy';
  readonly item: PackedItems;
  /** Text with the documents of all policies, and with the objects that they read. */
  readonly policies: DefinitionText;
  /** Kind and name of the studied policy. */
  readonly policyKind: string;
  readonly name: string;
  readonly cell: PolicyCell;
  readonly settings: ChunkSettings;
  readonly budgetMs: number;
}

/**
 * Task for an engine thread: check an expression as if it were a rule of a definition. The result is the type and the cost estimate of the
 * expression, and its value for an object if there is one.
 */
export interface ExpressionWork {
  readonly kind: 'expression';
  /** Definition whose objects the expression reads as `self`. For an expression without `self`, the Kubernetes minor version. */
  readonly definition: DefinitionText | Minor;
  readonly expression: string;
  /** Version of the definition; by default, the storage version. */
  readonly version: string | undefined;
  /** Path of the schema to which `self` refers; empty for the whole object. */
  readonly path: string;
  /** Object for which the expression is evaluated; undefined if only its type and cost estimate are requested. */
  readonly item: PackedItems | undefined;
  /**
   * Options under which the creation of the object would be judged; undefined for an answer without a trace. A trace has the engines that
   * evaluate the expression, and the way that judges the object.
   */
  readonly tracedUnder?: EvaluationOptions | undefined;
}

/** Task for an engine thread: perform one cell of a study of a definition's rules. */
export interface StudyWork {
  readonly kind: 'study';
  readonly definition: DefinitionText;
  /** Older revision of the definition, which the study also uses; undefined if there is none. */
  readonly base: DefinitionText | undefined;
  readonly cell: StudyCell;
}

/** Value of an expression for an object, as JSON text, or the error of its evaluation. */
type ExpressionValue =
  | { readonly ok: true; readonly value: string; readonly cost: number; readonly engine?: TracedEngine }
  | { readonly ok: false; readonly error: string; readonly cost?: number; readonly engine?: TracedEngine };

/** Engine that evaluated an expression: generated code or the interpreter. Present only with a trace. */
type TracedEngine = ExpressionTrace['engine'] | undefined;

/** Engine that evaluates an expression after enough evaluations; see `ExpressionTrace` of `#crd`. */
interface ExpressionTrace {
  readonly engine: 'compiled' | 'interpreted';
  readonly interpretedUnits?: number;
  readonly obstacle?: string;
}

/** Way in which the verdict on an object is computed; see `WriteTrace` of `#crd`. */
interface WriteTrace {
  readonly way: 'columns' | 'reader' | 'exact';
  readonly fromYaml?: true;
  readonly obstacle?: string;
}

/** Type, cost estimate and value of an expression, or the reason why the expression cannot be a rule at the requested path. */
export type ExpressionReport =
  | { readonly ok: false; readonly error: string }
  | {
      readonly ok: true;
      readonly version?: string;
      readonly type: string;
      readonly estimate: string;
      readonly result?: ExpressionValue;
      /** Engine that evaluates the expression; present only if the task asks for a trace. */
      readonly trace?: ExpressionTrace;
      /** Way in which the verdict on the object is computed; present only if the task asks for a trace and has an object. */
      readonly write?: WriteTrace;
    };

/** Task that an engine thread can perform. The property `kind` distinguishes the tasks. */
export type Work =
  | EvaluateWork
  | GrowWork
  | PolicyStudyWork
  | ExpressionWork
  | StudyWork
  /**
   * Work that computes a server's verdict on the creation of a definition. If `rules` is true, the result also contains the estimated cost
   * of every rule.
   */
  | (DefinitionWrite & {
      readonly kind: 'judge';
      readonly definition: DefinitionText;
      readonly rules: boolean;
      /** Size in bytes from which a text is measured as JSON; absent if the size of the JSON is not needed. */
      readonly measuredFrom?: number | undefined;
    })
  /**
   * Work that computes the verdicts of several servers on the creation of one definition. The elements of `definitions` differ only in the
   * server.
   */
  | (DefinitionWrite & { readonly kind: 'judge-each'; readonly definitions: readonly DefinitionText[]; readonly rules: boolean })
  /**
   * Work that judges definitions of one name as a server does that receives them in this order. The first definition that it accepts is
   * created, and each later one is an update.
   */
  | (DefinitionWrite & { readonly kind: 'judge-sequence'; readonly definitions: readonly DefinitionText[]; readonly rules: boolean })
  /** Work that determines the effect on stored objects if the definition `from` is replaced by `to`. */
  | {
      readonly kind: 'what-if';
      readonly from: DefinitionText;
      readonly to: DefinitionText;
      readonly firstItem: number;
      readonly items: PackedItems;
      readonly options: EvaluationOptions;
    }
  /**
   * Work that validates an update of a definition: a server stores `from`, and the update replaces it by `to`. If `compares` is true, the
   * result also contains the differences between the two definitions.
   */
  | (DefinitionWrite & {
      readonly kind: 'judge-update';
      readonly from: DefinitionText;
      readonly to: DefinitionText;
      readonly compares?: boolean;
    })
  /**
   * Work that divides the estimated cost of every rule of a definition among the parts of the rule. It also suggests bounds for schemas if
   * a cost is too high.
   */
  | (DefinitionWrite & {
      readonly kind: 'explain';
      readonly definition: DefinitionText;
      readonly oldest?: Minor | undefined;
      /** Other servers that must accept the costs with the suggested bounds. */
      readonly others?: readonly Server[] | undefined;
    })
  /**
   * Work that explains why two servers have different verdicts on a definition: `from`, and the server for which `definition` was read.
   * `stored` contains the stored definition that the write updates on each server; absent for a create.
   */
  | (DefinitionWrite & {
      readonly kind: 'causes';
      readonly definition: DefinitionText;
      readonly from: Server;
      readonly stored?: Readonly<Partial<Record<'from' | 'to', DefinitionText | undefined>>> | undefined;
    })
  /** Work that searches for size bounds with which all of the servers accept the creation of a definition. */
  | (DefinitionWrite & {
      readonly kind: 'bounds';
      readonly definition: DocumentSlice;
      readonly servers: readonly Server[];
      readonly choice: BoundChoice;
    })
  /** Work that searches how far the bound of a field, such as `spec.list`, may rise before each of the servers refuses a definition. */
  | (DefinitionWrite & {
      readonly kind: 'ceilings';
      readonly definition: DocumentSlice;
      readonly servers: readonly Server[];
      readonly field: string;
    })
  /** Work that computes the verdicts on objects of a definition's kind, and measures the cost of each part of the definition's rules. */
  | {
      readonly kind: 'measure';
      readonly definition: DefinitionText;
      readonly firstItem: number;
      readonly items: PackedItems;
      readonly options: EvaluationOptions;
    }
  /** Work that determines a server's answers to the creation of each policy in a text. */
  | {
      readonly kind: 'review-policies';
      readonly policies: DefinitionText;
      readonly typeChecking: boolean;
      readonly fieldValidation: FieldValidation;
    }
  /** Work that cuts a text into documents. It unpacks lists (`kind: List`), and separates definitions, policies and objects. */
  | { readonly kind: 'documents'; readonly bytes: Uint8Array; readonly notation: DocumentNotation; readonly limits: DocumentLimits };

/** Notation of a text: a YAML stream, or one JSON document per line. */
export type DocumentNotation = 'yaml' | 'json-lines';

/** Report on one definition. `rules` and `schemaCost` contain costs as decimal strings, because costs are uint64. */
export interface JudgedDefinition {
  readonly report: DefinitionReport;
  readonly rules?: readonly RulePrice[];
  readonly schemaCost?: Readonly<Record<string, string>>;
  /** Size of the definition as JSON, in bytes; absent if it was not requested or the definition is not readable. */
  readonly jsonBytes?: number;
  /** Differences from the stored definition; absent if they were not requested. */
  readonly changes?: readonly SchemaChange[];
}

/**
 * Explanation of a definition. `usable` is true if the definition can be used to validate objects, even if its rules are too expensive for
 * a server.
 */
export interface DefinitionExplained {
  readonly explained: ExplainedDefinition;
  readonly usable: boolean;
}

/** Measured objects of a definition's kind, and measured costs of its rules. */
export interface MeasuredItems {
  /** Measured objects of the definition's kind. Objects of other kinds are skipped. */
  readonly objects: readonly MeasuredObject[];
  readonly rules: readonly RuleMeasurement[];
}

/**
 * Measured cost of a rule over several objects. `costliest` identifies the most expensive single evaluation, and `parts` contains the costs
 * of the rule's subexpressions in this evaluation.
 */
export interface RuleMeasurement {
  readonly version: string;
  readonly path: string;
  readonly objects: number;
  readonly evaluations: number;
  readonly cost: number;
  readonly costliest: { readonly object: number; readonly at: string; readonly cost: number };
  readonly parts: PricedPart;
}

/** Documents found in a text, packed for sending between processes. */
export interface PackedDocuments {
  readonly definitions: PackedCuts;
  readonly policies: PackedCuts;
  readonly types: ObjectTypes;
  readonly objects: PackedCuts;
  /** Error Status if the text contains more documents than permitted. All lists are empty in this case. */
  readonly status?: Status;
}

/** Documents found in a text. A document that cannot be read is listed too, so that its problem is reported. */
export interface DocumentList {
  readonly definitions: readonly CutDocument[];
  /** Admission policies and their bindings. */
  readonly policies: readonly CutDocument[];
  readonly types: ObjectTypes;
  readonly objects: readonly CutDocument[];
  /** Error Status if the text contains more documents than permitted. All lists are empty in this case. */
  readonly status?: Status;
}

/** Types of the results of a thread, by kind of work. */
interface WorkResults {
  readonly evaluate: ChunkResult;
  readonly judge: JudgedDefinition;
  readonly 'judge-each': readonly JudgedDefinition[];
  readonly 'judge-update': JudgedDefinition;
  readonly 'judge-sequence': readonly JudgedDefinition[];
  readonly 'what-if': readonly ObjectEffect[];
  readonly explain: DefinitionExplained;
  readonly causes: VerdictCauses;
  readonly bounds: FoundBounds;
  readonly ceilings: readonly BoundCeiling[];
  readonly measure: MeasuredItems;
  readonly 'review-policies': readonly PolicyReport[];
  readonly grow: readonly ListGrowth[];
  readonly 'study-policy': PolicyCellFindings;
  readonly expression: ExpressionReport;
  readonly documents: PackedDocuments;
  readonly study: CellFindings[StudyCell['kind']];
}

/** Type of the result of a task. */
export type ResultOf<One extends Work> = WorkResults[One['kind']];

/** Result of an engine task of any kind, in the form in which it is sent between processes. */
export type WorkResult = WorkResults[keyof WorkResults];

/** Kind of failure by which a task broke the thread or host on which it ran. */
export type Breakage = 'out of memory' | 'thread exit' | 'stuck thread' | 'host exit' | 'engine error';

/** All kinds of work except evaluations, which are sent as separate frames (`frames/evaluation-frame.ts`). */
export type OtherWork = Exclude<Work, EvaluateWork>;

/** Message from the service to the engine host, the process that runs the threads. Evaluations are sent as binary frames instead. */
export type HostRequest =
  | { readonly type: 'define'; readonly definition: DefinitionText }
  | { readonly type: 'forget'; readonly digest: string }
  | { readonly type: 'run'; readonly id: number; readonly work: OtherWork; readonly background: boolean }
  | { readonly type: 'cancel'; readonly id: number };

/**
 * Message from the engine host, the process that runs the threads, to the service. Results of evaluations are sent as binary frames instead
 * (`frames/evaluation-frame.ts`). `spentMs` is the time in ms for which the work occupied a thread.
 */
export type HostReply =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly result: OtherResult; readonly spentMs: number }
  /** Answer to a cancelled task without a result. The thread was ended because the task did not stop in time, or the task had not begun. */
  | { readonly type: 'terminated'; readonly id: number; readonly spentMs: number }
  /** Answer to a cancelled task whose thread still runs although it was ended. The host must therefore end. */
  | { readonly type: 'stuck'; readonly id: number; readonly spentMs: number }
  | { readonly type: 'broken'; readonly id: number; readonly breakage: Breakage; readonly detail: string; readonly spentMs: number };

/** Result of a task of an engine thread, for all kinds of tasks except the evaluation of objects. */
export type OtherResult = ResultOf<OtherWork>;

/** Data that a thread receives when it starts. */
export interface ThreadData {
  readonly board: SharedBoard;
  /** Shared counter of the threads that run work other than background work (`UrgentWork`). */
  readonly urgent: SharedArrayBuffer;
}

/**
 * Message to an engine thread from the engine host, the process that runs the threads. The host may send new work only after the thread has
 * answered all earlier work. An `ArrayBuffer` contains one or more evaluations in binary form, one after the other.
 */
export type ThreadRequest =
  | ArrayBuffer
  | { readonly type: 'work'; readonly work: OtherWork; readonly background: boolean }
  | { readonly type: 'definitions'; readonly definitions: readonly DefinitionText[] }
  /** Request to end. The host sends no further messages. */
  | { readonly type: 'end' };

/**
 * Message from an engine thread to the host (the process that runs the threads). After each message, the host must also read the answers
 * that the thread left on the board, the memory that both share. `task` is the index of the task on the board.
 */
export type ThreadReply =
  /** Notice that the thread has loaded the engine. It is the first message of a thread. */
  | 'ready'
  /** Notice that the board contains answers. The thread continues with its tasks. */
  | 'look'
  /** Notice that the thread has finished all its tasks. */
  | 'idle'
  /** Request for definition texts that the thread's cache does not contain. The thread continues when it receives them. */
  | { readonly type: 'need'; readonly digests: readonly string[] }
  | { readonly type: 'done'; readonly task: number; readonly result: OtherResult; readonly spentMs: number }
  /** Answer to an evaluation, sent as a message because the board (the memory shared with the host) has no room for it. */
  | { readonly type: 'evaluated'; readonly task: number; readonly answer: ArrayBuffer }
  /** Notice that the task stopped because its cancellation token requested it. The task has no result. */
  | { readonly type: 'stopped'; readonly task: number; readonly spentMs: number }
  | { readonly type: 'error'; readonly task: number; readonly detail: string; readonly spentMs: number };
