import { HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { z } from 'zod';
import {
  badRequestStatus,
  isMinor,
  MINORS,
  serviceUnavailableStatus,
  timeoutStatus,
  tooLargeStatus,
  unsupportedMediaTypeStatus,
} from '#kube';
import { checkOptions, problemsOf, statusSchema } from '#documents';
import type { EvaluationOptions } from '#documents';
import { MAX_REVIEW_BYTES, judgeReviewedDefinition, judgeReviewedObject, readReview, reviewTimeout, answeredReview } from '#service';
import type { AnsweredReview, ReviewedRequest, ReviewOutcome } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Admission, Exchange } from '../answer-use-case.ts';
import { bodyNotation } from '../body-parsers.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeWithBody } from '../description/operations.ts';
import { DEFAULT_OPTIONS, KUBERNETES_VERSION } from '../evaluations/request-options.ts';
import { StatusFailure } from '../status.filter.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

const reviewAnswer = z
  .object({
    apiVersion: z.literal('admission.k8s.io/v1'),
    kind: z.literal('AdmissionReview'),
    response: z.object({
      uid: z.string(),
      allowed: z.boolean(),
      status: statusSchema.partial().optional().describe('The reason of a denial, in the words of a server'),
      warnings: z.array(z.string()).optional(),
    }),
  })
  .meta({ id: 'AdmissionReviewAnswer' });

/** Schema of the query parameters of an admission request. API servers add the parameter `timeout` by default. */
const reviewQuery = z.strictObject({ timeout: z.string().optional(), kubernetesVersion: z.string().optional() });

/** AdmissionReview from a request, with the request's body and the evaluation options. */
interface ReviewRequest extends Admission {
  readonly review: ReviewedRequest;
  readonly body: Buffer;
  readonly options: EvaluationOptions;
}

/** Controller that answers AdmissionReviews. It is a validating webhook whose rules are the configured definitions and policies. */
@Endpoints('admission', 'admission')
export class AdmissionController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post('objects')
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Judge the object of an AdmissionReview by the definitions and policies of ASSAY_ADMISSION_FILE',
    description:
      'Replaces a webhook that only validates. Assay allows an object of an unknown kind, with a warning. If the time does not suffice, the answer is a 408, so that the failurePolicy decides. Without that file, the answer is a 503.',
    bodies: ['objectReview'],
  })
  @ApiQuery({ name: 'timeout', required: false, description: 'Time limit that API servers add to the address of a webhook, such as 10s' })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS], description: KUBERNETES_VERSION })
  @DescribeAnswer('An AdmissionReview with the response', { json: reviewAnswer })
  async objects(@HttpExchange() exchange: Exchange, @Query() query: unknown): Promise<AnsweredReview> {
    const { review, body, options, engine, signal } = await this.#read(exchange, query);
    const rules = await this.#service.rules.read(engine, signal);
    if (rules === undefined)
      throw new StatusFailure(
        serviceUnavailableStatus('no definitions to judge by: ASSAY_ADMISSION_FILE names none, or a file that is not right'),
      );
    return answerTo(review, await judgeReviewedObject(engine, { ...rules, options }, body, signal));
  }

  @Post('definitions')
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Judge the CustomResourceDefinition of an AdmissionReview, a creation or an update',
    description: 'If kubernetesVersion is not the version of the cluster, the answer says if that version would accept the definition.',
    bodies: ['definitionReview'],
  })
  @ApiQuery({ name: 'timeout', required: false, description: 'Time limit that API servers add to the address of a webhook, such as 10s' })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS], description: KUBERNETES_VERSION })
  @DescribeAnswer('An AdmissionReview with the response', { json: reviewAnswer })
  async definitions(@HttpExchange() exchange: Exchange, @Query() query: unknown): Promise<AnsweredReview> {
    const { review, options, engine, signal } = await this.#read(exchange, query);
    return answerTo(review, await judgeReviewedDefinition(engine, review, options, signal));
  }

  async #read(exchange: Exchange, query: unknown): Promise<ReviewRequest> {
    const started = performance.now();
    const parsed = reviewQuery.safeParse(query);
    if (!parsed.success) throw new StatusFailure(badRequestStatus(problemsOf(parsed.error, 'query').join('; ')));
    const { request } = exchange;
    if (bodyNotation(request) !== 'json') throw new StatusFailure(unsupportedMediaTypeStatus('an AdmissionReview is JSON'));
    const body = request.body as Buffer;
    if (body.length > MAX_REVIEW_BYTES) throw new StatusFailure(tooLargeStatus(`an AdmissionReview has at most ${MAX_REVIEW_BYTES} bytes`));
    const review = await readReview(body);
    if (typeof review === 'string') throw new StatusFailure(badRequestStatus(review));
    const left = Math.min(this.#service.config.deadlineMs, reviewTimeout(parsed.data.timeout ?? null, performance.now() - started));
    return { ...this.#service.answers.admit(exchange, left), review, body, options: optionsOf(parsed.data.kubernetesVersion) };
  }
}

function optionsOf(kubernetesVersion: string | undefined): EvaluationOptions {
  if (kubernetesVersion === undefined) return DEFAULT_OPTIONS;
  if (!isMinor(kubernetesVersion)) throw new StatusFailure(badRequestStatus(`kubernetesVersion: must be one of ${MINORS.join(', ')}`));
  const options = checkOptions({ kubernetesVersion });
  if (!options.ok) throw new StatusFailure(options.status);
  return options.value;
}

/**
 * Returns the answer to an AdmissionReview. If there is no verdict on the object in time, throws a timeout failure. The webhook's
 * `failurePolicy` decides in that case, because the API server gets no valid answer.
 */
function answerTo({ uid }: ReviewedRequest, outcome: ReviewOutcome): AnsweredReview {
  if (outcome.kind === 'judged') return answeredReview(uid, outcome.answer);
  if (outcome.kind === 'unjudged') throw new StatusFailure(timeoutStatus(outcome.why, 0, 408));
  return answeredReview(uid, { allowed: true, warnings: [`assay: the object was not judged: ${outcome.why}`] });
}
