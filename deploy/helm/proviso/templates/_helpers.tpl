{{- define "proviso.name" -}}
{{- if contains "proviso" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-proviso" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "proviso.selector" -}}
app.kubernetes.io/name: proviso
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "proviso.labels" -}}
{{ include "proviso.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
