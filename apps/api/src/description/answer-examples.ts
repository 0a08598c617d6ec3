import type { OpenAPIObject } from '@nestjs/swagger';
import recorded from './generated/recorded-answers.json' with { type: 'json' };

/**
 * Answer of the API that a test recorded. It is shown as an example in the API description. `body` is a parsed value if the answer is JSON,
 * and text otherwise.
 */
export interface RecordedAnswer {
  readonly type: string;
  readonly body: unknown;
}

/**
 * Recorded answers for the API description. `answers` has one for each example request, by {@link answerKey}; `failures` has one for each
 * status code of a failure.
 */
const RECORDED: Readonly<Record<'answers' | 'failures', Readonly<Record<string, RecordedAnswer>>>> = recorded;

/** HTTP methods of requests that have bodies. */
const METHODS = ['post', 'put'] as const;
/** HTTP method of a request that has a body, one of `METHODS`. */
type Method = (typeof METHODS)[number];

/** Returns the key under which the recorded answer to an example request is stored. */
export const answerKey = (path: string, type: string, example: string, method: Method = 'post'): string =>
  `${method.toUpperCase()} ${path} ${type} ${example}`;

/**
 * Adds recorded answers to the responses in the OpenAPI document, so that a reader sees an answer to each example request and to each
 * failure.
 */
export function addAnswerExamples(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      for (const [status, response] of Object.entries(item[method]?.responses ?? {})) {
        if (response === undefined || '$ref' in response) continue;
        for (const [type, media] of Object.entries(response.content ?? {})) {
          const failure = RECORDED.failures[status];
          if (failure !== undefined) media.example = failure.body;
          else if (['200', '201', '202'].includes(status)) media.examples = examplesOf(`${method.toUpperCase()} ${path} `, type);
        }
      }
    }
}

function examplesOf(prefix: string, type: string): Record<string, { value: unknown }> {
  const answers = Object.entries(RECORDED.answers).filter(([key, answer]) => key.startsWith(prefix) && answer.type === type);
  return Object.fromEntries(answers.map(([key, { body }]) => [key.slice(prefix.length), { value: body }]));
}
