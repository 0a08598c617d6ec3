import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyJson, isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { isMinor, LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { builtInKinds } from '../table/built-in-kind.ts';
import { builtInTypes } from '../table/read-table.ts';
import { readTyped } from '../typed/read-typed.ts';
import { FIELD_DEFAULTS } from './field-defaults.ts';
import { imageTag } from './pod-defaults.ts';
import { setDefaults } from './set-defaults.ts';

function defaulted(object: JsonObject, minor: Minor = LATEST_MINOR): JsonObject {
  const kind = builtInKinds(minor).kind(String(object['apiVersion']), String(object['kind']));
  const reading = kind && readTyped(object, kind, minor);
  if (kind === undefined || reading?.ok !== true) throw new Error('not readable');
  setDefaults(reading.object, kind, minor);
  return reading.object;
}

/** Returns the value at a path of field names and list indices. Undefined if the path does not exist. */
function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split('.').reduce<JsonValue | undefined>((found, step) => {
    if (Array.isArray(found)) return found[Number(step)];
    return isJsonObject(found) ? found[step] : undefined;
  }, value);
}

const pod = (spec: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', spec });
const of = (apiVersion: string, kind: string, spec: JsonObject = {}): JsonObject => ({ apiVersion, kind, spec });
const template: JsonObject = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

/** Compares the defaults that Assay sets with the defaults that Kubernetes' own code sets, as recorded by `generate/built-in/record.mjs`. */
describe('defaults of built-in kinds, recorded from Kubernetes', () => {
  const lines = readFileSync(join(import.meta.dirname, 'recorded.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  it.each(lines.map((line, index) => ({ at: index + 1, line })))('are those of line $at of recorded.jsonl', ({ line }) => {
    const reading = readJson(line);
    if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`not recorded: ${line}`);
    const { minor, object, answer } = reading.value;
    if (typeof minor !== 'string' || !isMinor(minor) || !isJsonObject(object) || !isJsonObject(answer))
      throw new Error(`not recorded: ${line}`);
    expect(writeJson(defaulted(object, minor))).toBe(writeJson(answer['seen'] ?? null));
  });
});

