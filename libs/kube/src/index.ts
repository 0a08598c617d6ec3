export { COMPOSITE_KIND, groupOf, isCompositeDefinition, mayBeComposite, mayBeMade, UNKNOWN_OWNER_UID, versionOf } from './kinds.ts';
export { EXPRESSION_COST_LIMIT, MAX_BODY_BYTES, OBJECT_BUDGET, PER_CALL_LIMIT, SCHEMA_COST_LIMIT } from './limits.ts';
export { USUAL_CHOICE } from './bound-choice.ts';
export type { BoundChoice } from './bound-choice.ts';
export { changesOf, WordedText } from './change.ts';
export type { Change, Difference, ErrorDetail, SeenDifference, Visibility } from './change.ts';
export {
  aggregatedTexts,
  aggregateText,
  duplicate,
  fieldErrorBody,
  fieldErrorText,
  goBadValue,
  forbidden,
  internalError,
  invalid,
  notFound,
  notSupported,
  OMIT,
  reportedBecauseOf,
  required,
  showsBadValue,
  structValue,
  tooLong,
  tooLongWords,
  tooFew,
  tooMany,
  tooShort,
  tooManyWords,
  typeInvalid,
  wordedBecauseOf,
  wordedValue,
} from './field-error.ts';
export type {
  BadValue,
  BadValueBox,
  BadValueInput,
  ErrorPlace,
  FieldError,
  FieldErrorType,
  TooLongWords,
  TooManyWords,
} from './field-error.ts';
export { childPath, FieldPath, indexPath, keyPath, pathText } from './field-path.ts';
export { formatChange, longestOfFormat, STRING_FORMATS, stringFormat } from './formats/format.ts';
export type { FormatCheck } from './formats/format.ts';
export { ClaimedNames, ESTABLISHED, NAMES_ACCEPTED, NOT_ESTABLISHED } from './accepted-names.ts';
export type { NamesAccepted, ResourceNames } from './accepted-names.ts';
export { defaultGates, FEATURE_GATES, featureGates, gateChange, latestServer, readFeatureGates } from './feature-gates.ts';
export type { FeatureGate, FeatureGates, FeatureGatesResult, Server } from './feature-gates.ts';
export {
  isMinor,
  KUBE_CHANGES,
  KUBE_DIFFERENCES,
  kubeHas,
  LATEST_MINOR,
  MINOR_RANGE,
  minorNumber,
  minorRange,
  MINORS,
  minorWords,
  previewNotice,
  previewOf,
  previewsAmong,
  quantityRules,
  separates,
  withPreviewNotice,
} from './minors.ts';
export type { Minor } from './minors.ts';
export {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkDns1123SubdomainCaseless,
  checkDns1123SubdomainWithUnderscore,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  checkPrefixedLabelKey,
  checkQualifiedName,
  checkWildcardDns1123Subdomain,
  maskTrailingDash,
} from './names.ts';
export type { LabelWording, NameCheck } from './names.ts';
export { readObjectMeta } from './object-meta/object-meta.ts';
export type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object-meta/object-meta.ts';
export {
  validateAnnotations,
  validateFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
} from './object-meta/validate.ts';
export type { ObjectMetaRules } from './object-meta/validate.ts';
export { LATEST_WORDING, metaWording } from './object-meta/wording.ts';
export type { MetaWording } from './object-meta/wording.ts';
export {
  badRequestStatus,
  conflictStatus,
  forbiddenStatus,
  internalErrorStatus,
  invalidJson,
  invalidStatus,
  methodNotAllowedStatus,
  nestedTooDeep,
  noMatchStatus,
  notAcceptableStatus,
  notFoundStatus,
  pathNotFoundStatus,
  protocolErrorStatus,
  serviceUnavailableStatus,
  storageErrorStatus,
  timeoutStatus,
  tooLargeStatus,
  tooManyRequestsStatus,
  unauthorizedStatus,
  uninterpreted,
  unsupportedMediaTypeStatus,
} from './status.ts';
export type { GroupKind, GroupResource, Status, StatusCause, StatusDetails } from './status.ts';
export { ruleTokens } from './rule-tokens.ts';
export type { SchemaChange } from './schema-change.ts';
export { KEP_FACTOR, KEP_ITERATION_TIMES, kepMs } from './kep-iteration-times.ts';
export type { KepIterationTime } from './kep-iteration-times.ts';
export { messageNote, unusedMessage } from './unused-message.ts';
