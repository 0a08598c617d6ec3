import { judge } from '../judge/judge.ts';
import type { JudgeAsk } from '../judge/judge-messages.ts';
import { answerEditor } from '../language/answer-editor.ts';
import type { LanguageAsk } from '../language/language-messages.ts';
import { serveAsks } from './serve-asks.ts';

// One script for both workers, so that the engine is loaded once: the name that the page gives a worker says which it is.
serveAsks((ask, settings) => (self.name === 'language' ? answerEditor(ask as LanguageAsk, settings) : judge(ask as JudgeAsk, settings)));
