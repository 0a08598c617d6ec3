export { groupOf, versionOf } from './api-version.ts';
export { decodeBase64Url } from './base64-url.ts';
export type { Base64Result } from './base64-url.ts';
export { CancellationToken, Cancelled } from './cancellation.ts';
export { MAX_BODY_BYTES } from './body-limit.ts';
export { EXPRESSION_COST_LIMIT, OBJECT_BUDGET, PER_CALL_LIMIT, SCHEMA_COST_LIMIT } from './cost-limits.ts';
export { wordedDefinitionErrors, wordedErrors } from './error-wording.ts';
export {
  aggregateText,
  duplicate,
  fieldErrorText,
  forbidden,
  internalError,
  invalid,
  notSupported,
  OMIT,
  required,
  showsBadValue,
  structValue,
  tooLong,
  tooLongWords,
  tooMany,
  tooManyWords,
  typeInvalid,
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
export { stringFormat } from './formats/format.ts';
export type { FormatCheck } from './formats/format.ts';
export { formatFixedFloat, formatFloat } from './go-number.ts';
export { goQuote } from './go-quote.ts';
export { goTrim, goTrimStart } from './go-trim.ts';
export { compareBytes, sortedKeys } from './json/compare-keys.ts';
export { decodeUtf8, isUtf8 } from './json/decode-utf8.ts';
export { readJson } from './json/read-json.ts';
export type { JsonReading } from './json/read-json.ts';
export { scalarList } from './json/scalar-list.ts';
export type { ScalarList } from './json/scalar-list.ts';
export { Float, floatOf, floatValue, intValue, isInt, isJsonObject, newJsonObject } from './json/value.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { writeJson } from './json/write-json.ts';
export type { JsonStyle } from './json/write-json.ts';
export { ClaimedNames, ESTABLISHED, NAMES_ACCEPTED, NOT_ESTABLISHED } from './accepted-names.ts';
export type { NamesAccepted, ResourceNames } from './accepted-names.ts';
export { defaultGates, FEATURE_GATES, featureGates, latestServer, readFeatureGates } from './feature-gates.ts';
export type { FeatureGate, FeatureGates, FeatureGatesResult, Server } from './feature-gates.ts';
export { isMinor, LATEST_MINOR, minorNumber, MINORS } from './minor.ts';
export type { Minor } from './minor.ts';
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
  invalidStatus,
  notAcceptableStatus,
  notFoundStatus,
  pathNotFoundStatus,
  serviceUnavailableStatus,
  storageErrorStatus,
  timeoutStatus,
  tooLargeStatus,
  tooManyRequestsStatus,
  unauthorizedStatus,
  unsupportedMediaTypeStatus,
} from './status.ts';
export type { GroupKind, GroupResource, Status, StatusCause, StatusDetails } from './status.ts';
export { codePointLength, utf8Length } from './utf8-length.ts';
export { readYaml } from './yaml/read-yaml.ts';
export type { YamlReading } from './yaml/read-yaml.ts';
export { splitDocuments } from './yaml/split-documents.ts';
export type { YamlStreamPart } from './yaml/split-documents.ts';
export { yamlLines } from './yaml/yaml-line.ts';
export { goSort } from './go-sort.ts';
export { compileRegex } from './regex.ts';
export type { Regex, RegexResult } from './regex.ts';
export { parseDuration, parseLenientDuration } from './duration.ts';
export type { DurationResult } from './duration.ts';
export { formatRfc3339Nano, parseDateTime, parseTime, RFC3339, RFC3339_DATE, wallClock } from './go-time.ts';
export type { Instant, TimeResult, WallClock } from './go-time.ts';
export { deepEqualJson } from './json/deep-equal.ts';
export {
  equalIps,
  formatIp,
  formatIpPrefix,
  isGlobalUnicast,
  isIPv4,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIPv4,
  isUnspecified,
  maskIp,
  parseIp,
  parseIpPrefix,
  prefixContains,
} from './ip.ts';
export type { IpAddress, IpPrefix, IpResult, PrefixResult } from './ip.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  quantityFloat64,
  quantityInt64,
  quantitySign,
  subtractQuantities,
} from './quantity.ts';
export type { Quantity, QuantityFormat, QuantityResult } from './quantity.ts';
export { compareSemvers, formatSemver, parseLooseSemver, parseSemver } from './semver.ts';
export type { Semver, SemverResult } from './semver.ts';
export { formatUrl, parseRequestUri, parseUrl, urlEscapedPath, urlHost, urlHostname, urlPort, urlQuery } from './url.ts';
export type { Url, UrlResult } from './url.ts';
export { applyPatches } from './json/json-patch.ts';
export type { PatchResult } from './json/json-patch.ts';
