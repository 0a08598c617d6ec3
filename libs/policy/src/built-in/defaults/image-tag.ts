const DOMAIN_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^(${DOMAIN}/${PATH_PART}(?:/${PATH_PART})*)(?::(\\w[\\w.-]{0,127}))?(@${DIGEST})?$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;
/** Maximum length of an image name, in characters. */
const MAX_NAME = 255;

/**
 * Returns the tag of an image in the same way as kubelet and API server. The tag is `latest` if the image has neither a tag nor a digest.
 * Returns undefined if the image has only a digest, or if the text is not an image name. Source: kubernetes pkg/util/parsers/parsers.go,
 * distribution/reference normalize.go, regexp.go.
 */
export function imageTag(image: string): string | undefined {
  if (IDENTIFIER.test(image)) return undefined;
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const match = REFERENCE.exec(hasDomain ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`);
  if (match === null || (match[1] as string).length > MAX_NAME) return undefined;
  const [, , tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}
