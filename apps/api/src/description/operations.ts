import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { ApiOperationOptions, ApiResponseOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { evaluationEnvelope, statusSchema } from '#documents';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { studyEnvelope } from '../benchmarks/study-envelope.ts';
import { optionsQuery } from '../evaluations/request-options.ts';
import { referenceTo } from './component-schemas.ts';
import { EXAMPLES } from './examples.ts';

type RequestBody = NonNullable<ApiOperationOptions['requestBody']>;
type Content = Extract<RequestBody, { content: unknown }>['content'];

/** Name of the OpenAPI extension that holds all media types of a response except the first one. */
const ALSO_ANSWERED = 'x-also-answered';

const JSON_TYPE = MEDIA_TYPES.json[0] ?? '';
const YAML_TYPE = MEDIA_TYPES.yaml[0] ?? '';
const NDJSON_TYPE = MEDIA_TYPES.ndjson[0] ?? '';
const text = (description: string) => ({ type: 'string', description }) as const;

const REVIEW = { type: 'object', description: 'An AdmissionReview of admission.k8s.io/v1 with its request' } as const;

/** Request bodies for the API description, by the kind of their content. */
const BODIES = {
  definition: {
    [JSON_TYPE]: {
      schema: { type: 'object', description: 'A CustomResourceDefinition (apiextensions.k8s.io/v1)' },
      examples: EXAMPLES.definition,
    },
    [YAML_TYPE]: { schema: text('A CustomResourceDefinition'), examples: EXAMPLES.definitionYaml },
  },
  batch: {
    [JSON_TYPE]: { schema: referenceTo(evaluationEnvelope), examples: EXAMPLES.batch },
    [YAML_TYPE]: {
      schema: text('Definitions, policies and objects, in any order; options are query parameters'),
      examples: EXAMPLES.batchYaml,
    },
  },
  routes: {
    [YAML_TYPE]: {
      schema: text('Definitions, policies and objects, in any order; options are query parameters'),
      examples: EXAMPLES.routesYaml,
    },
  },
  stream: {
    [NDJSON_TYPE]: {
      schema: text('The envelope without objects on the first line, then one item per line'),
      examples: EXAMPLES.batchLines,
    },
  },
  objectReview: { [JSON_TYPE]: { schema: REVIEW, examples: EXAMPLES.objectReview } },
  definitionReview: { [JSON_TYPE]: { schema: REVIEW, examples: EXAMPLES.definitionReview } },
  study: { [JSON_TYPE]: { schema: referenceTo(studyEnvelope), examples: EXAMPLES.study } },
  change: {
    [NDJSON_TYPE]: {
      schema: text(
        '{"definitions":[OLD, NEW],"options":{…}}, or {"definitions":[…],"from":{"policies":[…],"cluster":[…]},"to":{…},"options":{…}}, on the first line, then a stored object a line',
      ),
      examples: EXAMPLES.change,
    },
  },
} as const satisfies Record<string, Content>;

const FAILURES = {
  400: 'The request cannot be understood; the message names the field',
  401: 'The service requires keys, and the request has no valid key',
  404: 'There is no such path, or no such evaluation or study of this client',
  408: 'The deadline passed before there was an answer',
  413: 'The body, a document, or their number exceeds a limit, which the message names',
  415: 'The media type, or the encoding, of the body is not supported',
  429: 'A queue, or the share of the client in it, is full; Retry-After says when to repeat the request',
  503: 'The queue or the engine does not answer, or the service is overloaded',
} as const;

/** Status code of a refusal. The body of such an answer is a metav1.Status. */
type FailureCode = keyof typeof FAILURES;

/** Status codes of failures that a request with a body can have. */
const WITH_BODY: readonly FailureCode[] = [400, 401, 408, 413, 415, 429, 503];
/** Status codes of failures that a request about an existing evaluation can have. */
const OF_EVALUATION: readonly FailureCode[] = [400, 401, 404, 429, 503];

/** Summary and description of an operation, and the kinds of body that it accepts. */
export interface DescribedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly bodies: readonly (keyof typeof BODIES)[];
}

/** Method decorator that describes an operation with a request body: its purpose, the bodies with examples, and the possible failures. */
export function DescribeWithBody({ bodies, ...operation }: DescribedOperation): MethodDecorator {
  const content: Content = Object.assign({}, ...bodies.map((body) => BODIES[body]));
  return applyDecorators(ApiOperation({ ...operation, requestBody: { required: true, content } }), ...WITH_BODY.map(failure));
}

/** Method decorator that describes the possible failures of a request about an existing evaluation. */
export function DescribeFailures(): MethodDecorator {
  return applyDecorators(...OF_EVALUATION.map(failure));
}

function failure(status: FailureCode): MethodDecorator {
  const content = { [JSON_TYPE]: { schema: referenceTo(statusSchema) } };
  const headers = status === 429 ? { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } as const } : undefined;
  return ApiResponse({ status, description: FAILURES[status], content, ...(headers && { headers }) });
}

/**
 * Method decorator that describes an answer in the OpenAPI document. `json` is the schema of a JSON answer, and `lines` is the schema of
 * each line of an NDJSON answer. `also` is the same answer in other media types. If there is a JSON answer, the other forms are described
 * in an OpenAPI extension. Otherwise, a generated client would give each answer the union of several types, even if it never requests
 * lines.
 */
export function DescribeAnswer(
  description: string,
  { json, lines, also }: { json?: z.ZodType; lines?: z.ZodType; also?: Content },
  status = 200,
): MethodDecorator {
  const inLines: Content = lines ? { [NDJSON_TYPE]: { schema: referenceTo(lines) } } : {};
  if (json === undefined) return ApiResponse({ status, description, content: inLines });
  const content: Content = { [JSON_TYPE]: { schema: referenceTo(json) } };
  if (also !== undefined) return ApiResponse({ status, description, content, [ALSO_ANSWERED]: also } as ApiResponseOptions);
  if (lines === undefined) return ApiResponse({ status, description, content });
  const both = `${description}. If the body is NDJSON, or with Accept: ${NDJSON_TYPE}, the answer has lines, each a ${lines.meta()?.id}`;
  return ApiResponse({ status, description: both, content, [ALSO_ANSWERED]: inLines } as ApiResponseOptions);
}

/**
 * Method decorator that describes the answer to a request for an evaluation in the background. The answer has no schema, because the
 * endpoint also has another type of answer. With two schemas, code generators would give every client the union of both types.
 */
export function DescribeBackground(): MethodDecorator {
  return ApiResponse({
    status: 202,
    description: 'The evaluation continues in the background. The body is its EvaluationState, as GET of the Location answers it',
    headers: { Location: { schema: { type: 'string' }, description: 'The path of the evaluation' } },
  });
}

/**
 * Method decorator that describes the options of an evaluation as query parameters. `leftOut` names options that the operation does not
 * support.
 */
export function DescribeOptions(...leftOut: readonly string[]): MethodDecorator {
  const named = Object.entries(optionsQuery.shape).filter(([name]) => !leftOut.includes(name));
  return applyDecorators(
    ...named.map(([name, option]) => {
      const { description = '', ...schema } = z.toJSONSchema(option, { target: 'openapi-3.0', io: 'input' }) as { description?: string };
      return ApiQuery({ name, required: false, description, schema });
    }),
  );
}
