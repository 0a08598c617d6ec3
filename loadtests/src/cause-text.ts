/** Returns the reason of a failure: the message of an error, followed by the messages of its causes. */
export function causeText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === '' ? error.name : error.message;
  const parts = error instanceof AggregateError ? error.errors.map(causeText) : [];
  const causes = error.cause === undefined ? parts : [...parts, causeText(error.cause)];
  return [own, ...causes].join(': ');
}
