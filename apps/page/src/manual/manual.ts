import './manual.css';
import './search.ts';
