import type { OpenAPIObject } from '@nestjs/swagger';
import { RECORDED_ANSWERS, RECORDED_FAILURES } from './generated/recorded-answers.ts';

/** What an answer to an example is recorded under. */
export const answerKey = (path: string, type: string, example: string): string => `POST ${path} ${type} ${example}`;

/** Puts answers that were once given beside the schemas of answers, so that a reader sees one of each: what a request was answered with, and each failure. */
export function addAnswerExamples(document: OpenAPIObject): void {
  for (const [path, { post }] of Object.entries(document.paths)) {
    for (const [status, response] of Object.entries(post?.responses ?? {})) {
      if (response === undefined || '$ref' in response) continue;
      for (const [type, media] of Object.entries(response.content ?? {})) {
        const failure = RECORDED_FAILURES[status];
        if (failure !== undefined) media.example = failure.body;
        else if (status === '200') media.examples = examplesOf(path, type);
      }
    }
  }
}

function examplesOf(path: string, type: string): Record<string, { value: unknown }> {
  const answers = Object.entries(RECORDED_ANSWERS).filter(([key, answer]) => key.startsWith(`POST ${path} `) && answer.type === type);
  return Object.fromEntries(answers.map(([key, { body }]) => [key.slice(`POST ${path} `.length), { value: body }]));
}
