{{- define "tapedeck.isSeveral" -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled }}yes{{ end -}}
{{- end }}

{{- define "tapedeck.onVolume" -}}
{{- if not (and .Values.postgres.enabled .Values.s3.enabled) }}yes{{ end -}}
{{- end }}

{{- define "tapedeck.check" -}}
{{- if and (include "tapedeck.isSeveral" .) (include "tapedeck.onVolume" .) }}
{{- fail "Several dashboards need postgres.enabled and s3.enabled: set both, or replicas to 1 and autoscaling.enabled to false." }}
{{- end }}
{{- if and .Values.autoscaling.enabled (lt (int .Values.autoscaling.maxReplicas) (int .Values.replicas)) }}
{{- fail "autoscaling.maxReplicas is less than replicas." }}
{{- end }}
{{- if not .Values.secretName }}
{{- fail "secretName is empty: create the secret, and name it." }}
{{- end }}
{{- end }}

{{- define "tapedeck.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tapedeck.containerBasics" -}}
image: {{ include "tapedeck.image" . }}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end }}
envFrom:
  - configMapRef: { name: {{ .Release.Name }} }
  - secretRef: { name: {{ .Values.secretName }} }
resources:
  # The limit is what the volumes may have, and the log: with less, a pod whose volumes fill is evicted before.
  requests: {{ merge (dict "ephemeral-storage" (ternary "1Gi" "10Gi" (eq (include "tapedeck.onVolume" .) "yes"))) .Values.resources.requests | toJson }}
  limits: {{ merge (dict "ephemeral-storage" (ternary "3Gi" "52Gi" (eq (include "tapedeck.onVolume" .) "yes"))) .Values.resources.limits | toJson }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}
