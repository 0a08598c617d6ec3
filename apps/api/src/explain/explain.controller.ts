import { HttpCode, Inject, Post } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { badRequestStatus } from '#kube';
import { explanationAnswer } from '#documents';
import { answered, explain, refused } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Exchange } from '../answer-use-case.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Controller that reports the cost of the parts of rules and of admission policies. */
@Endpoints('explain', 'explain')
export class ExplainController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Estimate and measure the cost of each part of each rule, and suggest bounds that bring a rule under its limit',
    description: 'Also measures the cost of admission policies, in the writes of the objects.',
    bodies: ['batch'],
  })
  @DescribeOptions('wait')
  @DescribeAnswer('The cost of each part of each rule, and the cost of each policy', { json: explanationAnswer })
  evaluate(@HttpExchange() exchange: Exchange): Promise<string | Readable> {
    return this.#service.answers.ofBatch(exchange, 'explanation', async (documents, { engine, signal }) =>
      documents.definitions.length + documents.policies.length === 0
        ? refused(badRequestStatus('the batch holds no definition and no admission policy'))
        : answered(await explain(engine, documents, signal)),
    );
  }
}
