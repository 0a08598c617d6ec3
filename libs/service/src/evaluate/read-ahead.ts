/**
 * What a source gives, in order, asked for up to `ahead` values before they are wanted. An error comes after the values before it. Whoever stops
 * early does not wait for what is under way.
 */
export async function* readAhead<Value>(source: AsyncGenerator<Value>, ahead: number): AsyncGenerator<Value> {
  const asked: Promise<IteratorResult<Value>>[] = [];
  const ask = (): void => {
    const next = source.next();
    // Whoever gets to it is told; nobody else needs to be.
    next.catch(() => undefined);
    asked.push(next);
  };
  for (let i = 0; i < ahead; i++) ask();
  try {
    for (;;) {
      const step = await asked.shift();
      if (step === undefined || step.done) return;
      ask();
      yield step.value;
    }
  } finally {
    source.return(undefined).catch(() => undefined);
  }
}
