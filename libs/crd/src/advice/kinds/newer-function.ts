import { FUNCTIONS, offers, releaseOf } from '#cel';
import { MINORS } from '#kube';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { placedNodes } from '../value-places.ts';
import { startOf } from '../written-shape.ts';

/** Advice on rules that use a function that the oldest minor does not have. */
export const newerFunction: AdviceKind = {
  id: 'newer-function',
  title: 'Rules know no function that the oldest supported minor lacks',
  doc: `A server refuses a definition with an unknown function. It accepts a new function in new rules only one minor version after the function was introduced. The advice is given if you name the oldest minor that must accept the
definition (\`--oldest 1.30\`, or \`oldest\` in \`.assay.yaml\`). Assay compiles each rule as that minor does. \`assay matrix\` shows all minors.`,
  example: {
    before: `
properties:
  address: {type: string, maxLength: 45}
x-kubernetes-validations:
- rule: isIP(self.address)
required: [address]`,
    after: `
properties:
  address: {type: string, maxLength: 45, pattern: '^[0-9a-fA-F:.]+$'}
required: [address]`,
    oldest: '1.30',
  },
  ofRule: (rule) => (rule.oldest === undefined || rule.compilesOn(rule.oldest) ? [] : found(rule)),
};

function found(rule: AdvisedRule): FoundAdvice[] {
  const { oldest, tree, schema, minor } = rule;
  const first = MINORS.find((one) => rule.compilesOn(one)) ?? minor;
  const calls = placedNodes(tree, schema).filter(({ node }) => /^[a-zA-Z]/.test(node.call ?? ''));
  const release = oldest && releaseOf(oldest, 'new');
  const isNewer = (name: string): boolean =>
    release !== undefined && FUNCTIONS.some((one) => one.name === name && one.overloads.every((overload) => !offers(release, overload)));
  const newest = calls.filter(({ node }) => isNewer(node.call ?? ''));
  const names = [...new Set(newest.map(({ node }) => node.call ?? ''))];
  const what = names.map((name) => `${name}()`).join(', ');
  const newer = names.length === 0 ? '' : ` (newer ${names.length === 1 ? 'is' : 'are'} ${what})`;
  return [
    {
      text: `${oldest ?? ''} does not compile this rule${newer}, and refuses the definition; ${first} is the first that takes it.`,
      offset: newest[0] && startOf(newest[0].node),
    },
  ];
}
