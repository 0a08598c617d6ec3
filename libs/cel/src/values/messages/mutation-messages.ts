import { JSON_PATCH_TYPE } from './json-patch-literal.ts';
import type { MessageTypes } from './message-value.ts';
import { WELL_KNOWN_MESSAGES } from './well-known-messages.ts';
import { objectLiteralType } from './object-literal.ts';

/**
 * Message types whose literals can occur in the expressions of a mutating admission policy, such as `Object{…}` and `JSONPatch{…}`. Source:
 * k8s.io/apiserver/pkg/cel/mutation/typeresolver.go (1.37).
 */
export const MUTATION_MESSAGES: MessageTypes = (name) => {
  if (name === 'JSONPatch') return JSON_PATCH_TYPE;
  return name === 'Object' || name.startsWith('Object.') ? objectLiteralType(name) : WELL_KNOWN_MESSAGES(name);
};
