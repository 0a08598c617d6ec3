import type { OpenAPIObject } from '@nestjs/swagger';
import recorded from './generated/recorded-answers.json' with { type: 'json' };

/** A recorded answer: its media type and its body, which is a value if it is JSON. */
export interface RecordedAnswer {
  readonly type: string;
  readonly body: unknown;
}

/** Answers to the examples of requests by {@link answerKey}, and one answer for each code of a failure. */
const RECORDED: Readonly<Record<'answers' | 'failures', Readonly<Record<string, RecordedAnswer>>>> = recorded;

/** Methods of requests with bodies. */
const METHODS = ['post', 'put'] as const;
/** One of them. */
type Method = (typeof METHODS)[number];

/** Returns the key of the answer to an example. */
export const answerKey = (path: string, type: string, example: string, method: Method = 'post'): string =>
  `${method.toUpperCase()} ${path} ${type} ${example}`;

/** Puts recorded answers beside the schemas of answers, so that a reader sees an answer to each request, and each failure. */
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
