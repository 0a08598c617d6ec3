/** Trusted issuer of tokens, the required audience, and the URL of the issuer's keys (RFC 7519; OpenID Connect Discovery 1.0). */
export interface TokenIssuer {
  /** URL of the issuer. The claim `iss` of a token must equal it. */
  readonly issuer: string;
  /** Value that the claim `aud` of a token must contain. */
  readonly audience: string;
  /** URL of the issuer's key set; undefined if the URL is taken from the issuer's discovery document. */
  readonly keySetUrl: string | undefined;
}