describe('setDefaults', () => {
  it.each<[string, JsonObject, Readonly<Record<string, JsonValue | undefined>>]>([
    [
      'a pod',
      pod({ containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } }] }),
      {
        'spec.restartPolicy': 'Always',
        'spec.dnsPolicy': 'ClusterFirst',
        'spec.schedulerName': 'default-scheduler',
        'spec.terminationGracePeriodSeconds': 30,
        'spec.securityContext': {},
        'spec.enableServiceLinks': true,
        'spec.containers.0.imagePullPolicy': 'Always',
        'spec.containers.0.terminationMessagePath': '/dev/termination-log',
        'spec.containers.0.ports.0': { containerPort: 80, protocol: 'TCP' },
        'spec.containers.0.livenessProbe': {
          httpGet: { path: '/', port: 80, scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      'a pod in the network of its host, with limits',
      pod({
        hostNetwork: true,
        terminationGracePeriodSeconds: 0,
        containers: [
          { name: 'c', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1', memory: '0.5m' }, requests: { cpu: '100u' } } },
        ],
      }),
      {
        'spec.terminationGracePeriodSeconds': 0,
        'spec.containers.0.ports.0.hostPort': 80,
        'spec.containers.0.resources': { limits: { cpu: '1', memory: '1m' }, requests: { cpu: '1m', memory: '1m' } },
      },
    ],
    [
      'volumes',
      pod({
        containers: [],
        volumes: [
          { name: 'a' },
          { name: 'b', secret: { secretName: 's' } },
          { name: 'c', hostPath: { path: '/' } },
          { name: 'd', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
          { name: 'e', ephemeral: { volumeClaimTemplate: { spec: {} } } },
        ],
      }),
      {
        'spec.volumes.0.emptyDir': {},
        'spec.volumes.1.secret.defaultMode': 420,
        'spec.volumes.2.hostPath.type': '',
        'spec.volumes.3.projected.sources.0.serviceAccountToken.expirationSeconds': 3600,
        'spec.volumes.4.ephemeral.volumeClaimTemplate.spec.volumeMode': 'Filesystem',
      },
    ],
    [
      'a deployment',
      of('apps/v1', 'Deployment', { template }),
      {
        'spec.replicas': 1,
        'spec.revisionHistoryLimit': 10,
        'spec.progressDeadlineSeconds': 600,
        'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        'spec.template.spec.containers.0.imagePullPolicy': 'IfNotPresent',
        'spec.template.spec.enableServiceLinks': undefined,
        'metadata.labels': undefined,
      },
    ],
    [
      'a deployment with 0 replicas and the strategy Recreate',
      of('apps/v1', 'Deployment', { replicas: 0, strategy: { type: 'Recreate' } }),
      { 'spec.replicas': 0, 'spec.strategy': { type: 'Recreate' } },
    ],
    [
      'a daemon set',
      of('apps/v1', 'DaemonSet', {}),
      { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } },
    ],
    [
      'a stateful set',
      of('apps/v1', 'StatefulSet', { volumeClaimTemplates: [{ spec: {} }] }),
      {
        'spec.replicas': 1,
        'spec.podManagementPolicy': 'OrderedReady',
        'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 1 } },
        'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Retain' },
        'spec.volumeClaimTemplates.0.status.phase': 'Pending',
      },
    ],
    [
      'a job',
      of('batch/v1', 'Job', { template }),
      {
        'spec.completions': 1,
        'spec.parallelism': 1,
        'spec.backoffLimit': 6,
        'spec.completionMode': 'NonIndexed',
        'spec.suspend': false,
        'spec.podReplacementPolicy': 'TerminatingOrFailed',
        'metadata.labels': { app: 'a' },
      },
    ],
    ['a job with parallel pods', of('batch/v1', 'Job', { parallelism: 3, template }), { 'spec.completions': undefined }],
    [
      'a cron job',
      of('batch/v1', 'CronJob', { jobTemplate: { spec: { template } } }),
      {
        'spec.concurrencyPolicy': 'Allow',
        'spec.successfulJobsHistoryLimit': 3,
        'spec.failedJobsHistoryLimit': 1,
        'spec.jobTemplate.spec.completions': undefined,
        'spec.jobTemplate.spec.template.spec.restartPolicy': 'Always',
      },
    ],
    [
      'a service',
      of('v1', 'Service', { ports: [{ port: 80 }] }),
      {
        'spec.type': 'ClusterIP',
        'spec.sessionAffinity': 'None',
        'spec.internalTrafficPolicy': 'Cluster',
        'spec.externalTrafficPolicy': undefined,
        'spec.ports.0': { port: 80, protocol: 'TCP', targetPort: 80 },
      },
    ],
    [
      'a service with a load balancer',
      of('v1', 'Service', { type: 'LoadBalancer', sessionAffinity: 'ClientIP', ports: [{ port: 80, targetPort: 'web' }] }),
      {
        'spec.externalTrafficPolicy': 'Cluster',
        'spec.allocateLoadBalancerNodePorts': true,
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds': 10800,
        'spec.ports.0.targetPort': 'web',
      },
    ],
    [
      'a network policy',
      of('networking.k8s.io/v1', 'NetworkPolicy', { egress: [{ ports: [{ port: 53 }] }] }),
      { 'spec.policyTypes': ['Ingress', 'Egress'], 'spec.egress.0.ports.0.protocol': 'TCP' },
    ],
    [
      'an autoscaler',
      of('autoscaling/v2', 'HorizontalPodAutoscaler', { behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } }),
      {
        'spec.minReplicas': 1,
        'spec.metrics.0.resource.target.averageUtilization': 80,
        'spec.behavior.scaleUp.policies.1.value': 100,
        'spec.behavior.scaleDown.stabilizationWindowSeconds': 5,
        'spec.behavior.scaleDown.selectPolicy': 'Max',
      },
    ],
    [
      'a role binding',
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', subjects: [{ kind: 'User' }, { kind: 'ServiceAccount' }] },
      {
        'roleRef.apiGroup': 'rbac.authorization.k8s.io',
        'subjects.0.apiGroup': 'rbac.authorization.k8s.io',
        'subjects.1.apiGroup': undefined,
      },
    ],
    [
      'a namespace',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
      { 'metadata.labels': { 'kubernetes.io/metadata.name': 'n' }, 'status.phase': 'Active' },
    ],
    ['a secret', { apiVersion: 'v1', kind: 'Secret' }, { type: 'Opaque' }],
    ['a claim', of('v1', 'PersistentVolumeClaim'), { 'spec.volumeMode': 'Filesystem', 'status.phase': 'Pending' }],
    [
      'a limit range',
      of('v1', 'LimitRange', { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' } }] }),
      { 'spec.limits.0.default': { cpu: '2' }, 'spec.limits.0.defaultRequest': { cpu: '2', memory: '1Mi' } },
    ],
  ])('sets the defaults of %s', (_, object, expected) => {
    const found = defaulted(object);
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, at(found, path)]))).toEqual(expected);
    expect(defaulted(copyJson(found))).toEqual(found);
  });

  it('sets the defaults of StatefulSets as the Kubernetes version does', () => {
    const strategy = (minor: Minor): unknown => at(defaulted(of('apps/v1', 'StatefulSet'), minor), 'spec.updateStrategy.rollingUpdate');
    expect([strategy('1.36'), strategy('1.37')]).toEqual([{ partition: 0 }, { partition: 0, maxUnavailable: 1 }]);
  });

  it.each([...FIELD_DEFAULTS])(
    'names only fields of struct %s that exist, and only pointers if the default replaces nil',
    (name, { nil = {}, empty = {} }) => {
      const { fields } = builtInTypes(LATEST_MINOR).struct(name);
      for (const field of Object.keys(nil)) expect([field, fields.get(field)?.type.kind]).toEqual([field, 'pointer']);
      for (const field of Object.keys(empty)) expect(['string', 'int32', 'list']).toContain(fields.get(field)?.type.kind);
    },
  );
});

describe('imageTag', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:1', '1'],
    ['localhost:5000/a/b', 'latest'],
    ['ghcr.io/a/b:v1.0', 'v1.0'],
    [`a@sha256:${'0'.repeat(64)}`, undefined],
    [`a:latest@sha256:${'0'.repeat(64)}`, 'latest'],
    ['', undefined],
    ['Nginx', undefined],
    ['Example/nginx', 'latest'],
    ['a b', undefined],
    ['f'.repeat(64), undefined],
    ['a__b', 'latest'],
    ['a___b', undefined],
  ])('gives for the image %s the tag (undefined if it has none or is invalid): %s', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});
