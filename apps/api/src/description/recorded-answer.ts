/** An answer as it was once given: its media type, and its body, of JSON as a value. */
export interface RecordedAnswer {
  readonly type: string;
  readonly body: unknown;
}

/** Answers by what was asked. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;
