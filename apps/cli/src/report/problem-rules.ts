import type { Finding } from '#editing';

/** Kinds of problems that the command line reports, with descriptions by id. */
export const PROBLEM_RULES = {
  'refused-definition': 'The API server refuses this CustomResourceDefinition',
  'refused-policy': 'The API server refuses this admission policy or binding',
  'rejected-object': 'The API server refuses a write of this object',
  warning: 'The API server answers a write with this warning',
  advice: 'A rule of a definition would be better otherwise (docs/reference/advice.md)',
} as const;

/** Returns the id of the kind of problem to which a finding about an admission policy belongs, a key of {@link PROBLEM_RULES}. */
export const policyProblemRule = ({ severity }: Finding): keyof typeof PROBLEM_RULES =>
  severity === 'error' ? 'refused-policy' : 'warning';

/**
 * Returns the id of the kind of problem to which a finding belongs, a key of {@link PROBLEM_RULES}. `about` names the object or definition
 * that the finding is about, such as `Widget "a"`.
 */
export function problemRule({ severity }: Finding, about: string): keyof typeof PROBLEM_RULES {
  if (severity === 'warning') return 'warning';
  if (severity === 'note' && about.startsWith('CustomResourceDefinition ')) return 'advice';
  return about.startsWith('CustomResourceDefinition ') ? 'refused-definition' : 'rejected-object';
}
