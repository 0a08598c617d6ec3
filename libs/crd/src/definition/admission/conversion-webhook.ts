import { base64Bytes, isCertificate, latin1Text } from '#go';
import type { Definition } from '../../schema/definition.ts';

/** Versions of conversion reviews that the server can send, in the order in which errors list them. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/** Returns true if the server can send at least one given review version. */
export function recognizedReviewVersions(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

const BLOCKS = /-----BEGIN CERTIFICATE-----\r?\n?([A-Za-z0-9+/=\t\r\n ]*)-----END CERTIFICATE-----/g;

/**
 * Returns the error of an invalid CA bundle. A bundle is invalid if it has no PEM block of a certificate, or if a block contains no
 * certificate. Source: k8s.io/apiserver/pkg/util/webhook `ValidateCABundle`, k8s.io/client-go/util/cert/pem.go (1.37). Go has several
 * messages for malformed certificates; this function always returns Go's message for invalid ASN.1.
 */
export function caBundleError(bundle: string): string | undefined {
  const blocks = [...latin1Text(base64Bytes(bundle)).matchAll(BLOCKS)];
  if (blocks.length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block';
  return blocks.every(([, body]) => isCertificate(base64Bytes(body as string)))
    ? undefined
    : 'unable to load root certificates: failed to parse certificate: x509: malformed certificate';
}

/** Returns true if a definition's conversion webhook has an invalid CA bundle. */
export function hasInvalidCaBundle({ spec }: Definition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  return bundle !== undefined && bundle !== '' && caBundleError(bundle) !== undefined;
}
