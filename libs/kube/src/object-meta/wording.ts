import { tooLongWords } from '../field-error.ts';
import { LATEST_MINOR } from '../minor.ts';
import type { Minor } from '../minor.ts';
import { kubeHas } from '../minors.ts';
import type { KubeChange } from '../minors.ts';
import type { TooLongWords } from '../field-error.ts';

/** The words of a minor for errors about metadata. */
export interface MetaWording {
  readonly tooLong: TooLongWords;
  /** Unit in which error texts state the maximum length of label keys and values. */
  readonly lengthUnit: 'bytes' | 'characters';
  /** Words for a label key in error texts. */
  readonly labelKey: 'a valid label key' | 'a qualified name';
  /**
   * Form of errors about owner references. `indexed`: a missing field is a required value, with the index of the reference. `flat`: a
   * missing field is an invalid value, without the index.
   */
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
