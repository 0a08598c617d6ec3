import { badRequestStatus, invalidStatus, notFoundStatus } from '#kube';
import { builtInKind, judgeBuiltInWrite } from '../admission/builtin-write.ts';
import { Unreadable } from '../read/fields.ts';
import { validateBinding, validateDeclared, validateMutatingBinding } from './validate-binding.ts';
import { checkReservedName } from './validate-metadata.ts';
import { validateMutatingPolicy } from './validate-mutating-policy.ts';
import { validatePolicy } from './validate-policy.ts';
import type { ObjectWrite } from '#crd';
import type { JsonObject } from '#go';
import type { FieldError, Status } from '#kube';
import type { PolicyWriteOptions } from './head-write.ts';

const GROUP = 'admissionregistration.k8s.io';

/** The server's answer to the creation of a policy or a binding. */
export interface PolicyReview {
  readonly kind: string;
  readonly name: string;
  /** Status with which the server refuses the object; undefined if the object is stored. */
  readonly refusal: Status | undefined;
  readonly warnings: readonly string[];
}

/** Options for computing the answer to the creation of a policy or binding. */
export interface PolicyReviewOptions extends PolicyWriteOptions {
  /** Treatment of unknown and duplicate fields. The default is `Warn`. */
  readonly fieldValidation?: ObjectWrite['fieldValidation'];
  /** Text of the document, in which keys may be duplicated. If it is absent, the document has no duplicate keys. */
  readonly body?: { readonly text: string; readonly notation: string } | undefined;
}

/** Functions that validate a policy or binding, by the kind of the document. The document must be decoded and have its defaults. */
const VALIDATIONS: Readonly<Record<string, (document: JsonObject, options: PolicyWriteOptions) => FieldError[]>> = {
  ValidatingAdmissionPolicy: (document, options) => validatePolicy(document, undefined, options),
  ValidatingAdmissionPolicyBinding: (document, { minor }) => validateBinding(document, minor),
  MutatingAdmissionPolicy: (document, options) => validateMutatingPolicy(document, undefined, options),
  MutatingAdmissionPolicyBinding: (document, { minor }) => validateMutatingBinding(document, minor),
};

/**
 * Computes the server's answer to the creation of a policy or binding. It decodes the document into its Go type, applies defaults, and
 * validates the result. Does not check if the author may read the parameters. Returns undefined for a document of another kind. Throws
 * `Cancelled` if the token requests cancellation. Source: kubernetes
 * pkg/registry/admissionregistration/validatingadmissionpolicy/strategy.go and its neighbours (1.37).
 */
export function reviewPolicy(document: JsonObject, options: PolicyReviewOptions): PolicyReview | undefined {
  const { minor, token, fieldValidation = 'Warn', body } = options;
  const kind = textOf(document['kind']);
  const validate = VALIDATIONS[kind];
  if (validate === undefined) return undefined;
  const found = builtInKind(textOf(document['apiVersion']), kind, minor);
  const identity = { kind, name: nameOf(document) };
  if (found === undefined) return { ...identity, refusal: UNSERVED, warnings: [] };
  const write = {
    operation: 'CREATE',
    body: body === undefined ? document : body.text,
    contentType: body?.notation === 'yaml' ? 'application/yaml' : 'application/json',
    fieldValidation,
    version: found.version,
  } as const;
  const decoded = judgeBuiltInWrite(found, write, minor, { ...(token && { token }) });
  if (!decoded.accepted) return { ...identity, refusal: decoded.status, warnings: decoded.warnings };
  try {
    const { object } = decoded;
    const reserved = checkReservedName(object, minor);
    const declared = kind === 'ValidatingAdmissionPolicyBinding' ? validateDeclared(object, minor) : [];
    const errors = [...validate(object, options), ...reserved.errors, ...declared];
    const refusal = errors.length === 0 ? undefined : invalidStatus({ group: GROUP, kind }, identity.name, errors);
    return { ...identity, refusal, warnings: [...decoded.warnings, ...reserved.warnings] };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ...identity, refusal: badRequestStatus(thrown.message), warnings: decoded.warnings };
    throw thrown;
  }
}

const UNSERVED: Status = {
  ...notFoundStatus({ group: GROUP, resource: '' }, ''),
  message: 'the server could not find the requested resource',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function nameOf({ metadata }: JsonObject): string {
  return metadata !== null && typeof metadata === 'object' && 'name' in metadata ? textOf(metadata['name']) : '';
}
