{{- define "assay-guard.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/component: guard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay-guard.labels" -}}
{{ include "assay-guard.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- /* Of objects of the namespace; those of the cluster have no namespace. */ -}}
{{- define "assay-guard.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "assay-guard.labels" . | nindent 2 }}
{{- end -}}

{{- define "assay-guard.certificateSecret" -}}
{{- if eq .Values.certificate.from "secret" -}}
{{ required "certificate.secret: name the Secret with tls.crt and tls.key" .Values.certificate.secret }}
{{- else -}}
{{ .Release.Name }}-certificate
{{- end -}}
{{- end -}}
