/**
 * Yields the values of a source in order. Requests up to `ahead` values before the caller needs them. If `ahead` is a function, it is
 * called at each step. An error of the source is thrown after all values before it. If the caller stops early, the generator ends without
 * waiting for the values that it has requested.
 */
export async function* prefetch<Value>(source: AsyncGenerator<Value>, ahead: number | (() => number)): AsyncGenerator<Value> {
  const requested: Promise<IteratorResult<Value>>[] = [];
  const askMore = (): void => {
    for (const most = typeof ahead === 'number' ? ahead : ahead(); requested.length < most;) {
      const next = source.next();
      // The loop below throws the failure. Until then, this handler prevents an unhandled rejection.
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
