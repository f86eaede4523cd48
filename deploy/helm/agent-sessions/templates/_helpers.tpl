{{- define "agent-sessions.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "agent-sessions.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "agent-sessions.labels" -}}
{{ include "agent-sessions.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* The port of health and metrics */ -}}
{{- define "agent-sessions.actuatorPort" -}}
{{- if .Values.managementPort }}management{{ else }}http{{ end }}
{{- end }}

{{- define "agent-sessions.image" -}}
"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
{{- end }}

{{- define "agent-sessions.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "agent-sessions.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* The variables of the database, of the values and the name of the secret */ -}}
{{- define "agent-sessions.database" -}}
{{- $values := (index . 0).Values }}
{{- $url := required "database.url is needed: jdbc:postgresql://host:5432/database" $values.database.url }}
{{- $secret := required "database.existingSecret is needed: a secret with the keys username and password" (index . 1) -}}
- name: SPRING_DATASOURCE_URL
  value: {{ $url | quote }}
- name: SPRING_DATASOURCE_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: username
- name: SPRING_DATASOURCE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: password
{{- end }}
