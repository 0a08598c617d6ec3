import { PAGE_STYLE } from '#charts';

/** The report's one style sheet. */
export const REPORT_STYLE = `${PAGE_STYLE}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);border:1px solid var(--grid);border-radius:10px;margin:18px 0;overflow:hidden}
.tiles div{padding:12px 14px;border-left:1px solid var(--grid)}.tiles div:first-child{border-left:0}
.tiles b{display:block;font-size:25px;line-height:1.2;font-variant-numeric:tabular-nums}
.tiles span{font-size:14px;color:var(--muted);display:block;line-height:1.35}
nav ol{columns:2;margin:6px 0 0;padding-left:20px;font-size:15px}
.question{color:var(--muted);font-size:14px;margin:0 0 4px}
.gates li{margin:2px 0}
.strip{display:flex;gap:1px;align-items:flex-end;height:44px;margin:6px 0}
.strip i{flex:1 1 0;min-width:1px;background:var(--assay)}.strip i.off{background:var(--shipped)}
@media(max-width:640px){
.tiles{grid-template-columns:1fr 1fr}.tiles div:nth-child(odd){border-left:0}.tiles div:nth-child(n+3){border-top:1px solid var(--grid)}
nav ol{columns:1}
.claims thead{position:absolute;left:-999px}
.claims tr{display:grid;padding:10px 0;border-bottom:1px solid var(--grid)}
.claims td,.claims th[scope=row]{border:0;padding:1px 0}
.claims td::before{content:attr(data-label) ": ";color:var(--muted)}
}
`;
