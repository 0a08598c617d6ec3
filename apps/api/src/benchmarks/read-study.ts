import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { badRequestStatus, unsupportedMediaTypeStatus } from '#kube';
import { durationMs, problemsOf, splitStudy } from '#documents';
import { checkDefinitions, longestObjects, permittedOptions } from '#service';
import type { Caller, KeptDefinitions, StudyOrder } from '#service';
import { clientOf } from '../access/client.ts';
import { answerOrThrow, throwIfDeclined } from '../answer-outcome.ts';
import { bodyNotation } from '../body-parsers.ts';
import type { ApiConfig } from '../config.ts';
import { documentLimits } from '../read-documents.ts';
import { StatusFailure } from '../status.filter.ts';
import { baseSettings, studySettings } from './study-envelope.ts';

/** Reads a request for a study from the body: the rules to study, and the settings. Throws a `StatusFailure` if the request is refused. */
export async function readStudy(request: FastifyRequest, caller: Caller, kept: KeptDefinitions, config: ApiConfig): Promise<StudyOrder> {
  if (bodyNotation(request) !== 'json') throw new StatusFailure(unsupportedMediaTypeStatus('a request for a study takes JSON'));
  const cut = await splitStudy(request.body as Buffer, documentLimits('study', clientOf(request).limits, config));
  if (!cut.ok) throw new StatusFailure(cut.status);
  const { base, objects, settings: sent, ...rest } = cut.value;
  const settings = read(studySettings, sent, 'body');
  const { definitions, options } = answerOrThrow(await kept.resolve(rest, caller));
  if (definitions.length === 0) throw new StatusFailure(badRequestStatus('the body holds no definition'));
  throwIfDeclined(checkDefinitions(definitions, config));
  const { definitions: older } = answerOrThrow(await kept.resolve({ definitions: base?.definitions ?? [] }, caller));
  throwIfDeclined(checkDefinitions(older, config));
  return {
    definitions: definitions.map((slice, i) => ({ source: `definitions[${i}]`, slice })),
    objects: longestObjects(objects),
    options: answerOrThrow(permittedOptions(options, caller.limits)),
    budgetMs: budgetOf(settings.budget, config),
    seed: settings.seed,
    base: base && { ...read(baseSettings, base.settings, 'base'), definitions: older },
    isTimed: settings.times,
    rule: settings.rule,
  };
}

function budgetOf(text: string, { maxDeadlineMs }: ApiConfig): number {
  const budgetMs = durationMs(text) ?? 0;
  if (budgetMs <= maxDeadlineMs) return budgetMs;
  throw new StatusFailure(badRequestStatus(`budget: ${text}: the operator permits at most ${maxDeadlineMs}ms (ASSAY_MAX_DEADLINE_MS)`));
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, where).join('; ')));
}
