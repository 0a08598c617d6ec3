import type { BUILTIN_DIFFERENCES } from '#policy/built-in';
import type { DocumentsExample, ExamplesOf } from './example.ts';
import { matching, mutating, ofPod, pod, PODS, saying, validating, WEB } from './policy-documents.ts';

/** Returns an example of a policy whose message is the value of an expression, and of an object that it refuses. */
const ofObject = (expression: string, constraint: string, object: string, cause: string): DocumentsExample => ({
  documents: [saying(expression, constraint), object],
  cause: `messageExpression: "${expression}"\n---\n${cause}`,
  shows: 'denial',
});

const LIMITED = "resources: {limits: {cpu: '2'}}";
const CONTAINERS = 'containers: [{name: web, image: web}]';
const TEST = "[JSONPatch{op: 'test', path: '/spec/resources/requests/cpu', value: '2'}]";
const IMAGE = 'volumes: [{name: v, image: {reference: a}}]';
const STATEFUL_SET = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: shop}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {${CONTAINERS}}}`;
const DRIVER = 'apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: a.example.com}\nspec: {}';
const LABELLED = 'metadata: {name: web, namespace: shop, labels: {app: web}}';

/** Examples of the differences in defaults and decoding of built-in kinds. */
export const BUILTIN_EXAMPLES: ExamplesOf<typeof BUILTIN_DIFFERENCES> = {
  embeddedStructsAreNamed: {
    documents: [saying("'x'"), pod(CONTAINERS, 'volumes: [{name: v, hostPath: {path: 1}}]')],
    cause: 'volumes: [{name: v, hostPath: {path: 1}}]',
  },
  podsHaveResources: ofObject(
    "'request: ' + string(object.spec.resources.?requests.cpu.orValue('none'))",
    PODS,
    pod(LIMITED, CONTAINERS),
    LIMITED,
  ),
  podResourcesWait: ofPod(
    `${mutating(TEST, PODS, 'v1beta1')}---\n${saying("'tested'")}`,
    `${TEST}\n---\n${LIMITED}`,
    { shows: 'denial' },
    pod(LIMITED, CONTAINERS),
  ),
  statefulSetsHaveMaxUnavailable: ofObject(
    "'maxUnavailable: ' + string(object.spec.updateStrategy.rollingUpdate.?maxUnavailable.orValue('none'))",
    matching('apps', 'statefulsets'),
    `${STATEFUL_SET}\n`,
    STATEFUL_SET,
  ),
  imageVolumesHavePolicy: ofObject(
    "'pullPolicy: ' + object.spec.volumes[0].image.?pullPolicy.orValue('none')",
    PODS,
    pod(CONTAINERS, IMAGE),
    IMAGE,
  ),
  driversKeepPodsAway: ofObject(
    "'set: ' + string(has(object.spec.preventPodSchedulingIfMissing))",
    matching('storage.k8s.io', 'csidrivers'),
    `${DRIVER}\n`,
    DRIVER,
  ),
  structsAreSeen: ofPod(
    validating("validations: [{expression: '1 in object.metadata.labels'}]"),
    `validations: [{expression: '1 in object.metadata.labels'}]\n---\n${LABELLED}`,
    {},
    WEB.replace('metadata: {name: web, namespace: shop}', LABELLED),
  ),
};
