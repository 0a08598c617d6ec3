import { tooLongWords } from '../field-error.ts';
import { LATEST_MINOR } from '../minor.ts';
import type { Minor } from '../minor.ts';
import { kubeHas } from '../minors.ts';
import type { KubeChange } from '../minors.ts';
import type { TooLongWords } from '../field-error.ts';

/** The words of a minor for errors about metadata. */
export interface MetaWording {
  readonly tooLong: TooLongWords;
  /** The unit of lengths of label keys and values in the text. */
  readonly lengthUnit: 'bytes' | 'characters';
  /** The name of a label key. */
  readonly labelKey: 'a valid label key' | 'a qualified name';
  /** Errors of owner references: required fields at their index, or invalid ones without it. */
  readonly ownerReferences: 'indexed' | 'flat';
  /** The text for an empty field of an owner reference. */
  readonly emptyOwnerField: (field: string) => string;
  /** True if errors print lists and structs in Go's syntax instead of JSON. */
  readonly goSyntax: boolean;
  /** The text for an embedded resource without apiVersion or kind. */
  readonly missingTypeMeta: '' | 'must not be empty';
  /** `listed`: a missing operation of managedFields is a required value, and an unknown operation is not supported. `flat`: both are invalid values. */
  readonly managedOperations: 'listed' | 'flat';
  /** True if updates, too, refuse a negative generation. */
  readonly checksGenerationOnUpdate: boolean;
  /** True if a kind's own validation of metadata reports equal errors once. */
  readonly distinctErrors: boolean;
}

/** Returns the wording of a minor. */
export function metaWording(minor: Minor): MetaWording {
  const has = (change: KubeChange): boolean => kubeHas(minor, change);
  return {
    tooLong: has('oneTooLong') ? tooLongWords(minor) : (limit) => `must have at most ${limit} bytes`,
    lengthUnit: has('labelsAreContent') ? 'bytes' : 'characters',
    labelKey: has('labelsAreContent') ? 'a valid label key' : 'a qualified name',
    ownerReferences: has('ownersAreIndexed') ? 'indexed' : 'flat',
    emptyOwnerField: has('errorsAreTerse') ? () => 'must not be empty' : (field) => `${field} must not be empty`,
    goSyntax: !has('valuesAreJson'),
    missingTypeMeta: has('errorsAreTerse') ? '' : 'must not be empty',
    managedOperations: has('metadataIsDeclarative') ? 'listed' : 'flat',
    checksGenerationOnUpdate: has('metadataIsDeclarative'),
    distinctErrors: has('metadataIsDeclarative'),
  };
}

/** The wording of the newest minor. */
export const LATEST_WORDING: MetaWording = metaWording(LATEST_MINOR);
