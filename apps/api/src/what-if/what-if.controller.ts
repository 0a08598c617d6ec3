import { HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, serviceUnavailableStatus, unsupportedMediaTypeStatus } from '#kube';
import {
  splitChange,
  steadyNow,
  definitionText,
  serverOf,
  countEffect,
  emptyImpact,
  worstCauses,
  definitionReportSchema,
  EFFECTS,
  FOLLOWING_WRITES,
} from '#documents';
import type { DocumentSlice, ChangeEnvelope, EvaluationOptions, PolicySide, DefinitionReport, ObjectEffect } from '#documents';
import {
  judgeChange,
  permittedOptions,
  policyEffects,
  preparePolicyChange,
  untilDeadline,
  whatIf,
  checkDefinitions,
  checkDefinitionSize,
  checkPolicyBytes,
  countPolicyImpact,
  emptyPolicyImpact,
  POLICY_EFFECTS,
} from '#service';
import type { QueuedEngine } from '#runner';
import { clientOf } from '../access/client.ts';
import { answerOrThrow, enterQueueOrThrow, throwIfDeclined, StatusFailure } from '../status.filter.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { readStream } from '../evaluations/read-stream.ts';
import { readQuery } from '../evaluations/request-options.ts';
import { NDJSON, readable, withFailureLine } from '../evaluations/write-answer.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';
import type { DefinitionChange, PolicyChange, ServiceLimits, PolicyImpact, PreparedChange } from '#service';
import { z } from 'zod';

const fieldChange = z
  .object({
    path: z.string(),
    before: z.string().optional().describe('JSON text; absent if there was no value'),
    after: z.string().optional().describe('JSON text; absent if there is no value'),
  })
  .meta({ id: 'FieldChange' });

const cause = z
  .object({ field: z.string().describe('Without indexes and keys: spec.rules[*].port'), reason: z.string(), message: z.string() })
  .meta({ id: 'Cause' });

/** Schema of a line of the answer to `POST /what-if` about a changed definition: the effect on one object. */
const objectEffect = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    effect: z.enum(EFFECTS),
    write: z.enum(FOLLOWING_WRITES).optional().describe('The kind of write that the change makes invalid'),
    message: z.string().optional().describe("The server's answer to the write that is refused"),
    nextChange: fieldChange.optional().describe('The edit that is refused, if an object breaks on the next change'),
    causes: z.array(cause),
    fields: z.array(z.string()).optional().describe('Fields that the causes name, with their indexes, such as spec.rules[2].port'),
    changes: z.array(fieldChange).describe('Fields that the server would store differently'),
    frozen: z.array(z.string()).optional().describe('Fields that get a default which no later update may change'),
    cost: z.object({ before: z.number().optional(), after: z.number().optional() }).describe('CEL cost units of an unchanged write'),
  })
  .meta({ id: 'ObjectEffect' });

/** Schema of the last line of the answer to `POST /what-if` about a changed definition. */
const whatIfTotals = z
  .object({
    definition: definitionReportSchema,
    complete: z.boolean().describe('false if the deadline or the client ended the comparison'),
    impact: z.object({
      objects: z.int(),
      effects: z.record(z.enum(EFFECTS), z.int()),
      costBefore: z.number(),
      costAfter: z.number(),
      causes: z.array(z.object({ cause, objects: z.int(), brokenOnUpdate: z.int(), breaksOnNextChange: z.int() })),
    }),
  })
  .meta({ id: 'WhatIfTotals' });

/** Schema of a line of the answer to `POST /what-if` about changed policies: the effect on the write of one object. */
const policyImpact = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    effect: z.enum(POLICY_EFFECTS),
    messages: z.array(z.string()).describe('The message of the rejection, or the new warnings'),
    cost: z
      .object({ before: z.number().optional(), after: z.number().optional() })
      .describe('CEL cost units of rules and policies in the write; -1 if a limit stopped the rules'),
  })
  .meta({ id: 'PolicyImpact' });

/** Schema of the last line of the answer to `POST /what-if` about changed policies. */
const policyChangeTotals = z
  .object({
    definitions: z
      .object({ from: z.array(definitionReportSchema), to: z.array(definitionReportSchema) })
      .describe('The definitions of each side'),
    complete: z.boolean().describe('false if the deadline or the client ended the comparison'),
    impact: z.object({
      objects: z.int(),
      effects: z.record(z.enum(POLICY_EFFECTS), z.int()),
      costBefore: z.number(),
      costAfter: z.number(),
    }),
  })
  .meta({ id: 'PolicyChangeTotals' });

