import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

/** Groups of endpoints, in the order in which one meets them. */
export const ENDPOINT_GROUPS = {
  evaluations: 'Objects judged as the kube-apiserver would, at once or in the background',
  definitions: 'A definition judged alone',
  explain: 'Where the rules of definitions spend what they cost',
  advise: 'How the rules of definitions would be better',
  benchmarks: 'Studies of what rules cost at their dearest, in the background',
  matrix: 'The same documents against every Kubernetes minor',
  'what-if': 'A changed definition over stored objects',
  admission: 'AdmissionReviews answered, in the place of a webhook that only validates',
  watching: 'Probes and metrics',
} as const;

/** Makes a class the controller of endpoints below a path, and puts them into a group of the description. */
export const Endpoints = (group: keyof typeof ENDPOINT_GROUPS, path: string): ClassDecorator =>
  applyDecorators(ApiTags(group), Controller(path));
