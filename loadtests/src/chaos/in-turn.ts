/** Does one thing after the other, in the order in which it was asked. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  do<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
