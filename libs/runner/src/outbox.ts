/** Messages that are posted together: sending costs a system call on either side, whatever is sent. */
export class Outbox<Message> {
  readonly #send: (messages: Message[]) => void;
  #waiting: Message[] = [];
  #scheduled = false;

  /** `send` is given the messages to keep. */
  constructor(send: (messages: Message[]) => void) {
    this.#send = send;
  }

  /** Sends a message with all others of this turn of the event loop, in order. */
  post(message: Message): void {
    this.#waiting.push(message);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** Sends what waits now. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#send(messages);
  }

  /** Drops what waits: whom it was meant for is gone. */
  clear(): void {
    this.#waiting = [];
  }
}
