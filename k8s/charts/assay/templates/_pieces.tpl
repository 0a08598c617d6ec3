{{- /* Labels of an object, but for its component. Called with the root. */ -}}
{{- define "assay.labels" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/part-of: assay
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- /* By which pods of a component are found. Called with (list root component). */ -}}
{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- /* Name, namespace and labels of an object. Called with (list root component name); a component may be empty. */ -}}
{{- define "assay.metadata" -}}
name: {{ index . 2 }}
namespace: {{ (index . 0).Release.Namespace }}
labels:
  {{- include "assay.labels" (index . 0) | nindent 2 }}
  {{- with index . 1 }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
{{- end -}}

{{- define "assay.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* What holds for every pod: no token, no root. Called with (list root userNumber); the group may read mounted Secrets. */ -}}
{{- define "assay.podSafety" -}}
serviceAccountName: {{ (index . 0).Release.Name }}
automountServiceAccountToken: false
{{- with (index . 0).Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ index . 1 }}
  runAsGroup: {{ index . 1 }}
  fsGroup: {{ index . 1 }}
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "assay.containerSafety" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- /* Where a pod likes to be: apart from others of its component. Called with (list root component). */ -}}
{{- define "assay.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "assay.selector" . | nindent 8 }}
{{- end -}}

{{- define "assay.redisMount" -}}
{{- if .Values.redis.access.clientSecret }}
- name: redis-access
  mountPath: /redis-access
  readOnly: true
{{- end }}
{{- end -}}

{{- define "assay.redisVolume" -}}
{{- with .Values.redis.access.clientSecret }}
- name: redis-access
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- /* Called with (list root component). */ -}}
{{- define "assay.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "assay.metadata" (list (index . 0) (index . 1) (printf "%s-%s" (index . 0).Release.Name (index . 1))) | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "assay.selector" . | nindent 6 }}
{{- end -}}

{{- /* Which components run rules. Called with the root. */ -}}
{{- define "assay.judges" -}}
[node{{ if .Values.worker.enabled }}, worker{{ end }}]
{{- end -}}

{{- /*
The work of nodes, as Prometheus is asked: what waits and runs in each, and what waits in Redis unless workers are scaled by that. Only nodes have a queue of
their own, and every node shows the same of Redis: the greatest, not the sum. Called with the root.
*/ -}}
{{- define "assay.nodeLoad" -}}
sum(assay_queue_waiting) + sum((assay_engine_waiting + assay_engine_running) and on (instance) assay_queue_waiting)
{{- if not (and .Values.worker.enabled .Values.worker.autoscaling.enabled) }} + (max(assay_shared_queue_waiting) or vector(0)){{ end }}
{{- end -}}

{{- /* What waits in Redis and what workers run: a queue that is empty because they keep up must not take them away. */ -}}
{{- define "assay.workerLoad" -}}
(max(assay_shared_queue_waiting) or vector(0)) + (sum((assay_engine_waiting + assay_engine_running) unless on (instance) assay_queue_waiting) or vector(0))
{{- end -}}

{{- /* KEDA's autoscaler of a component. Called with (list root component autoscaling query). */ -}}
{{- define "assay.scaledObject" -}}
{{- $name := printf "%s-%s" (index . 0).Release.Name (index . 1) -}}
{{- $scaling := index . 2 -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "assay.metadata" (list (index . 0) "" $name) | nindent 2 }}
spec:
  scaleTargetRef:
    name: {{ $name }}
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  pollingInterval: 10
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown:
          stabilizationWindowSeconds: 300
  # Prometheus does not answer, or knows no node: stay as large as a busy day needs.
  fallback:
    failureThreshold: 5
    replicas: {{ $scaling.fallbackReplicas }}
  triggers:
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ (index . 0).Values.prometheus }}
        query: {{ index . 3 | quote }}
        threshold: {{ $scaling.workPerPod | quote }}
        ignoreNullValues: 'false'
{{- end -}}
