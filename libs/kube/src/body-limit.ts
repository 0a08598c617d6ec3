/**
 * Maximum size in bytes of the body of a create or update request. Source: `MaxRequestBodyBytes` in k8s.io/apiserver/pkg/server/config.go
 * (1.37).
 */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;
