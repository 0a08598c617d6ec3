import { LRUCache } from 'lru-cache';
import { duplicate, internalErrorStatus, invalidStatus, serviceUnavailableStatus } from '#kube';
import type { Server } from '#kube';
import { definitionText, serverOf, settleNames } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, EvaluationOptions } from '#evaluation';
import type { JudgedDefinition } from '#runner';
import { checkDefinitions, checkDefinitionSize } from '../check-request.ts';
import { answered, declined, refused } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';
import type { AdmittedEngine, ServicePorts } from '../ports.ts';

/** Reports remembered by digest, so that a definition is judged once however often it comes. */
const REMEMBERED_REPORTS = 1000;

/** Judges definitions on the engine: a hostile schema must not stall the process that was asked. */
export class DefinitionJudge {
  readonly #reports = new LRUCache<string, DefinitionReport>({ max: REMEMBERED_REPORTS });
  readonly #ports: ServicePorts;

  constructor(ports: ServicePorts) {
    this.#ports = ports;
  }

  /**
   * Judges all definitions of a batch and stores their texts. Two definitions of one name are refused with a 422.
   *
   * @param until makes the signal that stops judging; made only where a definition is not known yet
   */
  async judgeAll(
    slices: readonly DocumentSlice[],
    options: EvaluationOptions,
    engine: AdmittedEngine,
    until: () => AbortSignal,
  ): Promise<Outcome<readonly DefinitionReport[]>> {
    const problem = checkDefinitions(slices, this.#ports.limits);
    if (problem) return problem;
    const outcomes = await Promise.all(slices.map((slice) => this.#judgeOnce(slice, options, engine, until)));
    const failure = outcomes.find((outcome) => outcome.kind !== 'answered');
    if (failure) return failure;
    const reports = outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.answer] : []));
    const duplicates = this.#ports.limits.sameNames === 'refused' ? checkDuplicates(reports) : undefined;
    return duplicates ?? answered(settleNames(reports));
  }

  /** Judges one definition with the static price of every rule. */
  async judge(slice: DocumentSlice, server: Server, engine: AdmittedEngine, signal: AbortSignal): Promise<Outcome<JudgedDefinition>> {
    const problem = checkDefinitionSize('the definition', slice);
    if (problem) return problem;
    const outcome = await this.#judge(definitionText(slice, server), true, engine, signal);
    if (outcome.kind !== 'answered') return outcome;
    const { report } = outcome.answer;
    return answered({ ...outcome.answer, report: settleNames([report])[0] ?? report });
  }

  async #judge(
    definition: DefinitionText,
    rules: boolean,
    engine: AdmittedEngine,
    signal: AbortSignal,
  ): Promise<Outcome<JudgedDefinition>> {
    const full = engine.admit();
    if (full) return full;
    const started = performance.now();
    const answer = await engine.run({ kind: 'judge', definition, rules }, { signal });
    this.#ports.telemetry.metrics.histograms.definitionSeconds.record((performance.now() - started) / 1000);
    if (answer.kind === 'done') return answered(answer.result);
    return answer.kind === 'cancelled'
      ? declined('late', serviceUnavailableStatus('the definition was not judged in time'))
      : declined('broken', internalErrorStatus('this definition ended the engine that judged it'));
  }

  async #judgeOnce(
    slice: DocumentSlice,
    options: EvaluationOptions,
    engine: AdmittedEngine,
    until: () => AbortSignal,
  ): Promise<Outcome<DefinitionReport>> {
    const definition = definitionText(slice, serverOf(options));
    const outcome = await this.#reportOf(definition, engine, until);
    if (outcome.kind !== 'answered') return outcome;
    const report = outcome.answer;
    this.#reports.set(definition.digest, report);
    if (report.accepted)
      await this.#ports.queue.definitions.put({
        ...definition,
        slice: { bytes: Uint8Array.from(slice.bytes), notation: slice.notation },
      });
    return outcome;
  }

  async #reportOf(definition: DefinitionText, engine: AdmittedEngine, until: () => AbortSignal): Promise<Outcome<DefinitionReport>> {
    const known = this.#reports.get(definition.digest);
    if (known !== undefined) return answered(known);
    const outcome = await this.#judge(definition, false, engine, until());
    return outcome.kind === 'answered' ? answered(outcome.answer.report) : outcome;
  }
}

function checkDuplicates(reports: readonly DefinitionReport[]): Declined | undefined {
  const seen = new Set<string>();
  const errors = reports.flatMap(({ name }, i) => {
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [duplicate(`definitions[${i}]`, name)];
  });
  return errors.length > 0 ? refused(invalidStatus({ group: 'assay', kind: 'Evaluation' }, '', errors)) : undefined;
}
