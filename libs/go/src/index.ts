export {
  base64Bytes,
  base64Text,
  codePointLength,
  concatBytes,
  decodeBase64,
  decodeBase64Url,
  equalBytes,
  hexText,
  latin1Bytes,
  latin1Text,
  utf8Bytes,
  utf8Length,
  utf8Text,
} from './bytes.ts';
export type { Base64Result } from './bytes.ts';
export { CancellationFlag, Cancelled } from './cancellation.ts';
export type { CancellationToken } from './cancellation.ts';
export { memoizeRecent, memoizeWeak } from './memo.ts';
export { formatFixedFloat, formatFloat, machineInteger, significantDigits } from './text/number-text.ts';
export { goQuote, goSyntax, isPrintable } from './text/quote.ts';
export { goTrim, goTrimStart, indexOfText, isQuickSearch, lastIndexOfText, SEARCH_STRETCH, SHORT_PART } from './text/strings.ts';
export type { Spend } from './text/strings.ts';
export { editsBetween, nearestName } from './text/nearest-name.ts';
export { compareBytes, goSort, sortedKeys } from './sort.ts';
export { ByteCursor } from './json/byte-cursor.ts';
export { decodeUtf8, interned, isUtf8 } from './json/decode-text.ts';
export { readJson, readSpelledJson } from './json/read-json.ts';
export type { JsonReading } from './json/read-json.ts';
export { describeRuneError, describeSyntaxError } from './json/syntax-error.ts';
export { ColumnRoom, IntColumn, LONG_LIST, scalarList, TextColumn } from './json/columns.ts';
export type { Column, ScalarList } from './json/columns.ts';
export {
  copyJson,
  deepEqualJson,
  entryCount,
  entryKeys,
  Float,
  floatOf,
  floatValue,
  intValue,
  isJsonInt,
  isJsonObject,
  newJsonObject,
  SpelledFloat,
} from './json/value.ts';
export type { JsonObject, JsonValue } from './json/value.ts';
export { writeJson } from './json/write-json.ts';
export type { JsonStyle } from './json/write-json.ts';
export { followingDocuments, readFirstDocument, readYaml, refuseRest } from './yaml/read-yaml.ts';
export type { FirstDocument, FollowingDocument, YamlReading } from './yaml/read-yaml.ts';
export { resolvePlain } from './yaml/resolve-scalar.ts';
export type { YamlScalar } from './yaml/resolve-scalar.ts';
export { readStreamPart, splitDocuments } from './yaml/split-documents.ts';
export type { YamlStreamPart } from './yaml/split-documents.ts';
export { yamlLines } from './yaml/yaml-node.ts';
export { NumberTable, SeededSet } from './seeded-set.ts';
export type { SeededKey } from './seeded-set.ts';
export type { PatternAtom } from './regex/expand-pattern.ts';
export { maxTextLength, minMatchLength } from './regex/match-length.ts';
export type { MinMatchLength } from './regex/match-length.ts';
export { patternAtoms } from './regex/expand-pattern.ts';
export { readPattern } from './regex/pattern-tree.ts';
export type { PatternNode } from './regex/pattern-tree.ts';
export { compileRegex } from './regex/regex.ts';
export type { Regex, RegexResult } from './regex/regex.ts';
export { BEGIN_LINE, BEGIN_TEXT, END_LINE, END_TEXT, NO_WORD_BOUNDARY, WORD_BOUNDARY } from './regex/regex-program.ts';
export type { Consumer } from './regex/regex-program.ts';
export { formatDuration, parseDuration, parseLenientDuration } from './time/duration.ts';
export type { DurationResult } from './time/duration.ts';
export {
  formatRfc3339Micro,
  formatRfc3339Nano,
  parseDateTime,
  parseTime,
  RFC3339,
  RFC3339_DATE,
  RFC3339_MICRO,
  wallClock,
} from './time/time.ts';
export type { Instant, TimeResult, WallClock } from './time/time.ts';
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
} from './net/ip.ts';
export type { IpAddress, IpPrefix, IpResult, PrefixResult } from './net/ip.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export { parseQuantity } from './quantity/parse-quantity.ts';
export type { QuantityResult } from './quantity/parse-quantity.ts';
export {
  addQuantities,
  compareQuantities,
  integerQuantity,
  quantityFloat64,
  quantityInt64,
  quantitySign,
  roundUpQuantity,
  subtractQuantities,
} from './quantity/quantity.ts';
export type { Quantity, QuantityFormat, QuantityRules } from './quantity/quantity.ts';
export { compareSemvers, formatSemver, parseLooseSemver, parseSemver } from './semver.ts';
export type { Semver, SemverResult } from './semver.ts';
export { formatUrl, parseRequestUri, parseUrl, urlEscapedPath, urlHost, urlHostname, urlPort, urlQuery } from './net/url.ts';
export type { Url, UrlResult } from './net/url.ts';
export { applyPatches } from './json/json-patch.ts';
export type { PatchResult } from './json/json-patch.ts';
export { isCertificate } from './x509/certificate.ts';
