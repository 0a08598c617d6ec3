import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Server } from '#kube';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, serviceUnavailableStatus, unsupportedMediaTypeStatus } from '#kube';
import { countEffect, definitionText, emptyImpact, serverOf, steadyNow, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, ObjectEffect } from '#evaluation';
import { checkDefinitionSize, deadlineOf, Dispatcher, judgeChange, permittedOptions, untilDeadline, whatIf } from '#service';
import type { DefinitionChange } from '#service';
import type { Telemetry } from '#telemetry';
import { clientOf } from '../access/client.ts';
import { answerOf, requirePassed } from '../answer-outcome.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { readStream } from '../evaluations/read-stream.ts';
import { DEFAULT_OPTIONS, overridden, readQuery } from '../evaluations/request-options.ts';
import { NDJSON, readable, withFailureLine } from '../evaluations/stream-answer.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { TELEMETRY } from '../engine/tokens.ts';
import { ArrivingBody } from '../http/body-times.ts';
import { StatusFailure } from '../status.filter.ts';
import { whatIfLine } from './what-if-answer.ts';

/** A changed definition over stored objects, streamed both ways. */
@ApiTags('what-if')
@Controller('what-if')
export class WhatIfController {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
  ) {}

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'What a changed definition does to stored objects',
    description:
      'NDJSON: the first line {"definitions":[OLD, NEW],"options":{…}}, then one stored object a line. Answers the effect on each object that is affected, a line each, and a last line with the totals and the most damaging causes.',
    bodies: ['change'],
  })
  @DescribeOptions('wait')
  @ApiQuery({ name: 'all', required: false, description: 'true: a line for unaffected objects too' })
  @DescribeAnswer('Effects, a line each, and the totals', { lines: whatIfLine })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: Record<string, unknown>): Promise<void> {
    if (bodyNotation(request) !== 'ndjson')
      throw new StatusFailure(unsupportedMediaTypeStatus(`what-if takes ${MEDIA_TYPES.ndjson[0] ?? ''}`));
    const { all, ...wishes } = query;
    if (all !== undefined && all !== 'true' && all !== 'false') throw new StatusFailure(badRequestStatus('all: must be true or false'));
    const receivedAt = steadyNow();
    const { limits } = clientOf(request);
    const sentBy = deadlineOf(overridden(DEFAULT_OPTIONS, readQuery(wishes)), this.config, receivedAt);
    const body = new ArrivingBody(request.body as AsyncIterable<Buffer>, this.config.idleBodyMs, sentBy);
    const { head, blocks } = await readStream(body, limits, this.config);
    const [from, to, ...more] = head.definitions;
    if (!from || !to || more.length > 0)
      throw new StatusFailure(badRequestStatus('the first line must hold two definitions: the stored one and its change'));
    const options = overridden(head.options, readQuery(wishes));
    answerOf(permittedOptions(options, limits));
    const change: DefinitionChange = {
      from: textOf('definitions[0]', from, serverOf(options)),
      to: textOf('definitions[1]', to, serverOf(options)),
      options,
    };
    const { engine, signal: gone } = callerOf(request, reply, 'request', this.dispatcher);
    const deadline = deadlineOf(options, this.config, receivedAt);
    body.endAt(deadline);
    const signal = untilDeadline(gone, deadline);
    requirePassed(engine.admit());
    const report = await judgeChange(engine, change, signal);
    if (!report) throw new StatusFailure(serviceUnavailableStatus('the change was not judged'));
    const effects = report.accepted ? whatIf(engine, change, blocks, signal) : [];
    const lines = withFailureLine(
      writeEffects(report, effects, all === 'true', () => signal.aborted || steadyNow() >= deadline),
      request,
      this.telemetry.log,
    );
    return void reply.type(NDJSON).send(await readable(lines));
  }
}

/** The effects that are wanted, a line each, and a last line with the totals. */
async function* writeEffects(
  definition: DefinitionReport,
  effects: AsyncIterable<readonly ObjectEffect[]> | Iterable<readonly ObjectEffect[]>,
  all: boolean,
  isOver: () => boolean,
): AsyncGenerator<string> {
  const impact = emptyImpact();
  try {
    for await (const run of effects) {
      let text = '';
      for (const effect of run) {
        countEffect(impact, effect);
        if (all || effect.effect !== 'unaffected') text += `${JSON.stringify(effect)}\n`;
      }
      if (text !== '') yield text;
    }
  } catch (error) {
    // A body that still comes when the time is over is no failure: the totals say that they are not complete.
    if (!isOver()) throw error;
  }
  yield `${JSON.stringify({ definition, complete: !isOver(), impact: { ...impact, causes: worstCauses(impact) } })}\n`;
}

function textOf(where: string, slice: DocumentSlice, server: Server): DefinitionText {
  requirePassed(checkDefinitionSize(where, slice));
  return definitionText(slice, server);
}
