import type { POLICY_DIFFERENCES } from '#policy';
import type { ExamplesOf } from './example.ts';
import { DENY, mutating, ofMutatedPod, ofMutatedWidget, ofPod, pod, PODS, validating } from './policy-documents.ts';

/** Returns the lines of a policy with one validation. */
const validation = (expression: string, more = ''): string => `validations: [{expression: "${expression}"${more}}]`;
const TRUE = validation('true');
const CHECK = validation("authorizer.path('/a').check('get').allowed() || true");
const TWO = `validations: [{expression: '1 > 2'}, {expression: '2 > 3'}]`;
const PARAMS = `paramKind: {apiVersion: example.com/v1, kind: Limits}\n${validation('params.x == 1')}`;
const ANY = '[{apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"]}]';
const WEBHOOK = `webhooks:
- name: a.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  clientConfig: {url: 'https://a.example.com/'}
  rules: ${ANY}
  matchConditions: [{name: fails, expression: 1 / 0 == 1}]`;
const REVIEW = `apiVersion: authorization.k8s.io/v1
kind: SubjectAccessReview
metadata: {}
spec: {user: a, nonResourceAttributes: {path: /, verb: get}}`;
const RESERVED = validating(TRUE).replaceAll('few', 'few.static.k8s.io');
const DUPLICATES = 'containers: [{name: web, image: web, env: [{name: a, value: b}, {name: a, value: c}]}]';
const MUTATION = "Object{metadata: Object.metadata{labels: {'a': 'b'}}}";
const NULLABLE = 'old: {type: object, properties: {a: {type: string, nullable: true}}}';

/** Examples of the differences in admission policies. */
export const POLICY_EXAMPLES: ExamplesOf<typeof POLICY_DIFFERENCES> = {
  costsAreStrict: ofPod(validating(CHECK), CHECK, { shows: 'cost' }),
  foundTypesAreShown: { documents: [validating(validation('1'))], cause: validation('1') },
  failuresAreCollected: ofPod(validating(TWO, PODS, 'policyName: few\nvalidationActions: [Audit]'), TWO, { shows: 'audit' }),
  policiesMutate: { documents: [mutating(MUTATION, PODS)], cause: `kind: MutatingAdmissionPolicy\n---\n${MUTATION}` },
  oneKeyIsEnough: ofMutatedWidget(
    "Object{spec: Object.spec{list: [Object.spec.list{a: 'x'}]}}",
    [
      'list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: {type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}}',
    ],
    '{}',
  ),
  storedDuplicatesMerge: ofMutatedPod(
    "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'web', image: 'new'}]}}",
    pod(DUPLICATES),
    `Object{spec: Object.spec{containers: [Object.spec.containers{name: 'web', image: 'new'}]}}\n---\n${DUPLICATES}`,
  ),
  patchLibraryIsNewer: ofMutatedPod("[JSONPatch{op: 'replace', path: '', value: 1}]"),
  nestedLiteralsConvert: ofMutatedPod(
    "[JSONPatch{op: 'add', path: '/spec/containers', value: [Object.spec.containers{name: 'web', image: 'new'}]}]",
  ),
  nullsInLiteralsAreForeign: ofMutatedWidget(
    "[JSONPatch{op: 'add', path: '/spec/new', value: Object.spec.new{part: object.spec.old}}]",
    [NULLABLE, 'new: {type: object, x-kubernetes-preserve-unknown-fields: true}'],
    '{old: {a: null}}',
  ),
  unknownParamsAreDeclared: { documents: [validating(PARAMS)], cause: PARAMS, shows: 'types' },
  bindingsAreSpelled: {
    documents: [
      validating(
        TRUE,
        PODS,
        `${DENY}\nmatchResources: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [NOPE], resources: [pods]}]}`,
      ),
    ],
    cause: "matchResources: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [NOPE], resources: [pods]}]}",
  },
  writtenWordsAreShort: {
    documents: [validating(`variables: [{name: a b, expression: '1'}]\n${TRUE}`)],
    cause: "variables: [{name: a b, expression: '1'}]",
  },
  badValuesAreJson: {
    documents: [validating(TRUE, PODS, 'policyName: few\nvalidationActions: [Deny, Warn]')],
    cause: 'validationActions: [Deny, Warn]',
  },
  bindingsAreDeclarative: { documents: [validating(TRUE, PODS, 'policyName: few')], cause: 'policyName: few # without validationActions' },
  reviewsMeetNoWebhooks: {
    documents: [
      `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: all}\n${WEBHOOK}\n`,
      `${REVIEW}\n`,
    ],
    cause: `${WEBHOOK}\n---\n${REVIEW}`,
  },
  staticNamesAreWarnedOf: { documents: [RESERVED], cause: 'metadata: {name: few.static.k8s.io}' },
  staticNamesAreRefused: { documents: [RESERVED], cause: 'metadata: {name: few.static.k8s.io}' },
};
