import { HttpCode, Inject, Post } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { badRequestStatus } from '#kube';
import { adviceAnswer } from '#documents';
import { advise, answered, refused } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Exchange } from '../answer-use-case.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Controller that returns advice on the rules of definitions. */
@Endpoints('advise', 'advise')
export class AdviseController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Give advice on the rules of definitions',
    description: 'The kinds of advice are listed in docs/reference/advice.md. Objects and policies of the batch are not judged.',
    bodies: ['batch'],
  })
  @DescribeOptions('wait')
  @DescribeAnswer('The report of each definition, and the advice on its rules', { json: adviceAnswer })
  evaluate(@HttpExchange() exchange: Exchange): Promise<string | Readable> {
    return this.#service.answers.ofBatch(exchange, 'advice', async (documents, { engine, signal }) =>
      documents.definitions.length === 0
        ? refused(badRequestStatus('the batch holds no definition'))
        : answered(await advise(engine, documents, signal)),
    );
  }
}
