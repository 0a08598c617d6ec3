import { judge } from '../judge/judge.ts';
import type { JudgeAsk } from '../judge/judge-client.ts';
import { answerEditor } from '../language/answer-editor.ts';
import type { LanguageAsk } from '../language/language-client.ts';
import { serveAsks } from './serve-asks.ts';

// Both workers use this script, so that the engine is downloaded once. The worker's name selects its purpose.
serveAsks((ask, settings) => (self.name === 'language' ? answerEditor(ask as LanguageAsk, settings) : judge(ask as JudgeAsk, settings)));