/** Schema of any line of the answer to `POST /what-if`. */
export const whatIfLine = z.union([objectEffect, whatIfTotals, policyImpact, policyChangeTotals]).meta({ id: 'WhatIfLine' });

/**
 * Controller that reports the effects of a changed definition, or of changed admission policies, on stored objects. Request and answer are
 * both streamed.
 */
@Endpoints('what-if', 'what-if')
export class WhatIfController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Judge stored objects under a changed definition, or under changed admission policies',
    description:
      'The first line of NDJSON is `{"definitions":[OLD, NEW],"options":{…}}`, and each further line is one stored object. The answer has a line with the effect on each affected object, and a last line with the totals and the most damaging causes. ' +
      'For admission policies the first line is `{"definitions":[…],"from":{"policies":[…],"cluster":[…]},"to":{"policies":[…],"cluster":[…]},"options":{…}}`; all fields except `from` and `to` belong to both sides. ' +
      '`definitionRefs` names stored definitions, which come before `definitions`.',
    bodies: ['change'],
  })
  @DescribeOptions('wait')
  @ApiQuery({
    name: 'all',
    required: false,
    description: 'true: the answer also has a line for each object that the change does not affect',
  })
  @DescribeAnswer('Effects of the change: one line for each affected object, and a last line with the totals', { lines: whatIfLine })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: Record<string, unknown>): Promise<void> {
    if (bodyNotation(request) !== 'ndjson')
      throw new StatusFailure(unsupportedMediaTypeStatus(`what-if takes ${MEDIA_TYPES.ndjson[0] ?? ''}`));
    const { all, ...rest } = query;
    if (all !== undefined && all !== 'true' && all !== 'false') throw new StatusFailure(badRequestStatus('all: must be true or false'));
    const { head, options, blocks, deadline } = await readStream(request, this.#service.config, readQuery(rest), splitChange);
    answerOrThrow(permittedOptions(options, clientOf(request).limits));
    const caller = callerOf(request, reply, 'request', this.#service.dispatcher);
    const wanted = head.from || head.to ? 'all' : 'composite';
    const change = readChange(answerOrThrow(await this.#service.kept.resolve(head, caller, wanted)), options, this.#service.config);
    const { engine, signal: gone } = caller;
    const signal = untilDeadline(gone, deadline);
    enterQueueOrThrow(engine);
    const writing = { all: all === 'true', isOver: () => signal.aborted || steadyNow() >= deadline };
    const effects = await linesOf(change, { engine, blocks, signal, writing });
    return void reply.type(NDJSON).send(await readable(withFailureLine(effects, request, this.#service.telemetry.log)));
  }
}

/**
 * Inputs for computing the effects of a change on objects: the engine, the objects in blocks, a signal for cancellation, and the options
 * for writing.
 */
interface Judging {
  readonly engine: QueuedEngine;
  readonly blocks: AsyncIterable<readonly DocumentSlice[]>;
  readonly signal: AbortSignal;
  readonly writing: WritingEffects;
}

async function linesOf({ of, change }: RequestedChange, { engine, blocks, signal, writing }: Judging): Promise<AsyncGenerator<string>> {
  if (of === 'policies') {
    const prepared = await preparePolicyChange(engine, change, signal);
    return policyEffectLines(prepared, policyEffects(engine, prepared, blocks, signal), writing);
  }
  const report = await judgeChange(engine, change, signal);
  if (!report) throw new StatusFailure(serviceUnavailableStatus('the change was not judged'));
  return definitionEffectLines(report, report.accepted ? whatIf(engine, change, blocks, signal) : [], writing);
}

/** Change that the first line of a request describes. It is either a change of a definition or a change of policies. */
type RequestedChange =
  | { readonly of: 'definition'; readonly change: DefinitionChange }
  | { readonly of: 'policies'; readonly change: PolicyChange };

/**
 * Returns the change of a definition or of policies that the first line (envelope) of a what-if request describes. Throws a failure with a
 * Status if the line describes no valid change.
 */
function readChange(head: ChangeEnvelope, options: EvaluationOptions, limits: Pick<ServiceLimits, 'maxDefinitions'>): RequestedChange {
  return head.from || head.to
    ? { of: 'policies', change: policyChange(head, options, limits) }
    : { of: 'definition', change: definitionChange(head, options) };
}

function definitionChange({ definitions, policies }: ChangeEnvelope, options: EvaluationOptions): DefinitionChange {
  const [from, to, ...more] = definitions;
  if (policies.length > 0) throw new StatusFailure(badRequestStatus('policies of a change belong into "from" and "to"'));
  if (!from || !to || more.length > 0)
    throw new StatusFailure(
      badRequestStatus('the first line must hold two definitions, the stored one and its change, or "from" and "to" with policies'),
    );
  throwIfDeclined(checkDefinitionSize('definitions[0]', from));
  throwIfDeclined(checkDefinitionSize('definitions[1]', to));
  const server = serverOf(options);
  return { from: definitionText(from, server), to: definitionText(to, server), options };
}

/** Returns a change of policies. Documents that the envelope has outside `from` and `to` belong to both sides. */
function policyChange(head: ChangeEnvelope, options: EvaluationOptions, limits: Pick<ServiceLimits, 'maxDefinitions'>): PolicyChange {
  const sideOf = (side: PolicySide | undefined): PolicySide => {
    const whole = {
      definitions: [...head.definitions, ...(side?.definitions ?? [])],
      policies: [...head.policies, ...(side?.policies ?? [])],
      cluster: [...head.cluster, ...(side?.cluster ?? [])],
    };
    throwIfDeclined(checkDefinitions(whole.definitions, limits));
    throwIfDeclined(checkPolicyBytes(whole));
    return whole;
  };
  return { from: sideOf(head.from), to: sideOf(head.to), options };
}

/** Options for writing an answer that contains one line for each effect of a change on a stored object. */
interface WritingEffects {
  /** True if a line is written for each unaffected object too. */
  readonly all: boolean;
  /** Returns true if the client disconnected or the deadline passed, so that the answer is incomplete. */
  readonly isOver: () => boolean;
}

/** Effects on objects, in batches that are produced one after another. */
type Runs<Effect> = AsyncIterable<readonly Effect[]> | Iterable<readonly Effect[]>;

/**
 * Yields the effects of a changed definition, one per line, and a last line with the totals. Unaffected objects are left out unless
 * `writing.all` is set.
 */
async function* definitionEffectLines(
  definition: DefinitionReport,
  effects: Runs<ObjectEffect>,
  writing: WritingEffects,
): AsyncGenerator<string> {
  const impact = emptyImpact();
  yield* effectLines(effects, (effect) => countEffect(impact, effect), writing);
  yield totals({ definition }, { ...impact, causes: worstCauses(impact) }, writing);
}

/**
 * Yields NDJSON lines about a change of admission policies: one line with the effect on each object, and a last line with the totals.
 * Unaffected objects are left out unless `writing.all` is set.
 */
async function* policyEffectLines(
  { from, to }: PreparedChange,
  effects: Runs<PolicyImpact>,
  writing: WritingEffects,
): AsyncGenerator<string> {
  const impact = emptyPolicyImpact();
  yield* effectLines(effects, (effect) => countPolicyImpact(impact, effect), writing);
  const reports = ({ judged }: PreparedChange['from']): readonly DefinitionReport[] => judged.map(({ report }) => report);
  yield totals({ definitions: { from: reports(from), to: reports(to) } }, impact, writing);
}

async function* effectLines<Effect extends { readonly effect: string }>(
  runs: Runs<Effect>,
  count: (effect: Effect) => void,
  { all, isOver }: WritingEffects,
): AsyncGenerator<string> {
  try {
    for await (const run of runs) {
      let text = '';
      for (const effect of run) {
        count(effect);
        if (all || effect.effect !== 'unaffected') text += `${JSON.stringify(effect)}\n`;
      }
      if (text !== '') yield text;
    }
  } catch (error) {
    // After the deadline, an incomplete body is not an error, because the totals state that they are incomplete.
    if (!isOver()) throw error;
  }
}

const totals = (head: object, impact: object, { isOver }: WritingEffects): string =>
  `${JSON.stringify({ ...head, complete: !isOver(), impact })}\n`;
