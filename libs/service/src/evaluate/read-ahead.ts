/**
 * Yields the values of a source in order. Requests up to `ahead` values before they are needed. If `ahead` is a function, it is called at
 * each step. An error is thrown after all values before it. If the reader stops early, it does not wait for requested values.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>, ahead: number | (() => number)): AsyncGenerator<Value> {
  const requested: Promise<IteratorResult<Value>>[] = [];
  const askMore = (): void => {
    for (const most = typeof ahead === 'number' ? ahead : ahead(); requested.length < most;) {
      const next = source.next();
      // The loop below throws the failure; this handler only keeps it from counting as unhandled before.
      next.catch(() => undefined);
      requested.push(next);
    }
  };
  askMore();
  try {
    for (;;) {
      const step = await requested.shift();
      if (step === undefined || step.done) return;
      askMore();
      yield step.value;
    }
  } finally {
    source.return(undefined).catch(() => undefined);
  }
}
