import { Get, Inject, Param, Put, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientOf } from '../access/client.ts';
import { answerOrThrow } from '../answer-outcome.ts';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeFailures, DescribeWithBody } from '../description/operations.ts';
import { definitionOfRequest } from '../read-documents.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Schema of the answer to `PUT /definitions/{digest}`. */
const keptDefinition = z
  .object({
    digest: z.string().describe('Digest, which names the definition in definitionRefs'),
    bytes: z.int(),
    keptSeconds: z.int().describe('Seconds for which the definition is stored after its last use'),
  })
  .meta({ id: 'KeptDefinition' });

const DIGEST = { name: 'digest', description: '`sha256:` and the SHA-256 of the bytes of the definition as sent, in hexadecimal' } as const;

/**
 * Controller for stored definitions. A client uploads a definition once, and then refers to it by its digest (`definitionRefs` of an
 * envelope).
 */
@Endpoints('definitions', 'definitions')
export class KeptDefinitionsController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Put(':digest')
  @DescribeWithBody({
    summary: 'Store a definition, which evaluations can then name by its digest in `definitionRefs`',
    description:
      'One CustomResourceDefinition, JSON or YAML. It belongs to the client that sent it. It is judged by each evaluation that names it.',
    bodies: ['definition'],
  })
  @ApiParam(DIGEST)
  @DescribeAnswer('The definition was already kept, and is now kept for longer', { json: keptDefinition })
  @DescribeAnswer('The definition is now kept', { json: keptDefinition }, 201)
  async keep(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('digest') digest: string): Promise<void> {
    const definition = definitionOfRequest(request);
    const caller = callerOf(request, reply, 'request', this.#service.dispatcher);
    const { isNew, ...answer } = answerOrThrow(await this.#service.kept.keep(digest, definition, caller));
    void reply.code(isNew ? 201 : 200).send(answer satisfies z.infer<typeof keptDefinition>);
  }

  @Get(':digest')
  @ApiOperation({ summary: 'A stored definition, byte for byte. A HEAD request gets the headers only' })
  @ApiParam(DIGEST)
  @ApiResponse({ status: 200, description: 'The bytes of the definition' })
  @DescribeFailures()
  async find(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('digest') digest: string): Promise<void> {
    const { name: owner } = clientOf(request);
    const { bytes, notation } = answerOrThrow(await this.#service.kept.find(digest, { owner }));
    const [type = ''] = MEDIA_TYPES[notation === 'json' ? 'json' : 'yaml'];
    void reply
      .type(type)
      .header('etag', `"${digest}"`)
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
}
