/** Sequence of asynchronous actions. Each action starts after the previous one has ended, in the order in which they were requested. */
export class ActionSequence {
  #last: Promise<unknown> = Promise.resolve();

  do<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
