import { HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, serviceUnavailableStatus, unsupportedMediaTypeStatus } from '#kube';
import { splitChange, steadyNow } from '#documents';
import type { DocumentSlice } from '#documents';
import { judgeChange, permittedOptions, policyEffects, preparePolicyChange, untilDeadline, whatIf } from '#service';
import type { QueuedEngine } from '#runner';
import { clientOf } from '../access/client.ts';
import { answerOrThrow, enterQueueOrThrow } from '../answer-outcome.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { readStream } from '../evaluations/read-stream.ts';
import { readQuery } from '../evaluations/request-options.ts';
import { NDJSON, readable, withFailureLine } from '../evaluations/stream-answer.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { StatusFailure } from '../status.filter.ts';
import { definitionEffectLines, policyEffectLines } from './effect-lines.ts';
import type { WritingEffects } from './effect-lines.ts';
import { readChange } from './read-change.ts';
import type { RequestedChange } from './read-change.ts';
import { whatIfLine } from './what-if-answer.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

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
      'The first line of NDJSON is `{"definitions":[OLD, NEW],"options":{…}}`; then one stored object per line. The answer has a line with the effect on each affected object, and a last line with the totals and the most damaging causes. ' +
      'For admission policies the first line is `{"definitions":[…],"from":{"policies":[…],"cluster":[…]},"to":{"policies":[…],"cluster":[…]},"options":{…}}`; other fields than `from` and `to` belong to both sides. ' +
      '`definitionRefs` names stored definitions, which come before `definitions`.',
    bodies: ['change'],
  })
  @DescribeOptions('wait')
  @ApiQuery({
    name: 'all',
    required: false,
    description: 'true: the answer also has a line for each object that the change does not affect',
  })
  @DescribeAnswer('Effects of the change: one line for each object, and a last line with the totals', { lines: whatIfLine })
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
