import { goQuote } from '#go';
import { objectMetaOf, metadataText } from './object-meta.ts';
import type { AdmissionRequest } from './admission-request.ts';

/**
 * Returns `pods "x" is forbidden: …`. Source: k8s.io/apimachinery/pkg/api/errors/errors.go `NewForbidden` (1.37).
 *
 * @param name `request`: use the name in the request, which may be empty; `object`: use the name in the object's metadata if the request has
 * none
 */
export function forbiddenMessage(request: AdmissionRequest, why: string, name: 'request' | 'object' = 'object'): string {
  const { group, resource } = request.resource;
  const called = name === 'request' ? request.name : requestedName(request);
  return `${group === '' ? resource : `${resource}.${group}`} ${called === '' ? '' : `${goQuote(called)} `}is forbidden: ${why}`;
}

/**
 * Returns the name in the request, or the name in the object's metadata if the request has no name. Source:
 * k8s.io/apiserver/pkg/admission/errors.go `extractResourceName` (1.37).
 */
function requestedName({ name, object }: AdmissionRequest): string {
  if (name !== '') return name;
  if (object === undefined) return 'Unknown';
  if (objectMetaOf(object) === undefined) return 'Unknown/errorGettingName';
  return metadataText(object, 'name') || metadataText(object, 'generateName') || 'Unknown';
}
