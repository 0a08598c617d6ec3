/** Why a CA bundle is none. */
export function caBundleError(bundle: string): string | undefined {
  const text = Buffer.from(bundle, 'base64').toString('latin1');
  return text.includes('-----BEGIN CERTIFICATE-----') && text.includes('-----END CERTIFICATE-----')
    ? undefined
    : 'unable to load root certificates: unable to parse bytes as PEM block';
}
