/** Value that replaces an answer that did not arrive in time. */
export const LATE = Symbol('late');

/**
 * Returns the result of the promise `answer` if it arrives within `ms` ms, otherwise {@link LATE}. Rejects if the promise rejects. A result
 * that arrived while this process was suspended still counts as in time.
 */
export async function inTime<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(LATE)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
