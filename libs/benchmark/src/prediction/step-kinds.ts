/** Kinds of steps, each with a pattern of overload ids. Calls for which a server takes the same time have the same kind. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(less|greater)(_equals)?_string$/, 'order of texts'],
  [/^(less|greater)(_equals)?_(duration|timestamp)$/, 'order of times'],
  [/^(less|greater|add|subtract|multiply|divide|modulo|negate)[a-z_]*_(int64|uint64|double|bool)/, 'operator'],
  [/^(starts|ends)_with_string$/, 'start or end of a text'],
  [/^string_(last_)?index_of_string/, 'index in a text'],
  [/^string_(lower|upper)_ascii$/, 'case of a text'],
  [/^string_(substring|char_at)_int/, 'part of a text'],
  [/^(size_string|string_size)$/, 'size of a text'],
  [/^(size_(list|map)|(list|map)_size)$/, 'size of a list or map'],
  [/^list_(int|uint|double|bool|duration|timestamp)_(min|max)_/, 'least or greatest of a list'],
  [/^list_(int|uint|double|duration)_sum_/, 'sum of a list'],
  [/^list_(int|uint|double|bool|duration|timestamp)_is_sorted_bool$/, 'order of a list'],
  [/^list_a_(last_)?index_of_int$/, 'index in a list'],
  [/^list_join/, 'join'],
  [/^string_split_string/, 'split'],
  [/^string_replace_string/, 'replace'],
  [/^string_trim$/, 'trim'],
  [/^ip_(family|is_)/, 'question to an IP'],
  [/^cidr_(ip|prefix_length|masked)$/, 'question to a CIDR'],
  [/^cidr_contains_/, 'containment in a CIDR'],
  [/^url_get_(query)$/, 'query of a URL'],
  [/^url_get_/, 'part of a URL'],
  [/^quantity_(is|compare|get|sign)/, 'question to a quantity'],
  [/^quantity_(add|sub)/, 'sum of quantities'],
  [/^semver_/, 'question to a version'],
  [/^(duration|timestamp)_to_[a-z]+/, 'part of a time'],
  [/^format\.|^format-named$/, 'named format'],
  [/^list_sets_(contains|intersects)_list$/, 'comparison of sets'],
  [/^optional_|^select_optional/, 'optional'],
  [/^(int64|uint64|double)_to_(int64|uint64|double)$/, 'conversion of a number'],
];

/**
 * Returns the kind of a CEL call for the prediction of its time, from the id of its overload. Calls for which a server takes the same time
 * have the same kind. If no pattern in `KINDS` matches the id, the id itself is the kind.
 */
export function stepKind(overload: string): string {
  return KINDS.find(([pattern]) => pattern.test(overload))?.[1] ?? overload;
}
