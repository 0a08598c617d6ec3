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
import { z } from 'zod';
import { additionsSchema, verdictCausesSchema } from '#documents';

const byMinor = <Value extends z.ZodType>(value: Value) => z.partialRecord(z.enum(MINORS), value);

const definitionRow = z
  .object({
    name: z.string(),
    composite: z.string().optional().describe('As in DefinitionReport'),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()),
    warnings: byMinor(z.array(z.string())),
    changingRules: z.array(
      z.object({
        version: z.string(),
        path: z.string(),
        rule: z.string(),
        cost: byMinor(z.string()).describe('Static cost, a uint64 as decimal text'),
      }),
    ),
    causes: z
      .array(verdictCausesSchema)
      .optional()
      .describe('For each two neighbouring versions with different verdicts, errors or warnings'),
    additions: additionsSchema.optional().describe('For definitions that only some of the versions accept'),
    changes: z.boolean(),
  })
  .meta({ id: 'DefinitionRow' });

const objectRow = z
  .object({
    index: z.int(),
    name: z.string().optional(),
    outcome: byMinor(z.enum(['accepted', 'rejected', 'notEvaluated', 'cancelled'])),
    messages: byMinor(z.string()),
    warnings: byMinor(z.array(z.string())).describe('Versions without warnings are omitted'),
    celCost: byMinor(z.number()).describe('Rules and admission policies together; -1 when a limit stopped the rules'),
    causes: z.array(verdictCausesSchema).optional().describe('For neighbouring versions that differ, if a cause is known'),
    changes: z.boolean(),
  })
  .meta({ id: 'ObjectRow' });

const policyRow = z
  .object({
    kind: z.string(),
    name: z.string(),
    accepted: byMinor(z.boolean()),
    messages: byMinor(z.string()).describe(
      'Refusals. A Kubernetes version that does not know the kind in this API version judges objects without the policy; others as if it were stored',
    ),
    warnings: byMinor(z.array(z.string())),
    changes: z.boolean(),
  })
  .meta({ id: 'PolicyRow' });

/** Schema of the answer to `POST /matrix`. */
export const matrixAnswer = z
  .object({
    minors: z.array(z.enum(MINORS)),
    previews: byMinor(z.string())
      .optional()
      .describe('Versions that Kubernetes has not released yet, each with the pre-release whose behavior Assay reproduces'),
    definitions: z.array(definitionRow),
    policies: z.array(policyRow).optional(),
    objects: z.array(objectRow),
  })
  .meta({ id: 'MatrixAnswer' });

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
