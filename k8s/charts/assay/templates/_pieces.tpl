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

{{- /* What holds for every pod: no token, no root. Called with (list root userNumber needsGroup); the group may read mounted Secrets. */ -}}
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
  {{- if index . 2 }}
  fsGroup: {{ index . 1 }}
  {{- end }}
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

{{- /* Where a pod of API or workers likes to be. Called with (list root component). */ -}}
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
