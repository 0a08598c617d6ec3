import { render } from 'preact';
import { PageSession } from './state/page-session.ts';
import { FIRST_TEXTS } from './state/first-texts.ts';
import { App } from './views/app.tsx';
import './style.css';

const host = document.getElementById('page') as HTMLElement;
host.replaceChildren();
render(<App session={new PageSession({ texts: FIRST_TEXTS, minor: '1.37', view: 'verdict' })} />, host);
