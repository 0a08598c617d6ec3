import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

/** Tags of the OpenAPI description, each with its description text. The API description lists them in this order. */
export const ENDPOINT_GROUPS = {
  evaluations: 'Verdicts on objects, at once or in the background',
  definitions: 'Verdicts on definitions, and stored definitions',
  explain: 'Costs of the parts of rules',
  advise: 'Advice on the rules of definitions',
  benchmarks: 'Studies of the cost of rules, in the background',
  matrix: 'Verdicts on the same documents in each Kubernetes version',
  'what-if': 'Effects of a change on stored objects',
  admission: 'Answers to AdmissionReviews, for a webhook that only validates',
  watching: 'Probes and metrics',
} as const;

/** Class decorator that makes a class the controller of the endpoints below `path`, and adds them to a group of the API description. */
export const Endpoints = (group: keyof typeof ENDPOINT_GROUPS, path: string): ClassDecorator =>
  applyDecorators(ApiTags(group), Controller(path));
