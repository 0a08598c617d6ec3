import { copyJson, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Default values as plain JavaScript values, by field name. */
export interface FieldValues {
  readonly [field: string]: PlainValue;
}

/** JSON value that is written as a JavaScript literal. */
type PlainValue = string | number | boolean | readonly PlainValue[] | FieldValues;

/** Converts a literal to a new JSON value. */
function jsonOf(value: PlainValue): JsonValue {
  if (typeof value !== 'object') return value;
  if (isList(value)) return value.map(jsonOf);
  const object = newJsonObject();
  for (const [key, item] of Object.entries(value)) object[key] = jsonOf(item);
  return object;
}

function isList(value: readonly PlainValue[] | FieldValues): value is readonly PlainValue[] {
  return Array.isArray(value);
}

/** Returns true if the value of a pointer field is nil. A nil pointer is absent, or null if the field is always encoded. */
export function isNil(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Returns true if a value is the zero value of a Go field that is not a pointer: absent, null, `""`, 0 or false. Lists and maps without
 * entries also count as zero values.
 */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (isNil(value) || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

/** Sets each pointer field that is nil (absent or null) to its default in `values`. `values` contains the defaults by field name. */
export function fillNil(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isNil(object[field])) object[field] = jsonOf(value);
}

/** Sets each non-pointer field that has its zero value to its default in `values`. `values` contains the defaults by field name. */
export function fillEmpty(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isEmpty(object[field])) object[field] = jsonOf(value);
}

/** Returns the object in a field. If the field has no object, a new object is created and stored in the field. */
export function objectIn(object: JsonObject, field: string): JsonObject {
  const known = object[field];
  if (isJsonObject(known)) return known;
  const made = newJsonObject();
  object[field] = made;
  return made;
}

/** Returns the object in a field, or undefined if the field has no object. */
export function childOf(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const child = object?.[field];
  return isJsonObject(child) ? child : undefined;
}

/** Returns the objects of the list in a field. The result is empty if there is no list. */
export function itemsOf(object: JsonObject | undefined, field: string): JsonObject[] {
  const items = object?.[field];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** Copies `entries` to the map in a field, except keys that the map already has. The map is created if there are entries and no map. */
export function fillEntries(object: JsonObject, field: string, entries: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(entries ?? {})) objectIn(object, field)[key] ??= copyJson(value);
}

/** Default values of the fields of a struct: `nil` for pointer fields that are nil, and `empty` for non-pointer fields that are empty. */
export interface FieldDefaults {
  readonly nil?: FieldValues;
  readonly empty?: FieldValues;
}

/** Default permissions of the files in a volume: 0644 octal. */
const DEFAULT_MODE = { nil: { defaultMode: 420 } };
const SELECTORS = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const WEBHOOK = { failurePolicy: 'Fail', ...SELECTORS, timeoutSeconds: 10 };
const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** Defaults of admission policies, by the name of the struct. They apply in each version of the group. */
const POLICIES: readonly (readonly [struct: string, defaults: FieldDefaults])[] = [
  ['NamedRuleWithOperations', { nil: { scope: '*' } }],
  ['ValidatingAdmissionPolicySpec', { nil: { failurePolicy: 'Fail' } }],
  ['MutatingAdmissionPolicySpec', { nil: { failurePolicy: 'Fail' } }],
  ['MatchResources', { nil: SELECTORS }],
];

/**
 * Defaults that do not depend on other fields, by the name of the struct. Source: kubernetes pkg/apis/*\/v1/defaults.go and `+default` of
 * the types of k8s.io/api (1.30 to 1.37).
 */
export const FIELD_DEFAULTS: ReadonlyMap<string, FieldDefaults> = new Map<string, FieldDefaults>([
  // Pods and pod templates.
  [
    'core/v1.PodSpec',
    {
      empty: { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', schedulerName: 'default-scheduler' },
      nil: { securityContext: {}, terminationGracePeriodSeconds: 30 },
    },
  ],
  ['core/v1.ContainerPort', { empty: { protocol: 'TCP' } }],
  ['core/v1.Probe', { empty: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 } }],
  ['core/v1.HTTPGetAction', { empty: { path: '/', scheme: 'HTTP' } }],
  ['core/v1.GRPCAction', { nil: { service: '' } }],
  ['core/v1.ObjectFieldSelector', { empty: { apiVersion: 'v1' } }],
  ['core/v1.FileKeySelector', { nil: { optional: false } }],
  ['core/v1.SecretVolumeSource', DEFAULT_MODE],
  ['core/v1.ConfigMapVolumeSource', DEFAULT_MODE],
  ['core/v1.DownwardAPIVolumeSource', DEFAULT_MODE],
  ['core/v1.ProjectedVolumeSource', DEFAULT_MODE],
  ['core/v1.ServiceAccountTokenProjection', { nil: { expirationSeconds: 3600 } }],
  ['core/v1.HostPathVolumeSource', { nil: { type: '' } }],
  ['core/v1.AzureDiskVolumeSource', { nil: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false } }],
  ['core/v1.ISCSIVolumeSource', { empty: { iscsiInterface: 'default' } }],
  ['core/v1.ISCSIPersistentVolumeSource', { empty: { iscsiInterface: 'default' } }],
  ['core/v1.RBDVolumeSource', { empty: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  ['core/v1.RBDPersistentVolumeSource', { empty: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } }],
  ['core/v1.ScaleIOVolumeSource', { empty: { storageMode: 'ThinProvisioned', fsType: 'xfs' } }],
  ['core/v1.ScaleIOPersistentVolumeSource', { empty: { storageMode: 'ThinProvisioned', fsType: 'xfs' } }],
  // Other kinds of the core group.
  ['core/v1.ReplicationControllerSpec', { nil: { replicas: 1 } }],
  ['core/v1.Secret', { empty: { type: 'Opaque' } }],
  ['core/v1.EndpointPort', { empty: { protocol: 'TCP' } }],
  ['core/v1.NamespaceStatus', { empty: { phase: 'Active' } }],
  ['core/v1.PersistentVolumeStatus', { empty: { phase: 'Pending' } }],
  ['core/v1.PersistentVolumeClaimStatus', { empty: { phase: 'Pending' } }],
  ['core/v1.PersistentVolumeClaimSpec', { nil: { volumeMode: 'Filesystem' } }],
  // Workloads.
  ['apps/v1.DeploymentSpec', { nil: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 } }],
  ['apps/v1.ReplicaSetSpec', { nil: { replicas: 1 } }],
  ['apps/v1.StatefulSetSpec', { nil: { replicas: 1, revisionHistoryLimit: 10 }, empty: { podManagementPolicy: 'OrderedReady' } }],
  ['apps/v1.DaemonSetSpec', { nil: { revisionHistoryLimit: 10 } }],
  [
    'batch/v1.CronJobSpec',
    { empty: { concurrencyPolicy: 'Allow' }, nil: { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } },
  ],
  ['batch/v1.PodFailurePolicyOnPodConditionsPattern', { empty: { status: 'True' } }],
  ['autoscaling/v1.HorizontalPodAutoscalerSpec', { nil: { minReplicas: 1 } }],
  ['autoscaling/v2.HorizontalPodAutoscalerSpec', { nil: { minReplicas: 1 } }],
  // The network.
  ['networking/v1.NetworkPolicyPort', { nil: { protocol: 'TCP' } }],
  ['networking/v1.IngressClassParametersReference', { nil: { scope: 'Cluster' } }],
  ['discovery/v1.EndpointPort', { nil: { name: '', protocol: 'TCP' } }],
  // Access, storage, scheduling.
  ['rbac/v1.RoleRef', { empty: { apiGroup: RBAC_GROUP } }],
  ['storage/v1.StorageClass', { nil: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' } }],
  [
    'storage/v1.CSIDriverSpec',
    {
      nil: {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        requiresRepublish: false,
        seLinuxMount: false,
      },
      empty: { volumeLifecycleModes: ['Persistent'] },
    },
  ],
  ['scheduling/v1.PriorityClass', { nil: { preemptionPolicy: 'PreemptLowerPriority' } }],
  // Admission.
  ['admissionregistration/v1.ValidatingWebhook', { nil: WEBHOOK }],
  ['admissionregistration/v1.MutatingWebhook', { nil: { ...WEBHOOK, reinvocationPolicy: 'Never' } }],
  ['admissionregistration/v1.RuleWithOperations', { nil: { scope: '*' } }],
  ['admissionregistration/v1.ServiceReference', { nil: { port: 443 } }],
  ...['v1', 'v1beta1', 'v1alpha1'].flatMap((version) =>
    POLICIES.map(([name, defaults]): [string, FieldDefaults] => [`admissionregistration/${version}.${name}`, defaults]),
  ),
  ['admissionregistration/v1alpha1.ParamRef', { nil: { parameterNotFoundAction: 'Deny' } }],
]);
