import { HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Readable } from 'node:stream';
import { badRequestStatus, isMinor, MINORS, withPreviewNotice } from '#kube';
import type { Minor } from '#kube';
import { answered, refused, versionMatrix } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Exchange } from '../answer-use-case.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeWithBody } from '../description/operations.ts';
import { StatusFailure } from '../status.filter.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';
import { matrixAnswer } from '#documents';

/** Controller that returns the verdicts on the same definitions, policies and objects under every Kubernetes minor version. */
@Endpoints('matrix', 'matrix')
export class MatrixController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({ summary: 'Compare verdicts, texts and costs of all Kubernetes versions', bodies: ['batch'] })
  @ApiQuery({
    name: 'minors',
    required: false,
    description: withPreviewNotice(
      'Kubernetes versions, separated by commas. The default is all versions. Any option of `POST /evaluate` is also allowed',
    ),
  })
  @DescribeAnswer('A row for each definition and each object', { json: matrixAnswer })
  async evaluate(@HttpExchange() exchange: Exchange, @Query() { minors, ...options }: Record<string, unknown>): Promise<string | Readable> {
    const wanted = wantedMinors(minors);
    return this.#service.answers.ofBatch(
      exchange,
      'matrix',
      async (documents, { engine, signal }) =>
        documents.definitions.length + documents.objects.length === 0
          ? refused(badRequestStatus('the batch is empty: it holds neither definitions nor objects'))
          : answered(await versionMatrix(engine, documents, wanted, { signal })),
      options,
    );
  }
}

function wantedMinors(text: unknown): readonly Minor[] {
  if (text === undefined) return MINORS;
  if (typeof text !== 'string') throw new StatusFailure(badRequestStatus('minors: must be given once'));
  const wanted = text.split(',').map((minor) => minor.trim());
  const unknown = wanted.filter((minor) => !isMinor(minor));
  if (unknown.length > 0) throw new StatusFailure(badRequestStatus(`minors: ${unknown.join(', ')}: must be among ${MINORS.join(', ')}`));
  return wanted.filter(isMinor);
}
