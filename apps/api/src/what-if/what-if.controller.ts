import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { Server } from '#kube';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { badRequestStatus, serviceUnavailableStatus, unsupportedMediaTypeStatus } from '#kube';
import { countEffect, definitionText, emptyImpact, serverOf, statusSchema, worstCauses } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice } from '#evaluation';
import { judgeChange, whatIf } from '#runner';
import type { DefinitionChange, Engine } from '#runner';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { clientOf } from '../access/client.ts';
import { clientGone } from '../client-gone.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { EngineLine } from '../../../../libs/service/src/dispatch/dispatcher.ts';
import { FULL_LINE } from '../../../../libs/service/src/dispatch/refusals.ts';
import { readStream } from '../evaluations/read-stream.ts';
import {
  deadlineAt,
  overridden,
  readQuery,
  refuseLargeDefinition,
  refuseUnpermitted,
  untilDeadline,
} from '../evaluations/request-options.ts';
import { StatusFailure } from '../status.filter.ts';

/** A changed definition over stored objects, streamed both ways. */
@ApiTags('what-if')
@Controller('what-if')
export class WhatIfController {
  constructor(
    private readonly line: EngineLine,
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
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: FULL_LINE })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: Record<string, unknown>): Promise<void> {
    if (bodyNotation(request) !== 'ndjson')
      throw new StatusFailure(unsupportedMediaTypeStatus(`what-if takes ${MEDIA_TYPES.ndjson[0] ?? ''}`));
    const { all, ...wishes } = query;
    const { flow, limits } = clientOf(request);
    const { head, blocks } = await readStream(request.body as AsyncIterable<Buffer>, limits);
    const [from, to, ...more] = head.definitions;
    if (!from || !to || more.length > 0)
      throw new StatusFailure(badRequestStatus('the first line must hold two definitions: the stored one and its change'));
    const options = overridden(head.options, readQuery(wishes));
    refuseUnpermitted(options, limits);
    const signal = untilDeadline(clientGone(reply), deadlineAt(options, this.config));
    const change: DefinitionChange = {
      from: textOf('definitions[0]', from, serverOf(options)),
      to: textOf('definitions[1]', to, serverOf(options)),
      options,
    };
    const engine = this.line.open(flow, 'question', 0);
    const report = await judgeChange(engine, change, signal);
    if (!report) throw new StatusFailure(serviceUnavailableStatus('the change was not judged'));
    const lines = this.#lines(engine, change, report, blocks, all === 'true', signal);
    return void reply.type('application/x-ndjson').send(Readable.from(lines, { objectMode: false }));
  }

  async *#lines(
    engine: Engine,
    change: DefinitionChange,
    definition: DefinitionReport,
    blocks: AsyncIterable<readonly DocumentSlice[]>,
    all: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const impact = emptyImpact();
    if (definition.accepted) {
      for await (const effects of whatIf(engine, change, blocks, signal)) {
        let text = '';
        for (const effect of effects) {
          countEffect(impact, effect);
          if (all || effect.effect !== 'unaffected') text += `${JSON.stringify(effect)}\n`;
        }
        if (text !== '') yield text;
      }
    }
    yield `${JSON.stringify({ definition, complete: !signal.aborted, impact: { ...impact, causes: worstCauses(impact) } })}\n`;
  }
}

function textOf(where: string, slice: DocumentSlice, server: Server): DefinitionText {
  refuseLargeDefinition(where, slice);
  return definitionText(slice, server);
}
