import type { Server } from '#kube';
import { Inject, Injectable } from '@nestjs/common';
import { duplicate, internalErrorStatus, invalidStatus, serviceUnavailableStatus } from '#kube';
import { definitionText, serverOf, settleNames } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, EvaluationOptions, ExplainedDefinition } from '#evaluation';
import type { QueueAdapter } from '#queue';
import { explain } from '#runner';
import type { Engine, JudgedDefinition } from '#runner';
import { histograms } from '#telemetry';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { QUEUE } from '../engine/queue.token.ts';
import { StatusFailure } from '../status.filter.ts';
import { refuseLargeDefinition, refuseLargeDefinitions } from './request-options.ts';

/** Reports remembered by digest, so that a definition is judged once however often it comes. */
const REMEMBERED_REPORTS = 1000;

/** Judges definitions on a thread: a hostile schema must not stall the event loop. */
@Injectable()
export class DefinitionJudge {
  readonly #reports = new Map<string, DefinitionReport>();

  constructor(
    @Inject(QUEUE) private readonly queue: QueueAdapter,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  /**
   * Judges all definitions of a batch and stores their texts; `until` makes the signal that stops it, for definitions nobody met yet. Two
   * definitions of one name end the request with a 422.
   */
  async judgeAll(
    slices: readonly DocumentSlice[],
    options: EvaluationOptions,
    engine: Engine,
    until: () => AbortSignal,
  ): Promise<readonly DefinitionReport[]> {
    refuseLargeDefinitions(slices, this.config);
    const reports = await Promise.all(slices.map((slice) => this.#judgeOnce(slice, options, engine, until)));
    refuseDuplicates(reports);
    return settleNames(reports);
  }

  /** Judges one definition with the static price of every rule. */
  async judge(slice: DocumentSlice, server: Server, engine: Engine, signal: AbortSignal): Promise<JudgedDefinition> {
    refuseLargeDefinition('the definition', slice);
    const judged = await this.#judge(definitionText(slice, server), true, engine, signal);
    return { ...judged, report: settleNames([judged.report])[0] ?? judged.report };
  }

  /** Explains one definition, with no objects to measure it in. */
  async explain(slice: DocumentSlice, options: EvaluationOptions, engine: Engine, signal: AbortSignal): Promise<ExplainedDefinition> {
    refuseLargeDefinition('the definition', slice);
    const { definitions } = await explain(engine, [slice], [], options, signal);
    const [explained] = definitions;
    if (explained === undefined || signal.aborted)
      throw new StatusFailure(serviceUnavailableStatus('the definition was not explained in time'));
    return explained;
  }

  async #judge(definition: DefinitionText, rules: boolean, engine: Engine, signal: AbortSignal): Promise<JudgedDefinition> {
    const started = performance.now();
    const answer = await engine.run({ kind: 'judge', definition, rules }, { signal });
    histograms.definitionSeconds.record((performance.now() - started) / 1000);
    if (answer.kind === 'done' && answer.result.kind === 'judge') return answer.result.judged;
    if (answer.kind === 'cancelled') throw new StatusFailure(serviceUnavailableStatus('the definition was not judged in time'));
    throw new StatusFailure(internalErrorStatus('this definition ended the engine that judged it'));
  }

  async #judgeOnce(slice: DocumentSlice, options: EvaluationOptions, engine: Engine, until: () => AbortSignal): Promise<DefinitionReport> {
    const definition = definitionText(slice, serverOf(options));
    const { digest } = definition;
    const report = this.#reports.get(digest) ?? (await this.#judge(definition, false, engine, until())).report;
    this.#reports.delete(digest);
    this.#reports.set(digest, report);
    for (const oldest of this.#reports.keys()) {
      if (this.#reports.size <= REMEMBERED_REPORTS) break;
      this.#reports.delete(oldest);
    }
    if (report.accepted)
      await this.queue.definitions.put({ ...definition, slice: { bytes: Uint8Array.from(slice.bytes), notation: slice.notation } });
    return report;
  }
}

function refuseDuplicates(reports: readonly DefinitionReport[]): void {
  const seen = new Set<string>();
  const errors = reports.flatMap(({ name }, i) => {
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [duplicate(`definitions[${i}]`, name)];
  });
  if (errors.length > 0) throw new StatusFailure(invalidStatus({ group: 'assay', kind: 'Evaluation' }, '', errors));
}
