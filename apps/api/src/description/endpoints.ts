import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

/** Tags of the OpenAPI description, and the content of each. The description lists them in this order. */
export const ENDPOINT_GROUPS = {
  evaluations: 'Verdicts on objects, at once or in the background',
  definitions: 'Verdicts on definitions, and definitions that the service keeps',
  explain: 'The cost of rules, part by part',
  advise: 'Advice on the rules of definitions',
  benchmarks: 'Studies of the cost of rules, in the background',
  matrix: 'The same documents under each Kubernetes minor',
  'what-if': 'Effects of a change on stored objects',
  admission: 'Answers to AdmissionReviews, for a webhook that only validates',
  watching: 'Probes and metrics',
} as const;

/** Makes a class the controller of endpoints below a path, and puts them into a group of the description. */
export const Endpoints = (group: keyof typeof ENDPOINT_GROUPS, path: string): ClassDecorator =>
  applyDecorators(ApiTags(group), Controller(path));
