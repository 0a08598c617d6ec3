import { WordedText } from '../change.ts';
import type { ErrorDetail } from '../change.ts';
import { tooLongWords } from '../field-error.ts';
import { KUBE_CHANGES, kubeHas, LATEST_MINOR } from '../minors.ts';
import type { KubeChange, Minor } from '../minors.ts';
import type { TooLongWords } from '../field-error.ts';

/** Wording of a Kubernetes minor version for errors about metadata, with the checks that differ between minor versions. */
export interface MetaWording {
  readonly tooLong: TooLongWords;
  /** Unit in which error texts state the maximum length of label keys and values. */
  readonly lengthUnit: 'bytes' | 'characters';
  /** Words for a label key in error texts. */
  readonly labelKey: 'a valid label key' | 'a qualified name';
  /**
   * Form of errors about owner references. `indexed`: a missing field is reported as a missing required value, and the path contains the
   * index of the reference. `flat`: a missing field is reported as an invalid value, without the index.
   */
  readonly ownerReferences: 'indexed' | 'flat';
  /** Returns the error text for an empty field of an owner reference. */
  readonly emptyOwnerField: (field: string) => ErrorDetail;
  /** True if errors print lists and structs in Go's syntax instead of JSON. */
  readonly goSyntax: boolean;
  /** Error text for an embedded resource that has no apiVersion or no kind. */
  readonly missingTypeMeta: ErrorDetail;
  /**
   * Form of errors about the operation in managedFields. `listed`: a missing operation is a required value, and an unknown operation is an
   * unsupported value. `flat`: both are invalid values.
   */
  readonly managedOperations: 'listed' | 'flat';
  /** True if a negative generation is also refused on updates. */
  readonly checksGenerationOnUpdate: boolean;
  /** True if the errors of the declarative rules for metadata replace equal errors of the other checks. */
  readonly enforcesRules: boolean;
  /** True if an update that removes the generation is refused with a text of its own. */
  readonly generationIsKept: boolean;
  /** True if the validation of metadata for a kind reports equal errors only once. */
  readonly distinctErrors: boolean;
}

/** Returns the wording of a Kubernetes minor version for errors about metadata. */
export function metaWording(minor: Minor): MetaWording {
  const has = (change: KubeChange): boolean => kubeHas(minor, change);
  const { oneTooLong, errorsAreTerse } = KUBE_CHANGES;
  const words = tooLongWords(minor);
  return {
    tooLong: (limit) => new WordedText(has('oneTooLong') ? words(limit).text : `must have at most ${limit} bytes`, [oneTooLong]),
    lengthUnit: has('labelsAreContent') ? 'bytes' : 'characters',
    labelKey: has('labelsAreContent') ? 'a valid label key' : 'a qualified name',
    ownerReferences: has('ownersAreIndexed') ? 'indexed' : 'flat',
    emptyOwnerField: (field) =>
      new WordedText(has('errorsAreTerse') ? 'must not be empty' : `${field} must not be empty`, [errorsAreTerse]),
    goSyntax: !has('valuesAreJson'),
    missingTypeMeta: new WordedText(has('errorsAreTerse') ? '' : 'must not be empty', [errorsAreTerse]),
    managedOperations: has('metadataIsDeclarative') ? 'listed' : 'flat',
    checksGenerationOnUpdate: has('metadataIsDeclarative'),
    enforcesRules: has('metadataRulesAreEnforced'),
    generationIsKept: has('generationIsKept'),
    distinctErrors: has('metadataIsDeclarative'),
  };
}

/** Wording of the newest Kubernetes minor version for errors about metadata. */
export const LATEST_WORDING: MetaWording = metaWording(LATEST_MINOR);
