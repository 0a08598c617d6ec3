import {
  chunkSettings,
  definitionTexts,
  definitionWrite,
  policyTextOf,
  sameNames,
  serverOf,
  settleNames,
  supersededDefinitions,
  textDigests,
} from '#documents';
import type {
  ChunkResult,
  ChunkSettings,
  DefinitionReport,
  DefinitionText,
  DocumentSlice,
  Envelope,
  EvaluationOptions,
  FieldValidation,
  PolicyReport,
  Verdict,
} from '#documents';
import { internalErrorStatus, timeoutStatus } from '#kube';
import type { JudgedDefinition } from '#runner';
import { asSingleBlock, cutRuns } from '../evaluate/cut-runs.ts';
import type { ItemRun } from '../evaluate/cut-runs.ts';
import { evaluateRuns, runEvaluator } from '../evaluate/evaluate-runs.ts';
import type { Engine } from '../ports.ts';

/**
 * Batch without its objects: definitions with a server's verdicts, and policies. Callers use it to evaluate objects on an engine, run by
 * run.
 */
export interface PreparedBatch {
  /** Verdicts and reports on the definitions, in the order of the batch. */
  readonly judged: readonly JudgedDefinition[];
  /**
   * Reports on the definitions, in the order of the batch. A definition may request a name, such as a kind or plural, that
   * an earlier definition of its group has. The report on the later definition then has the condition `Established` with status False.
   */
  readonly reports: readonly DefinitionReport[];
  readonly settings: ChunkSettings;
  /** Texts that `settings` references by digest. */
  readonly texts: readonly DefinitionText[];
  /** Text of the policies; undefined if there are none. */
  readonly policies: DefinitionText | undefined;
}

/** Options of the preparation of a batch. */
export interface PreparingOptions {
  /** True if the report on each definition includes the estimated cost of every rule. */
  readonly rules?: boolean;
  /** Size in bytes from which a definition's text is measured as JSON; absent if the size of the JSON is not needed. */
  readonly measuredFrom?: number | undefined;
  /**
   * Signal that stops the preparation. A definition without a verdict at this time gets a Status that states that its validation was
   * stopped.
   */
  readonly signal?: AbortSignal | undefined;
  /** Earlier verdicts on the definitions; undefined if the verdicts must still be computed. */
  readonly known?: JudgedTexts;
}

/** Texts of definitions, and one server's verdicts on the definitions. Both are in the order of the batch. */
export interface JudgedTexts {
  readonly texts: readonly DefinitionText[];
  readonly judged: readonly JudgedDefinition[];
}

/**
 * Computes a server's verdict on the creation of each definition of a batch, unless `known` has the verdicts. Returns these verdicts and
 * the batch's policies, ready for evaluating objects.
 */
export async function prepareBatch(
  engine: Engine,
  envelope: Omit<Envelope, 'objects'>,
  { known, ...how }: PreparingOptions = {},
): Promise<PreparedBatch> {
  return batchOf(envelope, known ?? (await judgeEachOnce(engine, envelope, how)));
}

/** Deadline and trace of an evaluation, see {@link ChunkSettings}. */
type BatchTimes = Pick<ChunkSettings, 'deadlineAt' | 'traceparent'>;

/** Returns a batch whose definitions have verdicts, ready for evaluating objects. By default, the batch has no deadline and no trace. */
export function batchOf(
  { definitions, policies, cluster, options }: Omit<Envelope, 'objects'>,
  { texts, judged }: JudgedTexts,
  { deadlineAt, traceparent }: BatchTimes = { deadlineAt: Number.MAX_SAFE_INTEGER, traceparent: undefined },
): PreparedBatch {
  const reports = settleNames(judged.map(({ report }) => report));
  const policyText = policies.length === 0 ? undefined : policiesOf({ definitions, policies, cluster, options }, reports);
  const settings = chunkSettings(reports, { options, policies: policyText?.digest, deadlineAt, traceparent });
  const needed = new Set(textDigests(settings));
  const named = [...texts, ...(policyText === undefined ? [] : [policyText])].filter(({ digest }) => needed.has(digest));
  return { judged, reports, settings, texts: named, policies: policyText };
}

/** Returns the text of a batch's policies. Policies may read the definitions that a server would store. */
function policiesOf(
  { definitions, policies, cluster, options }: Omit<Envelope, 'objects'>,
  reports: readonly DefinitionReport[],
): DefinitionText {
  const superseded = supersededDefinitions(reports);
  const standing = definitions.filter((_, i) => !superseded.has(i));
  return policyTextOf({ policies, cluster }, standing, serverOf(options));
}

async function judgeEachOnce(
  engine: Engine,
  { definitions, options }: Pick<Envelope, 'definitions' | 'options'>,
  { rules = false, measuredFrom, signal }: PreparingOptions,
): Promise<JudgedTexts> {
  const texts = await definitionTexts(definitions, serverOf(options));
  const judge = async (definition: DefinitionText): Promise<JudgedDefinition> => {
    const answer = await engine.run(
      { kind: 'judge', definition, rules, ...definitionWrite(definition, options), measuredFrom },
      { ...(signal && { signal }) },
    );
    return answer.kind === 'done' ? answer.result : reportWithoutVerdict(answer.kind, definition);
  };
  const created = { texts, judged: await eachTextOnce(texts, judge) };
  return { texts, judged: await judgeSameNames(created, (same) => judgeSequence(engine, sequenceWork(same, options, { rules }), signal)) };
}

