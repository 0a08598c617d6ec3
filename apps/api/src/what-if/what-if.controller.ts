import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { Server } from '#kube';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { badRequestStatus, serviceUnavailableStatus, unsupportedMediaTypeStatus } from '#kube';
import { countEffect, definitionText, emptyImpact, serverOf, statusSchema, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, ObjectEffect } from '#evaluation';
import { checkDefinitionSize, deadlineOf, Dispatcher, judgeChange, permittedOptions, untilDeadline, whatIf } from '#service';
import type { DefinitionChange } from '#service';
import { clientOf } from '../access/client.ts';
import { answerOf, requirePassed } from '../answer-outcome.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { readStream } from '../evaluations/read-stream.ts';
import { overridden, readQuery } from '../evaluations/request-options.ts';
import { NO_ROOM } from '../no-room.ts';
import { StatusFailure } from '../status.filter.ts';

/** A changed definition over stored objects, streamed both ways. */
@ApiTags('what-if')
@Controller('what-if')
export class WhatIfController {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'What a changed definition does to stored objects',
    description:
      'NDJSON: the first line {"definitions":[OLD, NEW],"options":{…}}, then one stored object a line. Answers the effect on each object that is affected, a line each, and a last line with the totals and the most damaging causes.',
  })
  @ApiConsumes(MEDIA_TYPES.ndjson[0] ?? '')
  @ApiQuery({ name: 'all', required: false, description: 'true: a line for unaffected objects too' })
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: NO_ROOM })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: Record<string, unknown>): Promise<void> {
    if (bodyNotation(request) !== 'ndjson')
      throw new StatusFailure(unsupportedMediaTypeStatus(`what-if takes ${MEDIA_TYPES.ndjson[0] ?? ''}`));
    const { all, ...wishes } = query;
    const receivedAt = Date.now();
    const { limits } = clientOf(request);
    const { head, blocks } = await readStream(request.body as AsyncIterable<Buffer>, limits);
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
    const signal = untilDeadline(gone, deadlineOf(options, this.config, receivedAt));
    requirePassed(engine.admit());
    const report = await judgeChange(engine, change, signal);
    if (!report) throw new StatusFailure(serviceUnavailableStatus('the change was not judged'));
    const effects = report.accepted ? whatIf(engine, change, blocks, signal) : [];
    const lines = writeEffects(report, effects, all === 'true', signal);
    return void reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
  }
}

/** The effects that are wanted, a line each, and a last line with the totals. */
async function* writeEffects(
  definition: DefinitionReport,
  effects: AsyncIterable<readonly ObjectEffect[]> | Iterable<readonly ObjectEffect[]>,
  all: boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const impact = emptyImpact();
  for await (const run of effects) {
    let text = '';
    for (const effect of run) {
      countEffect(impact, effect);
      if (all || effect.effect !== 'unaffected') text += `${JSON.stringify(effect)}\n`;
    }
    if (text !== '') yield text;
  }
  yield `${JSON.stringify({ definition, complete: !signal.aborted, impact: { ...impact, causes: worstCauses(impact) } })}\n`;
}

function textOf(where: string, slice: DocumentSlice, server: Server): DefinitionText {
  requirePassed(checkDefinitionSize(where, slice));
  return definitionText(slice, server);
}
