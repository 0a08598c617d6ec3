import { LRUCache } from 'lru-cache';
import { internalErrorStatus, serviceUnavailableStatus } from '#kube';
import { definitionText, definitionTexts, definitionWrite, serverOf, settleNames } from '#documents';
import type { DefinitionReport, DefinitionText, DefinitionWrite, DocumentSlice, EvaluationOptions, PolicyReport } from '#documents';
import type { JudgedDefinition, ResultOf, Work, QueuedEngine } from '#runner';
import type { Caller, ServicePorts } from '../ports.ts';
import { checkDefinitions, checkDefinitionSize } from '../check-request.ts';
import { untilDeadline } from '../deadline.ts';
import { answered, declined, refused } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';
import { judgeSameNames, reviewPolicies, sequenceWork } from './prepared-batch.ts';
import type { JudgedTexts } from './prepared-batch.ts';

/**
 * Maximum number of reports that are cached by the digest of the definition, so that a definition that is sent repeatedly is validated only
 * once.
 */
const REMEMBERED_REPORTS = 1000;

/** Maximum number of policy texts whose reviews are cached. */
const REMEMBERED_REVIEWS = 50;

/**
 * Component that computes the verdicts on definitions and reviews policies. The work runs on the engine, so that a hostile schema cannot
 * block the process that received the request.
 */
export class DefinitionJudge {
  readonly #reports = new LRUCache<string, DefinitionReport>({ max: REMEMBERED_REPORTS });
  readonly #reviews = new LRUCache<string, readonly PolicyReport[]>({ max: REMEMBERED_REVIEWS });
  readonly #ports: Pick<ServicePorts, 'limits' | 'telemetry'>;

  constructor(ports: Pick<ServicePorts, 'limits' | 'telemetry'>) {
    this.#ports = ports;
  }

  /**
   * Computes the verdicts on all definitions of a batch. A definition with the name of an earlier one is judged as its update.
   *
   * @param deadlineAt end of the evaluation, in epoch ms
   */
  async judgeAll(
    slices: readonly DocumentSlice[],
    options: EvaluationOptions,
    { engine, signal }: Caller,
    deadlineAt: number,
  ): Promise<Outcome<JudgedTexts>> {
    const problem = checkDefinitions(slices, this.#ports.limits);
    if (problem) return problem;
    const texts = await definitionTexts(slices, serverOf(options));
    const known = texts.map((definition) => this.#reports.get(reportKey(definition, options)));
    // Creates the signal of the deadline only if a definition is not in the cache.
    const until = (): AbortSignal => untilDeadline(signal, deadlineAt);
    const reports = known.every((report) => report !== undefined)
      ? answered(known)
      : allAnswered(
          await Promise.all(
            texts.map(async (definition, i) => {
              const report = known[i];
              return report === undefined ? this.#judgeFirst(definition, options, engine, until()) : answered(report);
            }),
          ),
        );
    if (reports.kind !== 'answered') return reports;
    const created = { texts, judged: reports.answer.map((report) => ({ report })) };
    let declinedSequence: Declined | undefined;
    const inSequence = await judgeSameNames(created, async (same) => {
      const outcome = await this.#run(sequenceWork(same, options, { rules: false }), engine, until());
      if (outcome.kind === 'answered') return outcome.answer;
      declinedSequence = outcome;
      return undefined;
    });
    return declinedSequence ?? answered({ texts, judged: inSequence });
  }

  /** Computes the verdict on one definition and the estimated cost of each of its rules. */
  async judge(
    slice: DocumentSlice,
    options: EvaluationOptions,
    engine: QueuedEngine,
    signal: AbortSignal,
  ): Promise<Outcome<JudgedDefinition>> {
    const problem = checkDefinitionSize('the definition', slice);
    if (problem) return problem;
    const definition = definitionText(slice, serverOf(options));
    const outcome = await this.#judge({ definition, rules: true, ...definitionWrite(definition, options) }, engine, signal);
    if (outcome.kind !== 'answered') return outcome;
    const { report } = outcome.answer;
    return answered({ ...outcome.answer, report: settleNames([report])[0] ?? report });
  }

  /**
   * Returns a server's answers to the creation of a batch's policies; undefined if there was not enough time. Returns a refusal with status
   * 429 if the admission queue is full. The batch does not wait for these answers, because its objects are evaluated as if the policies
   * were stored.
   *
   * @param deadlineAt end of the evaluation, in epoch ms
   */
  async reviewPolicies(
    policies: DefinitionText,
    { fieldValidation }: EvaluationOptions,
    { engine, signal }: Caller,
    deadlineAt: number,
  ): Promise<Outcome<readonly PolicyReport[] | undefined>> {
    const key = `${policies.digest} ${fieldValidation}`;
    const known = this.#reviews.get(key);
    if (known !== undefined) return answered(known);
    const full = engine.enterQueue();
    if (full) return refused(full);
    const how = { typeChecking: true, fieldValidation, signal: untilDeadline(signal, deadlineAt) };
    const reports = await reviewPolicies(engine, policies, how);
    if (reports !== undefined) this.#reviews.set(key, reports);
    return answered(reports);
  }

  #judge(
    work: Omit<Extract<Work, { kind: 'judge' }>, 'kind'>,
    engine: QueuedEngine,
    signal: AbortSignal,
  ): Promise<Outcome<JudgedDefinition>> {
    return this.#run({ kind: 'judge', ...work }, engine, signal);
  }

  async #run<One extends Extract<Work, { kind: 'judge' | 'judge-sequence' }>>(
    work: One,
    engine: QueuedEngine,
    signal: AbortSignal,
  ): Promise<Outcome<ResultOf<One>>> {
    const full = engine.enterQueue();
    if (full) return refused(full);
    const started = performance.now();
    const answer = await engine.run(work, { signal });
    this.#ports.telemetry.metrics.histograms.definitionSeconds.record((performance.now() - started) / 1000);
    if (answer.kind === 'done') return answered(answer.result);
    return answer.kind === 'cancelled'
      ? declined('late', serviceUnavailableStatus('the definition was not judged in time'))
      : declined('broken', internalErrorStatus('this definition ended the engine that judged it'));
  }

  /** Computes the report on a definition whose report is not cached, and caches it. */
  async #judgeFirst(
    definition: DefinitionText,
    options: EvaluationOptions,
    engine: QueuedEngine,
    signal: AbortSignal,
  ): Promise<Outcome<DefinitionReport>> {
    const outcome = await this.#judge({ definition, rules: false, ...definitionWrite(definition, options) }, engine, signal);
    if (outcome.kind !== 'answered') return outcome;
    const { report } = outcome.answer;
    this.#reports.set(reportKey(definition, options), report);
    return answered(report);
  }
}

/**
 * Returns the cache key of a report. It consists of the digest of the definition's text, and of the options of the write, because they
 * can change the report.
 */
function reportKey(definition: DefinitionText, options: EvaluationOptions): string {
  const { asSent, fieldValidation }: DefinitionWrite = definitionWrite(definition, options);
  return `${definition.digest} ${fieldValidation} ${asSent ? 'as sent' : ''}`;
}

/** Returns the answers of all outcomes, or the first outcome that is no answer. */
function allAnswered<Answer>(outcomes: readonly Outcome<Answer>[]): Outcome<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind !== 'answered') return outcome;
    answers.push(outcome.answer);
  }
  return answered(answers);
}