/** Evaluates a run of consecutive items and returns the verdicts, in the order of the items. */
export async function judgeRun(engine: Engine, prepared: PreparedBatch, run: ItemRun, signal?: AbortSignal): Promise<readonly Verdict[]> {
  return verdictsOf(await runEvaluator(engine, prepared, { signal })(run));
}

const verdictsOf = ({ verdicts }: ChunkResult): readonly Verdict[] => verdicts.map((text) => JSON.parse(text) as Verdict);

/** Evaluates all objects of a batch and returns the verdicts, in the order of the objects. */
export async function judgeObjects(
  engine: Engine,
  prepared: PreparedBatch,
  objects: readonly DocumentSlice[],
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const results = evaluateRuns(engine, prepared, cutRuns(asSingleBlock(objects)), { signal });
  const verdicts: Verdict[] = [];
  for await (const result of results) verdicts.push(...verdictsOf(result));
  return verdicts;
}

/**
 * Calls `ask` once for each distinct text. Returns one answer for each element of `texts`, in order. `i` is the index of the first of
 * several equal texts.
 */
export function eachTextOnce<Answer>(
  texts: readonly DefinitionText[],
  ask: (text: DefinitionText, i: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const once = new Map<string, Promise<Answer>>();
  return Promise.all(
    texts.map((text, i) => {
      const known = once.get(text.digest) ?? ask(text, i);
      once.set(text.digest, known);
      return known;
    }),
  );
}

/** Function that judges a sequence of definitions of one name ({@link judgeSameNames}). Returns undefined if there was no time for it, or the work broke the engine. */
type JudgeSequence = (definitions: readonly DefinitionText[]) => Promise<readonly JudgedDefinition[] | undefined>;

/**
 * Returns the verdicts on the definitions of a batch, as a server that receives them in order. `judged` has the verdicts on their creations.
 * If a name occurs more than once, the later definitions of this name are judged again, as updates.
 */
export async function judgeSameNames({ texts, judged }: JudgedTexts, judgeSequence: JudgeSequence): Promise<readonly JudgedDefinition[]> {
  const updated = new Map<number, JudgedDefinition>();
  for (const positions of sameNames(judged.map(({ report }) => report))) {
    const answers = await judgeSequence(positions.map((i) => texts[i] as DefinitionText));
    for (const [n, at] of positions.entries()) {
      const created = judged[at] as JudgedDefinition;
      const answer = answers?.[n];
      const { name } = created.report;
      // The first definition with a name is a create, and `judged` already contains its verdict.
      if (answers === undefined && n > 0)
        updated.set(at, { report: { ...reportWithoutVerdict('cancelled', texts[at] as DefinitionText).report, name } });
      const updateOf = answer?.report.updateOf;
      if (answer && updateOf !== undefined)
        updated.set(at, { ...created, ...answer, report: { ...answer.report, updateOf: positions[updateOf] } });
    }
  }
  return updated.size === 0 ? judged : judged.map((one, i) => updated.get(i) ?? one);
}

/** Returns the work that judges a sequence of definitions of one name. */
export const sequenceWork = (
  definitions: readonly DefinitionText[],
  { asSent, fieldValidation }: Pick<EvaluationOptions, 'asSent' | 'fieldValidation'>,
  { rules }: { readonly rules: boolean },
) => ({ kind: 'judge-sequence', definitions, rules, asSent, fieldValidation }) as const;

/** Performs work that judges a sequence of definitions. Returns undefined if `signal` stopped the work, or the work broke the engine. */
export async function judgeSequence(
  engine: Engine,
  work: ReturnType<typeof sequenceWork>,
  signal: AbortSignal | undefined,
): Promise<readonly JudgedDefinition[] | undefined> {
  const answer = await engine.run(work, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}

/** Status for a definition whose validation was stopped. */
const STOPPED = timeoutStatus('the definition was not judged', 0, 408);
const GUILTY = internalErrorStatus('this definition ended the engine that judged it');

/**
 * Returns the report on a definition for which no verdict was computed. `why` is the reason: the work was cancelled, or it broke the
 * engine. The report states that the definition is not accepted.
 */
export function reportWithoutVerdict(why: 'cancelled' | 'broken', { digest }: DefinitionText): JudgedDefinition {
  return { report: { name: '', digest, accepted: false, status: why === 'cancelled' ? STOPPED : GUILTY, warnings: [] } };
}

/** Options of a review of policies. */
export interface ReviewOptions {
  /** True if the review also returns the type-checking status that a server writes into a policy. */
  readonly typeChecking: boolean;
  /** Treatment of unknown and duplicate fields of policies. */
  readonly fieldValidation: FieldValidation;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a server's answers to the creation of each policy and binding in the text `policies`, in the order of the text. Returns undefined
 * if `signal` stopped the engine's work, or if the work crashed or blocked the engine.
 */
export async function reviewPolicies(
  engine: Engine,
  policies: DefinitionText,
  { typeChecking, fieldValidation, signal }: ReviewOptions,
): Promise<readonly PolicyReport[] | undefined> {
  const answer = await engine.run({ kind: 'review-policies', policies, typeChecking, fieldValidation }, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}
