import { FUNCTIONS, offers, releaseOf } from '#cel';
import { MINORS, minorWords } from '#kube';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { placedNodes, startOf } from '../written-nodes.ts';

/**
 * Advice on rules that use a function which is too new. The oldest Kubernetes minor version that must accept the definition does not have
 * the function.
 */
export const newerFunction: AdviceKind = {
  id: 'newer-function',
  title: 'Rules use only functions that the oldest supported version of Kubernetes knows',
  doc: `A server refuses a definition whose rules use an unknown function. After Kubernetes introduces a function, servers accept it in new rules only from the next version on. Assay
gives this advice if you name the oldest version that must accept the definition, with \`--oldest 1.30\`, or with \`oldest\` in \`.assay.yaml\`. Assay then compiles each rule as this
version does. \`assay matrix\` shows the verdicts of all versions.`,
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
      text: `${oldest ?? ''} does not compile this rule${newer}, and refuses the definition; ${minorWords(first)} is the first version that accepts it.`,
      offset: newest[0] && startOf(newest[0].node),
    },
  ];
}
