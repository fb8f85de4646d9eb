{{- define "casebook.labels" -}}
app.kubernetes.io/name: casebook
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
